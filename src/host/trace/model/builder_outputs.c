
#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "trace/model/builder.h"
#include "trace/model/slice_sums.h"
#include "trace/model/spans.h"

static const uint8_t edge_kinds[DJ_EVENT_KINDS] = {
    [DJ_EVENT_BEGIN] = DJ_EDGE_BEGIN + 1,
    [DJ_EVENT_END] = DJ_EDGE_END + 1,
    [DJ_EVENT_ASYNC_BEGIN] = DJ_EDGE_ASYNC_BEGIN + 1,
    [DJ_EVENT_ASYNC_END] = DJ_EDGE_ASYNC_END + 1,
};

/* The parts to which each kind of event belongs, except DJ_OUTPUT_SPAN:
 * dj_span_get_role() decides whether a kind belongs to a span. */
static const uint8_t outputs_of_kind[DJ_EVENT_KINDS] = {
    [DJ_EVENT_NEW_TASK] = DJ_OUTPUT_THREAD_CHANGE,
    [DJ_EVENT_RENAME] = DJ_OUTPUT_THREAD_CHANGE,
    [DJ_EVENT_EXIT] = DJ_OUTPUT_THREAD_CHANGE,
    [DJ_EVENT_COUNTER] = DJ_OUTPUT_COUNT,
    [DJ_EVENT_FRAME_BEGIN] = DJ_OUTPUT_FRAME,
    [DJ_EVENT_FRAME_END] = DJ_OUTPUT_FRAME,
    [DJ_EVENT_CLOCK] = DJ_OUTPUT_NOT_OF_THREAD,
    [DJ_EVENT_THREAD] = DJ_OUTPUT_NOT_OF_THREAD,
    [DJ_EVENT_LOST] = DJ_OUTPUT_NOT_OF_THREAD,
    [DJ_EVENT_STACK] = DJ_OUTPUT_NOT_OF_THREAD,
};

static const uint8_t marked[] = {DJ_EVENT_FREQUENCY,        DJ_EVENT_LIMITS,
                                 DJ_EVENT_GPU_FREQUENCY,    DJ_EVENT_THERMAL,
                                 DJ_EVENT_COOLING,          DJ_EVENT_IRQ_BEGIN,
                                 DJ_EVENT_IRQ_END,          DJ_EVENT_SOFTIRQ_BEGIN,
                                 DJ_EVENT_SOFTIRQ_END,      DJ_EVENT_RECLAIM_BEGIN,
                                 DJ_EVENT_RECLAIM_END,      DJ_EVENT_BLOCK_ISSUE,
                                 DJ_EVENT_BLOCK_COMPLETE,   DJ_EVENT_BINDER,
                                 DJ_EVENT_BINDER_RECEIVED,  DJ_EVENT_TIMER_START,
                                 DJ_EVENT_IPI_BEGIN,        DJ_EVENT_IPI_END,
                                 DJ_EVENT_FENCE_WAIT_BEGIN, DJ_EVENT_FENCE_WAIT_END,
                                 DJ_EVENT_NEW_TASK,         DJ_EVENT_LOST};

static int by_time(const void *a, const void *b)
{
    const struct dj_trace_count *left = a, *right = b;
    return DJ_COMPARE(left->at_ns, right->at_ns);
}

void dj_builder_start(struct dj_trace_builder *build)
{
    size_t memory_bytes = build->trace->memory_bytes;
    build->edges = dj_slices_create_edge_rows(memory_bytes);
    build->running_sums.trace = build->trace;
    if (build->trace->sum_slices) {
        build->trace->sums = dj_slice_sums_create_fold(memory_bytes);
    }
    build->states.trace = build->trace;
    build->states.threads = build->spans.threads = &build->threads;
    build->spans.trace = build->trace;
    build->samples.trace = build->trace;
    build->counts = (struct dj_trace_rows){.row_bytes = sizeof(struct dj_trace_count),
                                           .order = by_time,
                                           .memory_bytes = memory_bytes};
    for (int kind = 0; kind < DJ_EVENT_KINDS; kind++) {
        build->outputs[kind] =
            outputs_of_kind[kind] | (edge_kinds[kind] != 0 ? DJ_OUTPUT_EDGE : 0);
        const struct dj_event event = {.kind = (uint8_t)kind};
        if (build->trace->keep_spans && dj_span_get_role(&event) != DJ_SPAN_NO_ROLE) {
            build->outputs[kind] |= DJ_OUTPUT_SPAN;
        }
    }
    for (size_t i = 0; build->trace->keep_marks && i < COUNT_OF(marked); i++) {
        build->outputs[marked[i]] |= DJ_OUTPUT_MARK;
    }
}

static void add_edge(struct dj_trace_builder *build, const struct dj_event *event)
{
    const char *name = dj_trace_names_add(&build->trace->name_store, event->name);
    const char *key =
        event->other_name.length == 0
            ? name
            : dj_trace_names_add(&build->trace->name_store, event->other_name);
    uint32_t life =
        event->tid > 0 ? dj_threads_get(&build->threads, (uint32_t)event->tid)->life : 0;
    const struct dj_edge edge = {.at_ns = event->at_ns,
                                 .cookie = event->value,
                                 .name = name,
                                 .key = key,
                                 .order = build->edges.total,
                                 .pid = event->pid,
                                 .tid = (uint32_t)event->tid,
                                 .life = life,
                                 .kind = (uint8_t)(edge_kinds[event->kind] - 1)};
    if (build->trace->sum_slices) {
        dj_running_sums_add_edge(&build->running_sums, &edge);
    } else {
        dj_trace_rows_add(&build->edges, &edge);
    }
}

static void add_count(struct dj_trace_builder *build, const struct dj_event *event)
{
    const struct dj_trace_count count = {
        dj_trace_names_add(&build->trace->name_store, event->name), event->at_ns,
        event->value, (uint32_t)event->tid};
    dj_trace_rows_add(&build->counts, &count);
}

static void add_mark(struct dj_trace_builder *build, const struct dj_event *event)
{
    struct dj_trace *trace = build->trace;
    const char *name = event->kind == DJ_EVENT_FENCE_WAIT_BEGIN
                           ? dj_span_get_name(&trace->name_store, event)
                           : dj_trace_names_add(&trace->name_store, event->name);
    /* In text, a loss has no time. It is placed at the time of the previous event. */
    bool timeless = event->kind == DJ_EVENT_LOST && event->at_ns == 0;
    DJ_XPUSH(trace->marks, trace->mark_count,
             (struct dj_trace_mark){.at_ns = timeless ? trace->last_ns : event->at_ns,
                                    .value = event->value,
                                    .value_2 = event->value_2,
                                    .name = name,
                                    .tid = event->tid,
                                    .other = event->other,
                                    .cpu = event->cpu,
                                    .kind = event->kind,
                                    .state = event->state});
}

void dj_builder_add_outputs(struct dj_trace_builder *build, const struct dj_event *event,
                            uint8_t outputs)
{
    /* A timer that was started by an interrupt or by the scheduler does not belong to the
     * thread. */
    bool foreign = event->kind == DJ_EVENT_TIMER_START &&
                   (event->interrupted || event->state == DJ_TIMER_HARD);
    if ((outputs & DJ_OUTPUT_MARK) != 0 && !foreign) {
        add_mark(build, event);
    }
    if ((outputs & DJ_OUTPUT_SPAN) != 0) {
        dj_spans_update(&build->spans, event);
    }
    if ((outputs & DJ_OUTPUT_EDGE) != 0) {
        add_edge(build, event);
    }
    if ((outputs & DJ_OUTPUT_COUNT) != 0) {
        add_count(build, event);
    }
    if ((outputs & DJ_OUTPUT_FRAME) != 0) {
        dj_frames_add_event(&build->frames, build->trace, event);
    }
}

static int by_tid(const void *a, const void *b)
{
    const struct dj_trace_thread *left = a, *right = b;
    int order = DJ_COMPARE(left->tid, right->tid);
    return order != 0 ? order : DJ_COMPARE(left->from_ns, right->from_ns);
}

static void move_threads(struct dj_trace_builder *build)
{
    struct dj_trace *trace = build->trace;
    size_t most = build->threads.by_tid.count + build->former_thread_count;
    trace->threads = dj_xcalloc(most, sizeof(*trace->threads));
    for (size_t i = 0; i < build->former_thread_count; i++) {
        trace->threads[trace->thread_count++] = build->former_threads[i];
    }
    const struct dj_live_thread *thread;
    for (size_t at = 0; (thread = dj_threads_next(&build->threads, &at)) != NULL;) {
        trace->threads[trace->thread_count++] = thread->known;
    }
    qsort(trace->threads, trace->thread_count, sizeof(*trace->threads), by_tid);
}

static int by_pid(const void *a, const void *b)
{
    const struct dj_trace_process *left = a, *right = b;
    return DJ_COMPARE(left->pid, right->pid);
}

static void move_processes(struct dj_trace_builder *build)
{
    struct dj_trace *trace = build->trace;
    const struct dj_map *names = &build->process_names;
    trace->processes = dj_xcalloc(names->count, sizeof(*trace->processes));
    for (size_t i = 0; i < names->capacity; i++) {
        if (names->slots[i].value != DJ_MAP_NONE) {
            trace->processes[trace->process_count++] = (struct dj_trace_process){
                (int32_t)names->slots[i].key, (const char *)names->slots[i].value};
        }
    }
    qsort(trace->processes, trace->process_count, sizeof(*trace->processes), by_pid);
}

static int move_slices(struct dj_trace_builder *build, struct dj_error *err)
{
    struct dj_trace *trace = build->trace;
    if (!trace->sum_slices) {
        return dj_slices_pair_edges(trace, &build->edges, err);
    }
    dj_running_sums_complete(&build->running_sums);
    return build->running_sums.needs_second_read
               ? DJ_E_LIMIT
               : dj_trace_rows_get_error(&trace->sums.flushed, err);
}

int dj_builder_complete(struct dj_trace_builder *build, struct dj_error *err)
{
    struct dj_trace *trace = build->trace;
    if (build->edges.row_bytes == 0) {
        dj_builder_start(build);
    }
    dj_states_complete(&build->states, trace->last_ns);
    dj_spans_complete(&build->spans, trace->last_ns);
    trace->counts =
        dj_trace_rows_move_out(&build->counts, &trace->count_rows, &trace->count_count);
    dj_samples_complete(&build->samples);
    move_threads(build);
    dj_frames_complete(&build->frames, trace);
    move_processes(build);
    trace->clock = dj_clock_offset_estimate(&build->clock);
    int code = move_slices(build, err);
    dj_builder_finish(build);
    return code != 0 ? code : dj_trace_get_error(trace, err);
}

void dj_builder_finish(struct dj_trace_builder *build)
{
    dj_trace_rows_finish(&build->edges);
    dj_trace_rows_finish(&build->counts);
    dj_running_sums_finish(&build->running_sums);
    free(build->former_threads);
    dj_threads_finish(&build->threads);
    dj_states_finish(&build->states);
    dj_frames_finish(&build->frames);
    dj_spans_finish(&build->spans);
    dj_samples_finish(&build->samples);
    dj_map_finish(&build->process_names);
    *build = (struct dj_trace_builder){
        .trace = build->trace,
        .running_sums = {.needs_second_read = build->running_sums.needs_second_read}};
}
