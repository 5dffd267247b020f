#include "trace/trace.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/compare.h"

void dj_trace_finish(struct dj_trace *trace)
{
    free(trace->slices);
    free(trace->counts);
    free(trace->states);
    free(trace->threads);
    free(trace->processes);
    free(trace->frames);
    free(trace->samples);
    dj_trace_rows_finish(&trace->sample_rows);
    dj_calls_tree_finish(&trace->calls);
    dj_trace_rows_finish(&trace->slice_rows);
    dj_trace_rows_finish(&trace->count_rows);
    dj_trace_rows_finish(&trace->state_rows);
    dj_trace_rows_finish(&trace->span_rows);
    dj_trace_fold_finish(&trace->sums);
    free(trace->marks);
    dj_text_finish(&trace->notes);
    dj_text_finish(&trace->members);
    dj_text_finish(&trace->names);
    dj_trace_names_finish(&trace->name_store);
    *trace = (struct dj_trace){0};
}

void dj_trace_assume_monotonic(struct dj_trace *trace)
{
    trace->clock.known |= !trace->clock.ticks;
}

const struct dj_trace_thread *dj_trace_find_thread_at(const struct dj_trace *trace,
                                                      uint32_t tid, int64_t at_ns)
{
    const struct dj_trace_thread *threads = trace->threads;
    size_t from = 0, to = trace->thread_count;
    DJ_SEARCH(from, to, at,
              threads[at].tid < tid ||
                  (threads[at].tid == tid && threads[at].from_ns <= at_ns));
    /* The last thread with this id that started not later than at_ns. If there is none,
     * the first thread with this id. */
    return from > 0 && threads[from - 1].tid == tid                 ? &threads[from - 1]
           : from < trace->thread_count && threads[from].tid == tid ? &threads[from]
                                                                    : NULL;
}

const char *dj_trace_get_thread_name_at(const struct dj_trace *trace, uint32_t tid,
                                        int64_t at_ns)
{
    const struct dj_trace_thread *thread = dj_trace_find_thread_at(trace, tid, at_ns);
    return thread != NULL ? thread->name : "";
}

const char *dj_trace_get_thread_name(const struct dj_trace *trace, uint32_t tid)
{
    return dj_trace_get_thread_name_at(trace, tid, INT64_MAX);
}

static const void *read_next(struct dj_trace_rows *rows,
                             struct dj_trace_position *position, const void *array,
                             size_t count, size_t bytes)
{
    if (array != NULL) {
        return position->at < count ? (const char *)array + bytes * position->at++ : NULL;
    }
    if (!position->begun) {
        (position->any_order ? dj_trace_rows_rewind : dj_trace_rows_sort)(rows);
        position->begun = true;
    }
    return rows->row_bytes > 0 ? dj_trace_rows_next(rows) : NULL;
}

const struct dj_trace_slice *dj_trace_next_slice(struct dj_trace *trace,
                                                 struct dj_trace_position *position)
{
    return read_next(&trace->slice_rows, position, trace->slices, trace->slice_count,
                     sizeof(*trace->slices));
}

const struct dj_trace_count *dj_trace_next_count(struct dj_trace *trace,
                                                 struct dj_trace_position *position)
{
    return read_next(&trace->count_rows, position, trace->counts, trace->count_count,
                     sizeof(*trace->counts));
}

const struct dj_trace_state *dj_trace_next_state(struct dj_trace *trace,
                                                 struct dj_trace_position *position)
{
    return read_next(&trace->state_rows, position, trace->states, trace->state_count,
                     sizeof(*trace->states));
}

const struct dj_trace_sample *dj_trace_next_sample(struct dj_trace *trace,
                                                   struct dj_trace_position *position)
{
    return read_next(&trace->sample_rows, position, trace->samples, trace->sample_count,
                     sizeof(*trace->samples));
}

const struct dj_trace_span *dj_trace_next_span(struct dj_trace *trace,
                                               struct dj_trace_position *position)
{
    return read_next(&trace->span_rows, position, NULL, 0, sizeof(struct dj_trace_span));
}

int dj_trace_get_error(const struct dj_trace *trace, struct dj_error *err)
{
    const struct dj_trace_rows *const rows[] = {&trace->slice_rows, &trace->count_rows,
                                                &trace->state_rows, &trace->span_rows,
                                                &trace->sample_rows};
    int code = 0;
    for (size_t i = 0; i < COUNT_OF(rows) && code == 0; i++) {
        code = dj_trace_rows_get_error(rows[i], err);
    }
    return code;
}

const char *dj_trace_get_process_name(const struct dj_trace *trace, int32_t pid)
{
    size_t from = 0, to = trace->process_count;
    DJ_SEARCH(from, to, at, trace->processes[at].pid < pid);
    bool found = from < trace->process_count && trace->processes[from].pid == pid;
    return found ? trace->processes[from].name : "";
}

const char *dj_trace_get_thread_state_name(enum dj_thread_state state)
{
    static const char *const names[DJ_THREAD_STATES] = {
        [DJ_THREAD_UNKNOWN] = "unknown",
        [DJ_THREAD_RUNNING] = "running",
        [DJ_THREAD_RUNNABLE] = "runnable",
        [DJ_THREAD_PREEMPTED] = "preempted",
        [DJ_THREAD_SLEEPING] = "sleeping",
        [DJ_THREAD_BLOCKED] = "blocked",
        [DJ_THREAD_BLOCKED_IO] = "blocked-io",
        [DJ_THREAD_STOPPED] = "stopped",
        [DJ_THREAD_DEAD] = "dead",
    };
    return names[state];
}
