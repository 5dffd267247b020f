#include "trace/recording/sections.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/memory.h"
#include "segment/sections_reader.h"
#include "trace/model/slices.h"

static const uint8_t edge_kinds[DJ_SECTION_KIND_COUNT] = {
    [DJ_SECTION_BEGIN] = DJ_EDGE_BEGIN,
    [DJ_SECTION_END] = DJ_EDGE_END,
    [DJ_SECTION_ASYNC_BEGIN] = DJ_EDGE_ASYNC_BEGIN,
    [DJ_SECTION_ASYNC_END] = DJ_EDGE_ASYNC_END,
};

/* Copies the properties of a process to *trace: its names, its threads and its losses.
 * Moves the memory of all names to *trace. */
static void read_facts(struct dj_trace *trace, struct dj_sections *sections)
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
    trace->threads = dj_xcalloc(sections->thread_count, sizeof(*trace->threads));
    for (size_t i = 0; i < sections->thread_count; i++) {
        trace->threads[i].tid = sections->threads[i].tid;
        trace->threads[i].pid = (int32_t)sections->pid;
        memcpy(trace->threads[i].name, sections->threads[i].name,
               sizeof(trace->threads[i].name));
    }
    trace->thread_count = sections->thread_count;
}

static int read_events(struct dj_trace *trace, const struct dj_sections *sections,
                       struct dj_error *err)
{
    struct dj_trace_rows edges = dj_slices_create_edge_rows(trace->memory_bytes);
    trace->counts = dj_xcalloc(sections->count, sizeof(*trace->counts));
    for (size_t i = 0; i < sections->count; i++) {
        const struct dj_section_event *event = &sections->events[i];
        const char *name = trace->names.data + event->name;
        if (event->kind == DJ_SECTION_COUNTER) {
            trace->counts[trace->count_count++] =
                (struct dj_trace_count){name, event->at_ns, event->value, event->tid};
        } else {
            dj_trace_rows_add(&edges, &(struct dj_edge){.at_ns = event->at_ns,
                                                        .cookie = event->value,
                                                        .name = name,
                                                        .key = name,
                                                        .order = event->order,
                                                        .tid = event->tid,
                                                        .kind = edge_kinds[event->kind]});
        }
    }
    return dj_slices_pair_edges(trace, &edges, err);
}

int dj_trace_read_sections(const char *path, struct dj_trace *trace, struct dj_error *err)
{
    struct dj_sections sections = {0};
    int code = dj_xcode(dj_segment_sections_read(path, DJ_ANY_OWNER, &sections, err));
    if (code == 0) {
        read_facts(trace, &sections);
        code = read_events(trace, &sections, err);
    }
    dj_segment_sections_finish(&sections);
    return code;
}

int dj_trace_read_sections_of_segment(const char *path, struct dj_trace *trace,
                                      struct dj_error *err)
{
    char *sections_path = dj_xformat("%s%s", path, DJ_SECTIONS_SUFFIX);
    int code = access(sections_path, F_OK) != 0
                   ? dj_error_set(err, DJ_E_NO_DATA,
                                  "%s: this process recorded no sections", path)
                   : dj_trace_read_sections(sections_path, trace, err);
    free(sections_path);
    return code;
}
