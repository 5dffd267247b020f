/* What was built is handed over to the trace. */
#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "trace/build.h"

static int by_tid(const void *a, const void *b)
{
    const struct dj_trace_thread *left = a;
    const struct dj_trace_thread *right = b;
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

static void hand_over_counts(struct dj_build *build)
{
    struct dj_trace *trace = build->trace;
    trace->count_count = (size_t)build->counts.total;
    if (trace->memory_bytes == 0) {
        dj_rows_sort(&build->counts);
        trace->counts = dj_rows_take_array(&build->counts, &trace->count_count);
    } else {
        trace->count_rows = build->counts;
        build->counts = (struct dj_rows){0};
    }
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
    hand_over_counts(build);
    hand_over_threads(build);
    dj_frames_end(&build->frames, trace);
    dj_processes_hand_over(&build->processes, trace);
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
    dj_processes_finish(&build->processes);
    *build = (struct dj_build){.trace = build->trace,
                               .summing = {.unfit = build->summing.unfit}};
}
