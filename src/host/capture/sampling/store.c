#include "capture/sampling/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool is_call(const struct dj_stack_call *one, const struct dj_stack_call *other)
{
    return one->address == other->address && one->mapping == other->mapping;
}

/* Adds a call if it is new. Returns its index, or UINT32_MAX if there is no memory. */
static uint32_t add_call(struct dj_stack_store *store, struct dj_stack_call call)
{
    size_t at;
    uint64_t key = call.address * 31 + call.mapping;
    size_t found = dj_map_first(&store->call_places, key, &at);
    while (found != DJ_MAP_NONE && !is_call(&store->calls[found], &call)) {
        found = dj_map_next(&store->call_places, key, &at);
    }
    if (found != DJ_MAP_NONE) {
        return (uint32_t)found;
    }
    if (store->call_count >= UINT32_MAX - 1 ||
        !DJ_ARRAY_PUSH(store->calls, store->call_count, call) ||
        !dj_map_add(&store->call_places, key, store->call_count - 1)) {
        return UINT32_MAX;
    }
    return (uint32_t)(store->call_count - 1);
}

/* Adds a node if it is new. Returns its number, or 0 if there is no memory. Each pair of
 * caller and call has its own node. */
static uint32_t add_node(struct dj_stack_store *store, uint32_t caller, uint32_t call)
{
    uint64_t key = (uint64_t)caller << 32 | call;
    const struct dj_stack_node none = {0, 0}, node = {caller, call};
    size_t found = dj_map_get(&store->node_places, key);
    if (found != DJ_MAP_NONE) {
        return (uint32_t)found;
    }
    if ((store->node_count == 0 &&
         !DJ_ARRAY_PUSH(store->nodes, store->node_count, none)) ||
        store->node_count >= UINT32_MAX ||
        !DJ_ARRAY_PUSH(store->nodes, store->node_count, node) ||
        !dj_map_set(&store->node_places, key, store->node_count - 1)) {
        return 0;
    }
    return (uint32_t)(store->node_count - 1);
}

uint32_t dj_sampling_store_add_stack(struct dj_stack_store *store,
                                     const struct dj_stacks_stack *stack)
{
    uint32_t node = 0;
    for (size_t i = stack->count; i-- > 0;) {
        const struct dj_stacks_frame *frame = &stack->frames[i];
        uint32_t call =
            add_call(store, (struct dj_stack_call){dj_stacks_frame_code_address(frame),
                                                   frame->mapping});
        node = call == UINT32_MAX ? 0 : add_node(store, node, call);
        if (node == 0) {
            return 0;
        }
    }
    return node;
}

static int write_block(struct dj_stack_store *store, struct dj_error *err)
{
    int failure = store->file.file == 0 ? dj_spill_open(&store->file, 0) : 0;
    failure = failure == 0 ? dj_spill_append(&store->file, store->block,
                                             store->block_count * sizeof(*store->block))
                           : failure;
    store->block_count = failure == 0 ? 0 : store->block_count;
    return failure == 0
               ? 0
               : dj_error_set(err, DJ_E_OUTPUT,
                              "cannot write a temporary file for call stacks: %s",
                              strerror(failure));
}

int dj_sampling_store_add_sample(struct dj_stack_store *store,
                                 const struct dj_stack_sample *sample,
                                 struct dj_error *err)
{
    int code = store->block_count == DJ_STACK_BLOCK ? write_block(store, err) : 0;
    if (code == 0) {
        store->block[store->block_count++] = *sample;
        store->samples++;
    }
    return code;
}

/* A call as it is written to the trace: with its module and function. Each call is
 * described once. */
struct described_call {
    bool is_known;
    struct dj_event_call call;
    struct dj_event_mapping mapping;
};

static void describe_mapping(const struct dj_stack_writing *writing, uint32_t number,
                             uint64_t address, struct described_call *described)
{
    struct dj_event_mapping *to = &described->mapping;
    uint64_t file_address;
    /* Opens the module of the mapping, so that the build-id of the module is known. */
    bool in_file =
        dj_stacks_maps_file_address(writing->maps, number, address, &file_address);
    const struct dj_stacks_mapping *mapping = dj_stacks_maps_get(writing->maps, number);
    const struct dj_stacks_module *module =
        dj_stacks_maps_module(writing->maps, mapping->module);
    uint64_t file_offset = address - mapping->start + mapping->file_offset;
    *to = (struct dj_event_mapping){
        .path = dj_str_of(module->path),
        .build_id = {(const char *)module->build_id.bytes, module->build_id.length},
        .start = mapping->start,
        .end = mapping->end,
        .offset = mapping->file_offset,
        .load_bias = in_file ? file_address - file_offset : 0};
    described->call.mapping = to;
    described->call.address = in_file ? file_address : file_offset;
}

static void describe_call(const struct dj_stack_writing *writing,
                          const struct dj_stack_call *call,
                          struct described_call *described)
{
    const struct dj_stacks_name *name =
        dj_stacks_names_find(writing->names, call->mapping, call->address);
    described->is_known = true;
    described->call = (struct dj_event_call){.address = call->address};
    if (call->mapping != DJ_STACKS_NO_MAPPING) {
        describe_mapping(writing, call->mapping, call->address, described);
    }
    if (name->kind != DJ_STACKS_NAME_MODULE && name->kind != DJ_STACKS_NAME_NONE) {
        described->call.function = dj_str_of(name->text);
    }
}

/* Collects the calls of a stack, innermost first. Returns their number. */
static size_t collect_calls(const struct dj_stack_store *store,
                            const struct dj_stack_writing *writing, uint32_t node,
                            struct described_call *described, struct dj_event_call *calls)
{
    size_t count = 0;
    for (; node != 0 && count < DJ_STACK_FRAMES_MAX; node = store->nodes[node].caller) {
        uint32_t call = store->nodes[node].call;
        if (!described[call].is_known) {
            describe_call(writing, &store->calls[call], &described[call]);
        }
        calls[count++] = described[call].call;
    }
    return count;
}

static bool is_wanted(const struct dj_stack_writing *writing,
                      const struct dj_stack_sample *sample)
{
    return sample->at_ns <= writing->until_ns &&
           (writing->keep == NULL || sample->is_lost ||
            dj_janky_keep_overlaps(writing->keep, sample->at_ns, sample->at_ns));
}

static int write_sample(const struct dj_stack_store *store,
                        struct dj_stack_writing *writing,
                        const struct dj_stack_sample *sample,
                        struct described_call *described)
{
    struct dj_event_call calls[DJ_STACK_FRAMES_MAX];
    struct dj_event_stack stack = {.frames = calls,
                                   .source = sample->source,
                                   .end = sample->end,
                                   .in_kernel = sample->in_kernel};
    const struct dj_event event = {
        .kind = DJ_EVENT_STACK,
        .at_ns = sample->at_ns,
        .value = sample->source == DJ_STACK_CPU ? writing->interval_ns : 0,
        .tid = sample->tid,
        .pid = sample->pid,
        .cpu = sample->cpu,
        .stack = &stack};
    if (sample->is_lost) {
        stack.lost = sample->node;
    } else {
        stack.key = sample->node;
        stack.count = collect_calls(store, writing, sample->node, described, calls);
        writing->written++;
    }
    return writing->sink.take(writing->sink.user, &event);
}

static int write_samples(const struct dj_stack_store *store,
                         struct dj_stack_writing *writing,
                         const struct dj_stack_sample *samples, size_t count,
                         struct described_call *described)
{
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        if (is_wanted(writing, &samples[i])) {
            code = write_sample(store, writing, &samples[i], described);
        }
    }
    return code;
}

int dj_sampling_store_write(struct dj_stack_store *store,
                            struct dj_stack_writing *writing, struct dj_error *err)
{
    struct dj_stack_sample *samples = calloc(DJ_STACK_BLOCK, sizeof(*samples));
    struct described_call *described = calloc(store->call_count + 1, sizeof(*described));
    int code = samples == NULL || described == NULL
                   ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for call stacks")
                   : 0;
    uint64_t bytes = store->file.bytes;
    for (uint64_t at = 0; at < bytes && code == 0;) {
        size_t size = sizeof(store->block) < bytes - at ? sizeof(store->block)
                                                        : (size_t)(bytes - at);
        int failure = dj_spill_read(&store->file, at, samples, size);
        code = failure != 0
                   ? dj_error_set(err, DJ_E_IO, "cannot read the call stacks back: %s",
                                  strerror(failure))
                   : write_samples(store, writing, samples, size / sizeof(*samples),
                                   described);
        at += size;
    }
    code = code == 0 ? write_samples(store, writing, store->block, store->block_count,
                                     described)
                     : code;
    free(samples);
    free(described);
    return code;
}

void dj_sampling_store_finish(struct dj_stack_store *store)
{
    free(store->calls);
    free(store->nodes);
    dj_map_finish(&store->call_places);
    dj_map_finish(&store->node_places);
    dj_spill_close(&store->file);
    *store = (struct dj_stack_store){.calls = NULL};
}
