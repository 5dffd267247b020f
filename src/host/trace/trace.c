#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

void dj_trace_finish(struct dj_trace *trace)
{
    free(trace->slices);
    free(trace->counts);
    free(trace->states);
    free(trace->threads);
    free(trace->processes);
    free(trace->frames);
    free(trace->marks);
    dj_text_finish(&trace->names);
    dj_names_finish(&trace->kept);
    *trace = (struct dj_trace){0};
}

static int by_tid(const void *a, const void *b)
{
    const struct dj_trace_thread *left = a;
    const struct dj_trace_thread *right = b;
    return (left->tid > right->tid) - (left->tid < right->tid);
}

const char *dj_trace_thread_name(const struct dj_trace *trace, uint32_t tid)
{
    const struct dj_trace_thread wanted = {.tid = tid};
    const struct dj_trace_thread *found =
        trace->thread_count == 0 ? NULL
                                 : bsearch(&wanted, trace->threads, trace->thread_count,
                                           sizeof(wanted), by_tid);
    return found != NULL ? found->name : "";
}

static int by_pid(const void *a, const void *b)
{
    const struct dj_trace_process *left = a;
    const struct dj_trace_process *right = b;
    return (left->pid > right->pid) - (left->pid < right->pid);
}

const char *dj_trace_process_name(const struct dj_trace *trace, int32_t pid)
{
    const struct dj_trace_process wanted = {.pid = pid};
    const struct dj_trace_process *found =
        trace->process_count == 0 ? NULL
                                  : bsearch(&wanted, trace->processes,
                                            trace->process_count, sizeof(wanted), by_pid);
    return found != NULL ? found->name : "";
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

static int by_name(const void *a, const void *b)
{
    const struct dj_trace_sum *left = a;
    const struct dj_trace_sum *right = b;
    int order = left->async - right->async;
    return order != 0 ? order : strcmp(left->name, right->name);
}

static int by_weight(const void *a, const void *b)
{
    const struct dj_trace_sum *left = a;
    const struct dj_trace_sum *right = b;
    int order = left->async - right->async;
    order = order != 0
                ? order
                : (right->self_ns > left->self_ns) - (right->self_ns < left->self_ns);
    order = order != 0
                ? order
                : (right->total_ns > left->total_ns) - (right->total_ns < left->total_ns);
    return order != 0 ? order : strcmp(left->name, right->name);
}

static struct dj_trace_sum sum_of(const struct dj_trace_slice *slice)
{
    int64_t length_ns = slice->open ? 0 : slice->end_ns - slice->start_ns;
    return (struct dj_trace_sum){.name = slice->name,
                                 .async = slice->async,
                                 .count = 1,
                                 .open = slice->open,
                                 .total_ns = length_ns,
                                 .self_ns = slice->self_ns,
                                 .longest_ns = length_ns};
}

static void add_sum(struct dj_trace_sum *to, const struct dj_trace_sum *more)
{
    to->count += more->count;
    to->open += more->open;
    to->total_ns = dj_add_saturated(to->total_ns, more->total_ns);
    to->self_ns = dj_add_saturated(to->self_ns, more->self_ns);
    to->longest_ns =
        more->longest_ns > to->longest_ns ? more->longest_ns : to->longest_ns;
}

int dj_trace_sum_up(const struct dj_trace *trace, struct dj_trace_sum **sums,
                    size_t *count, struct dj_error *err)
{
    struct dj_trace_sum *all = calloc(trace->slice_count + 1, sizeof(*all));
    size_t kept = 0;
    if (all == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for sums");
    }
    for (size_t i = 0; i < trace->slice_count; i++) {
        all[i] = sum_of(&trace->slices[i]);
    }
    qsort(all, trace->slice_count, sizeof(*all), by_name);
    for (size_t i = 1; i < trace->slice_count; i++) {
        if (by_name(&all[kept], &all[i]) == 0) {
            add_sum(&all[kept], &all[i]);
        } else {
            all[++kept] = all[i];
        }
    }
    *count = trace->slice_count == 0 ? 0 : kept + 1;
    qsort(all, *count, sizeof(*all), by_weight);
    *sums = all;
    return 0;
}
