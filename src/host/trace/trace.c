#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/compare.h"
#include "trace/summing.h"

void dj_trace_finish(struct dj_trace *trace)
{
    free(trace->slices);
    free(trace->counts);
    free(trace->states);
    free(trace->threads);
    free(trace->processes);
    free(trace->frames);
    dj_rows_finish(&trace->slice_rows);
    dj_rows_finish(&trace->count_rows);
    dj_rows_finish(&trace->state_rows);
    dj_rows_finish(&trace->span_rows);
    dj_fold_finish(&trace->sums);
    free(trace->marks);
    dj_text_finish(&trace->members);
    dj_text_finish(&trace->names);
    dj_names_finish(&trace->kept);
    *trace = (struct dj_trace){0};
}

const struct dj_trace_thread *dj_trace_thread_at(const struct dj_trace *trace,
                                                 uint32_t tid, int64_t at_ns)
{
    const struct dj_trace_thread *threads = trace->threads;
    size_t from = 0, to = trace->thread_count;
    DJ_SEARCH(from, to, at,
              threads[at].tid < tid ||
                  (threads[at].tid == tid && threads[at].from_ns <= at_ns));
    /* The last thread before that time. If stamps are inconsistent, the first thread of
     * this id. */
    return from > 0 && threads[from - 1].tid == tid                 ? &threads[from - 1]
           : from < trace->thread_count && threads[from].tid == tid ? &threads[from]
                                                                    : NULL;
}

const char *dj_trace_thread_name_at(const struct dj_trace *trace, uint32_t tid,
                                    int64_t at_ns)
{
    const struct dj_trace_thread *thread = dj_trace_thread_at(trace, tid, at_ns);
    return thread != NULL ? thread->name : "";
}

const char *dj_trace_thread_name(const struct dj_trace *trace, uint32_t tid)
{
    return dj_trace_thread_name_at(trace, tid, INT64_MAX);
}

static const void *next_of(struct dj_rows *rows, struct dj_trace_place *place,
                           const void *array, size_t count, size_t bytes)
{
    if (array != NULL) {
        return place->at < count ? (const char *)array + bytes * place->at++ : NULL;
    }
    if (!place->begun) {
        (place->any_order ? dj_rows_begin : dj_rows_sort)(rows);
        place->begun = true;
    }
    return rows->row_bytes > 0 ? dj_rows_next(rows) : NULL;
}

const struct dj_trace_slice *dj_trace_next_slice(struct dj_trace *trace,
                                                 struct dj_trace_place *place)
{
    return next_of(&trace->slice_rows, place, trace->slices, trace->slice_count,
                   sizeof(*trace->slices));
}

const struct dj_trace_count *dj_trace_next_count(struct dj_trace *trace,
                                                 struct dj_trace_place *place)
{
    return next_of(&trace->count_rows, place, trace->counts, trace->count_count,
                   sizeof(*trace->counts));
}

const struct dj_trace_state *dj_trace_next_state(struct dj_trace *trace,
                                                 struct dj_trace_place *place)
{
    return next_of(&trace->state_rows, place, trace->states, trace->state_count,
                   sizeof(*trace->states));
}

const struct dj_trace_span *dj_trace_next_span(struct dj_trace *trace,
                                               struct dj_trace_place *place)
{
    return next_of(&trace->span_rows, place, NULL, 0, sizeof(struct dj_trace_span));
}

int dj_trace_error(const struct dj_trace *trace, struct dj_error *err)
{
    const struct dj_rows *const rows[] = {&trace->slice_rows, &trace->count_rows,
                                          &trace->state_rows, &trace->span_rows};
    int code = 0;
    for (size_t i = 0; i < COUNT_OF(rows) && code == 0; i++) {
        code = dj_rows_error(rows[i], err);
    }
    return code;
}

const char *dj_trace_process_name(const struct dj_trace *trace, int32_t pid)
{
    size_t from = 0, to = trace->process_count;
    DJ_SEARCH(from, to, at, trace->processes[at].pid < pid);
    bool found = from < trace->process_count && trace->processes[from].pid == pid;
    return found ? trace->processes[from].name : "";
}

const char *dj_thread_state_name(enum dj_thread_state state)
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

/* ---- sums of slices ---- */

static int by_name(const void *a, const void *b)
{
    const struct dj_trace_sum *left = a, *right = b;
    int order = left->async - right->async;
    return order != 0 || left->name == right->name ? order
                                                   : strcmp(left->name, right->name);
}

static int by_weight(const void *a, const void *b)
{
    const struct dj_trace_sum *left = a, *right = b;
    int order = left->async - right->async;
    order = order != 0 ? order : DJ_COMPARE(right->self_ns, left->self_ns);
    order = order != 0 ? order : DJ_COMPARE(right->total_ns, left->total_ns);
    return order != 0 ? order : strcmp(left->name, right->name);
}

static void add_sum(void *sum, const void *more_of_it)
{
    struct dj_trace_sum *to = sum;
    const struct dj_trace_sum *more = more_of_it;
    to->count += more->count;
    to->open += more->open;
    to->total_ns = dj_add_saturated(to->total_ns, more->total_ns);
    to->self_ns = dj_add_saturated(to->self_ns, more->self_ns);
    to->longest_ns =
        more->longest_ns > to->longest_ns ? more->longest_ns : to->longest_ns;
}

struct dj_fold dj_sums_fold(size_t memory_bytes)
{
    return (struct dj_fold){.row_bytes = sizeof(struct dj_trace_sum),
                            .order = by_name,
                            .add = add_sum,
                            .memory_bytes = memory_bytes};
}

static void sum_up_slices(struct dj_trace *trace, struct dj_fold *fold)
{
    struct dj_trace_place place = {.any_order = true};
    const struct dj_trace_slice *slice;
    while ((slice = dj_trace_next_slice(trace, &place)) != NULL) {
        int64_t length_ns =
            slice->open ? 0 : dj_subtract_saturated(slice->end_ns, slice->start_ns);
        dj_fold_put(fold, &(struct dj_trace_sum){.name = slice->name,
                                                 .async = slice->async,
                                                 .count = 1,
                                                 .open = slice->open,
                                                 .total_ns = length_ns,
                                                 .self_ns = slice->self_ns,
                                                 .longest_ns = length_ns});
    }
}

int dj_trace_sum_up(struct dj_trace *trace, struct dj_rows *sums, struct dj_error *err)
{
    struct dj_fold fold = trace->sums;
    *sums = (struct dj_rows){.row_bytes = sizeof(struct dj_trace_sum),
                             .order = by_weight,
                             .memory_bytes = trace->memory_bytes};
    trace->sums = (struct dj_fold){0};
    if (fold.order == NULL) {
        fold = dj_sums_fold(trace->memory_bytes);
        sum_up_slices(trace, &fold);
    }
    int code = dj_fold_end(&fold, sums, err);
    dj_fold_finish(&fold);
    return code != 0 ? code : dj_trace_error(trace, err);
}
