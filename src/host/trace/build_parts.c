
#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "trace/build.h"
#include "trace/spans.h"
#include "trace/sums.h"

static const uint8_t edge_kinds[DJ_EVENT_KINDS] = {
    [DJ_EVENT_BEGIN] = DJ_EDGE_BEGIN + 1,
    [DJ_EVENT_END] = DJ_EDGE_END + 1,
    [DJ_EVENT_ASYNC_BEGIN] = DJ_EDGE_ASYNC_BEGIN + 1,
    [DJ_EVENT_ASYNC_END] = DJ_EDGE_ASYNC_END + 1,
};

/* dj_span_role_of() defines the kinds that belong to spans. */
static const uint8_t outputs_of_kind[DJ_EVENT_KINDS] = {
    [DJ_EVENT_NEW_TASK] = DJ_PART_CHANGE,   [DJ_EVENT_RENAME] = DJ_PART_CHANGE,
    [DJ_EVENT_EXIT] = DJ_PART_CHANGE,       [DJ_EVENT_COUNTER] = DJ_PART_COUNT,
    [DJ_EVENT_FRAME_BEGIN] = DJ_PART_FRAME, [DJ_EVENT_FRAME_END] = DJ_PART_FRAME,
    [DJ_EVENT_CLOCK] = DJ_PART_APART,       [DJ_EVENT_THREAD] = DJ_PART_APART,
    [DJ_EVENT_LOST] = DJ_PART_APART,
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

void dj_build_begin(struct dj_build *build)
{
    size_t memory_bytes = build->trace->memory_bytes;
    build->edges = dj_edges_rows(memory_bytes);
    build->summing.trace = build->trace;
    if (build->trace->sum_slices) {
        build->trace->sums = dj_sums_fold(memory_bytes);
    }
    build->states.trace = build->trace;
    build->states.threads = build->spans.threads = &build->threads;
    build->spans.trace = build->trace;
    build->counts = (struct dj_rows){.row_bytes = sizeof(struct dj_trace_count),
                                     .order = by_time,
                                     .memory_bytes = memory_bytes};
    for (int kind = 0; kind < DJ_EVENT_KINDS; kind++) {
        build->outputs[kind] =
            outputs_of_kind[kind] | (edge_kinds[kind] != 0 ? DJ_PART_EDGE : 0);
        const struct dj_event event = {.kind = (uint8_t)kind};
        if (build->trace->keep_spans && dj_span_role_of(&event) != DJ_SPAN_NO_ROLE) {
            build->outputs[kind] |= DJ_PART_SPAN;
        }
    }
    for (size_t i = 0; build->trace->keep_marks && i < COUNT_OF(marked); i++) {
        build->outputs[marked[i]] |= DJ_PART_MARK;
    }
}

static void put_edge(struct dj_build *build, const struct dj_event *event)
{
    const char *name = dj_names_keep(&build->trace->kept, event->name);
    const char *key = event->other_name.length == 0
                          ? name
                          : dj_names_keep(&build->trace->kept, event->other_name);
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
        dj_summing_take(&build->summing, &edge);
    } else {
        dj_rows_put(&build->edges, &edge);
    }
}

static void put_count(struct dj_build *build, const struct dj_event *event)
{
    const struct dj_trace_count count = {dj_names_keep(&build->trace->kept, event->name),
                                         event->at_ns, event->value,
                                         (uint32_t)event->tid};
    dj_rows_put(&build->counts, &count);
}

static void put_mark(struct dj_build *build, const struct dj_event *event)
{
    struct dj_trace *trace = build->trace;
    const char *name = event->kind == DJ_EVENT_FENCE_WAIT_BEGIN
                           ? dj_span_name(&trace->kept, event)
                           : dj_names_keep(&trace->kept, event->name);
    /* Text contains no time of a loss. It happened before the next event. */
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

void dj_build_put(struct dj_build *build, const struct dj_event *event, uint8_t outputs)
{
    /* A timer that an interrupt starts is not an act of the interrupted thread. */
    bool tick = event->kind == DJ_EVENT_TIMER_START && event->interrupted;
    if ((outputs & DJ_PART_MARK) != 0 && !tick) {
        put_mark(build, event);
    }
    if ((outputs & DJ_PART_SPAN) != 0) {
        dj_spans_take(&build->spans, event);
    }
    if ((outputs & DJ_PART_EDGE) != 0) {
        put_edge(build, event);
    }
    if ((outputs & DJ_PART_COUNT) != 0) {
        put_count(build, event);
    }
    if ((outputs & DJ_PART_FRAME) != 0) {
        dj_frames_take(&build->frames, build->trace, event);
    }
}

/* ---- moving the result to the trace ---- */

static int by_tid(const void *a, const void *b)
{
    const struct dj_trace_thread *left = a, *right = b;
    int order = DJ_COMPARE(left->tid, right->tid);
    return order != 0 ? order : DJ_COMPARE(left->from_ns, right->from_ns);
}

static void hand_over_threads(struct dj_build *build)
{
    struct dj_trace *trace = build->trace;
    size_t most = build->threads.by_tid.count + build->former_count;
    trace->threads = dj_xcalloc(most, sizeof(*trace->threads));
    for (size_t i = 0; i < build->former_count; i++) {
        trace->threads[trace->thread_count++] = build->former[i];
    }
    const struct dj_thread *thread;
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

static void hand_over_processes(struct dj_build *build)
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

static int hand_over_slices(struct dj_build *build, struct dj_error *err)
{
    struct dj_trace *trace = build->trace;
    if (!trace->sum_slices) {
        return dj_trace_pair_rows(trace, &build->edges, err);
    }
    dj_summing_end(&build->summing);
    return build->summing.unfit ? DJ_E_LIMIT : dj_rows_error(&trace->sums.parts, err);
}

int dj_build_end(struct dj_build *build, struct dj_error *err)
{
    struct dj_trace *trace = build->trace;
    if (build->edges.row_bytes == 0) {
        dj_build_begin(build);
    }
    dj_states_end(&build->states, trace->last_ns);
    dj_spans_end(&build->spans, trace->last_ns);
    trace->counts =
        dj_rows_hand_over(&build->counts, &trace->count_rows, &trace->count_count);
    hand_over_threads(build);
    dj_frames_end(&build->frames, trace);
    hand_over_processes(build);
    trace->clock = dj_clock_end(&build->clock);
    int code = hand_over_slices(build, err);
    dj_build_finish(build);
    return code != 0 ? code : dj_trace_error(trace, err);
}

void dj_build_finish(struct dj_build *build)
{
    dj_rows_finish(&build->edges);
    dj_rows_finish(&build->counts);
    dj_summing_finish(&build->summing);
    free(build->former);
    dj_threads_finish(&build->threads);
    dj_states_finish(&build->states);
    dj_frames_finish(&build->frames);
    dj_spans_finish(&build->spans);
    dj_map_finish(&build->process_names);
    *build = (struct dj_build){.trace = build->trace,
                               .summing = {.unfit = build->summing.unfit}};
}
