#include "trace/perfetto/stacks/stacks.h"

#include <stdlib.h>

#include "base/hash.h"
#include "memory/memory.h"

void dj_perfetto_stacks_finish(struct dj_perfetto_stacks *stacks)
{
    for (size_t i = 0; i < stacks->mapping_count; i++) {
        free(stacks->mappings[i]);
    }
    free(stacks->mappings);
    free(stacks->calls);
    free(stacks->mapping_of);
    free(stacks->all);
    free(stacks->lost);
    free(stacks->frames);
    dj_map_finish(&stacks->call_places);
    dj_map_finish(&stacks->mapping_places);
    dj_map_finish(&stacks->places);
    dj_memory_strings_finish(&stacks->strings);
    *stacks = (struct dj_perfetto_stacks){0};
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
}

static bool is_same_mapping(const struct dj_event_mapping *a,
                            const struct dj_event_mapping *b)
{
    return a->start == b->start && a->end == b->end && a->offset == b->offset &&
           a->load_bias == b->load_bias && dj_str_equal(a->path, b->path) &&
           dj_str_equal(a->build_id, b->build_id);
}

uint32_t dj_perfetto_stacks_add_mapping(struct dj_perfetto_stacks *stacks,
                                        const struct dj_event_mapping *mapping)
{
    uint64_t hash = mix(mapping->start, mapping->end);
    hash = mix(hash, dj_hash_bytes(mapping->path.at, mapping->path.length));
    size_t at, found = dj_map_first(&stacks->mapping_places, hash, &at);
    while (found != DJ_MAP_NONE && !is_same_mapping(stacks->mappings[found], mapping)) {
        found = dj_map_next(&stacks->mapping_places, hash, &at);
    }
    if (found != DJ_MAP_NONE) {
        return (uint32_t)found + 1;
    }
    struct dj_event_mapping *copy = dj_xcalloc(1, sizeof(*copy));
    *copy = *mapping;
    /* The path consists of joined parts, so the trace does not contain it as one text. */
    char *path = dj_xcopy(mapping->path.at, mapping->path.length);
    copy->path = dj_str_of(dj_memory_strings_add(&stacks->strings, path));
    free(path);
    dj_xcheck(dj_map_add(&stacks->mapping_places, hash, stacks->mapping_count));
    DJ_XPUSH(stacks->mappings, stacks->mapping_count, copy);
    return (uint32_t)stacks->mapping_count;
}

static bool is_same_call(const struct dj_event_call *a, const struct dj_event_call *b)
{
    return a->address == b->address && a->line == b->line &&
           a->is_symbolized == b->is_symbolized &&
           dj_str_equal(a->function, b->function) && dj_str_equal(a->file, b->file);
}

uint32_t dj_perfetto_stacks_add_call(struct dj_perfetto_stacks *stacks, uint32_t mapping,
                                     const struct dj_event_call *call)
{
    uint64_t hash = mix(mix(mapping, call->address),
                        dj_hash_bytes(call->function.at, call->function.length));
    size_t at, found = dj_map_first(&stacks->call_places, hash, &at);
    for (; found != DJ_MAP_NONE; found = dj_map_next(&stacks->call_places, hash, &at)) {
        if (stacks->mapping_of[found] == mapping &&
            is_same_call(&stacks->calls[found], call)) {
            return (uint32_t)found;
        }
    }
    dj_xcheck(dj_map_add(&stacks->call_places, hash, stacks->call_count));
    DJ_XPUSH(stacks->calls, stacks->call_count, *call);
    DJ_XPUSH(stacks->mapping_of, stacks->mapping_of_count, mapping);
    return (uint32_t)(stacks->call_count - 1);
}

uint32_t dj_perfetto_stacks_add(struct dj_perfetto_stacks *stacks, uint32_t caller,
                                uint32_t call)
{
    if (stacks->count == 0) {
        DJ_XPUSH(stacks->all, stacks->count, (struct dj_perfetto_stack){0});
    }
    uint64_t key = (uint64_t)caller << 32 | call;
    size_t found = dj_map_get(&stacks->places, key);
    if (found != DJ_MAP_NONE) {
        return (uint32_t)found;
    }
    uint32_t depth = stacks->all[caller].depth + 1;
    if (depth > DJ_STACK_FRAMES_MAX) {
        return caller;
    }
    dj_xcheck(dj_map_set(&stacks->places, key, stacks->count));
    DJ_XPUSH(stacks->all, stacks->count, (struct dj_perfetto_stack){caller, call, depth});
    return (uint32_t)(stacks->count - 1);
}

void dj_perfetto_stacks_fill(struct dj_perfetto_stacks *stacks,
                             const struct dj_perfetto_item *item, struct dj_event *event)
{
    if (stacks->frames == NULL) {
        stacks->frames = dj_xcalloc(DJ_STACK_FRAMES_MAX, sizeof(*stacks->frames));
    }
    stacks->event = (struct dj_event_stack){.frames = stacks->frames,
                                            .source = item->sample.source,
                                            .end = item->sample.end,
                                            .in_kernel = item->sample.in_kernel};
    event->value = item->value;
    event->pid = item->sample.pid > 0 ? item->sample.pid : DJ_PID_UNKNOWN;
    event->tid = item->sample.tid;
    event->cpu = item->sample.cpu;
    event->stack = &stacks->event;
    if (item->sample.lost) {
        stacks->event.lost = stacks->lost[item->sample.stack];
        return;
    }
    for (uint32_t at = item->sample.stack; at != DJ_PF_NO_STACK;
         at = stacks->all[at].caller) {
        struct dj_event_call *frame = &stacks->frames[stacks->event.count++];
        uint32_t mapping = stacks->mapping_of[stacks->all[at].call];
        *frame = stacks->calls[stacks->all[at].call];
        frame->mapping = mapping > 0 ? stacks->mappings[mapping - 1] : NULL;
    }
}
