#include "trace/read_sections.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "segment/sections_reader.h"
#include "trace/slices.h"

static const uint8_t edge_kinds[DJ_SECTION_KIND_COUNT] = {
    [DJ_SECTION_BEGIN] = DJ_EDGE_BEGIN,
    [DJ_SECTION_END] = DJ_EDGE_END,
    [DJ_SECTION_ASYNC_BEGIN] = DJ_EDGE_ASYNC_BEGIN,
    [DJ_SECTION_ASYNC_END] = DJ_EDGE_ASYNC_END,
};

/* Names, threads, and what is missing. The names' text changes hands. */
static int take_frame(struct dj_trace *trace, struct dj_sections *sections,
                      struct dj_error *err)
{
    trace->source = "sections";
    trace->clock = (struct dj_trace_clock){.known = true, .name = "mono"};
    trace->pid = sections->pid;
    trace->ended = sections->ended;
    trace->whole_from_ns = sections->whole_from_ns;
    trace->overwritten = sections->overwritten;
    trace->dropped = sections->dropped;
    trace->damaged = sections->damaged;
    memcpy(trace->process, sections->name, sizeof(trace->process));
    memcpy(trace->program, sections->program, sizeof(trace->program));
    trace->names = sections->names;
    sections->names = (struct dj_text){0};
    if (sections->count > 0) {
        trace->first_ns = sections->events[0].at_ns;
        trace->last_ns = sections->events[sections->count - 1].at_ns;
    }
    trace->threads = calloc(sections->thread_count + 1, sizeof(*trace->threads));
    if (trace->threads == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for threads");
    }
    for (size_t i = 0; i < sections->thread_count; i++) {
        trace->threads[i].tid = sections->threads[i].tid;
        trace->threads[i].pid = (int32_t)sections->pid;
        memcpy(trace->threads[i].name, sections->threads[i].name,
               sizeof(trace->threads[i].name));
    }
    trace->thread_count = sections->thread_count;
    return 0;
}

static int take_events(struct dj_trace *trace, const struct dj_sections *sections,
                       struct dj_error *err)
{
    size_t edge_count = 0;
    struct dj_edge *edges = dj_array_resize(NULL, sections->count + 1, sizeof(*edges));
    trace->counts = dj_array_resize(NULL, sections->count + 1, sizeof(*trace->counts));
    if (edges == NULL || trace->counts == NULL) {
        free(edges);
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for events");
    }
    for (size_t i = 0; i < sections->count; i++) {
        const struct dj_section_event *event = &sections->events[i];
        const char *name = trace->names.data + event->name;
        if (event->kind == DJ_SECTION_COUNTER) {
            trace->counts[trace->count_count++] =
                (struct dj_trace_count){name, event->at_ns, event->value, event->tid};
        } else {
            edges[edge_count++] = (struct dj_edge){.at_ns = event->at_ns,
                                                   .cookie = event->value,
                                                   .name = name,
                                                   .key = name,
                                                   .order = event->order,
                                                   .tid = event->tid,
                                                   .kind = edge_kinds[event->kind]};
        }
    }
    int code = dj_trace_pair(trace, edges, edge_count, err);
    free(edges);
    return code;
}

int dj_read_sections(const char *path, struct dj_trace *trace, struct dj_error *err)
{
    struct dj_sections sections = {0};
    int code = dj_sections_read(path, DJ_ANY_OWNER, &sections, err);
    code = code != 0 ? code : take_frame(trace, &sections, err);
    code = code != 0 ? code : take_events(trace, &sections, err);
    dj_sections_finish(&sections);
    return code;
}

int dj_read_sections_beside(const char *path, struct dj_trace *trace,
                            struct dj_error *err)
{
    struct dj_text beside = {0};
    dj_text_format(&beside, "%s%s", path, DJ_SECTIONS_SUFFIX);
    int code = beside.failed ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
               : access(beside.data, F_OK) != 0
                   ? dj_error_set(err, DJ_E_NO_DATA,
                                  "%s: this process recorded no sections", path)
                   : dj_read_sections(beside.data, trace, err);
    dj_text_finish(&beside);
    return code;
}
