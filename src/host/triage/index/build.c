#include "triage/index/index.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/event.h"
#include "triage/index/binder.h"
#include "triage/index/cpu_speeds.h"
#include "triage/index/group.h"
#include "triage/index/interrupts.h"

enum { MOST_CPUS = 1 << 16 };

/* Returns true if the name starts like the name of a kernel thread. */
static bool is_kernel_name(const char *name)
{
    static const char *const begins[] = {
        "kworker/", "ksoftirqd/", "jbd2/",    "migration/", "rcu_",       "rcuo",
        "rcub/",    "kswapd",     "irq/",     "kthreadd",   "kcompactd",  "khugepaged",
        "kblockd",  "cpuhp/",     "watchdog", "kauditd",    "oom_reaper", "writeback",
        "scsi_eh_", "loop",       "xfs-",     "xfsaild/",   "btrfs-",     "f2fs_",
        "dmcrypt",  "md",         "nvme",     "mmcqd/",     "mmc-cmdqd",  "kdevtmpfs"};
    for (size_t i = 0; i < COUNT_OF(begins); i++) {
        if (strncmp(name, begins[i], strlen(begins[i])) == 0) {
            return true;
        }
    }
    return false;
}

static ptrdiff_t get_state_key(const struct dj_triage_index *index, size_t item)
{
    return dj_triage_find_thread_place(index, index->trace->states[item].tid);
}

static ptrdiff_t get_run_key(const struct dj_triage_index *index, size_t item)
{
    const struct dj_trace_state *state = &index->trace->states[item];
    return state->state == DJ_THREAD_RUNNING && state->cpu >= 0 && state->cpu < MOST_CPUS
               ? state->cpu
               : -1;
}

static ptrdiff_t get_mark_key(const struct dj_triage_index *index, size_t item)
{
    const struct dj_trace_mark *mark = &index->trace->marks[item];
    bool interrupt = mark->kind == DJ_EVENT_IRQ_BEGIN || mark->kind == DJ_EVENT_IRQ_END ||
                     mark->kind == DJ_EVENT_SOFTIRQ_BEGIN ||
                     mark->kind == DJ_EVENT_SOFTIRQ_END ||
                     mark->kind == DJ_EVENT_IPI_BEGIN || mark->kind == DJ_EVENT_IPI_END;
    return interrupt && mark->cpu >= 0 && mark->cpu < MOST_CPUS ? mark->cpu : -1;
}

static ptrdiff_t get_timer_key(const struct dj_triage_index *index, size_t item)
{
    const struct dj_trace_mark *mark = &index->trace->marks[item];
    return mark->kind == DJ_EVENT_TIMER_START
               ? dj_triage_find_known_thread_place(index, mark->tid)
               : -1;
}

static ptrdiff_t get_fence_key(const struct dj_triage_index *index, size_t item)
{
    const struct dj_trace_mark *mark = &index->trace->marks[item];
    bool wait =
        mark->kind == DJ_EVENT_FENCE_WAIT_BEGIN || mark->kind == DJ_EVENT_FENCE_WAIT_END;
    return wait ? dj_triage_find_known_thread_place(index, mark->tid) : -1;
}

static ptrdiff_t get_slice_key(const struct dj_triage_index *index, size_t item)
{
    const struct dj_trace_slice *slice = &index->trace->slices[item];
    return slice->async || slice->open ? -1
                                       : dj_triage_find_thread_place(index, slice->tid);
}

static void group_by_thread(struct dj_triage_index *index)
{
    const struct dj_trace *trace = index->trace;
    index->states = dj_triage_group_by_thread(index, trace->state_count, get_state_key,
                                              offsetof(struct dj_triage_thread, states));
    index->timers = dj_triage_group_by_thread(index, trace->mark_count, get_timer_key,
                                              offsetof(struct dj_triage_thread, timers));
    index->fences = dj_triage_group_by_thread(index, trace->mark_count, get_fence_key,
                                              offsetof(struct dj_triage_thread, fences));
}

/* Returns the larger one of `count` and `cpu` + 1. */
static size_t count_cpus(size_t count, ptrdiff_t cpu)
{
    return cpu >= (ptrdiff_t)count ? (size_t)cpu + 1 : count;
}

static void group_by_cpu(struct dj_triage_index *index)
{
    const struct dj_trace *trace = index->trace;
    for (size_t i = 0; i < trace->state_count; i++) {
        index->cpu_count = count_cpus(index->cpu_count, get_run_key(index, i));
    }
    for (size_t i = 0; i < trace->mark_count; i++) {
        index->cpu_count = count_cpus(index->cpu_count, get_mark_key(index, i));
    }
    index->cpus = dj_xcalloc(index->cpu_count, sizeof(*index->cpus));
    index->runs = dj_triage_group_by_cpu(index, trace->state_count, get_run_key,
                                         offsetof(struct dj_triage_cpu, runs));
    index->marks = dj_triage_group_by_cpu(index, trace->mark_count, get_mark_key,
                                          offsetof(struct dj_triage_cpu, marks));
}

struct sweep {
    struct dj_triage_index *index;
    int32_t *stack;
    size_t depth, count;
};

static void append_inner(struct sweep *sweep, int64_t start_ns, size_t first)
{
    struct dj_triage_inner *inner = sweep->index->inner;
    int32_t slice = sweep->depth > 0 ? sweep->stack[sweep->depth - 1] : DJ_NO_SLICE;
    if (sweep->count > first && inner[sweep->count - 1].start_ns == start_ns) {
        sweep->count--;
    }
    inner[sweep->count++] = (struct dj_triage_inner){start_ns, slice};
}

static void end_slices(struct sweep *sweep, int64_t at_ns, size_t first)
{
    const struct dj_trace_slice *slices = sweep->index->trace->slices;
    while (sweep->depth > 0 && slices[sweep->stack[sweep->depth - 1]].end_ns <= at_ns) {
        int64_t end_ns = slices[sweep->stack[--sweep->depth]].end_ns;
        append_inner(sweep, end_ns, first);
    }
}

/* Computes the parents of the thread's slices, and for each time the innermost slice.
 * Before the call, thread->inner is the range of the thread's slices in `order`. After
 * the call, it is the thread's range in index->inner. */
static void sweep_thread(struct sweep *sweep, struct dj_triage_thread *thread,
                         const uint32_t *order)
{
    const struct dj_trace_slice *slices = sweep->index->trace->slices;
    struct dj_triage_range range = thread->inner;
    size_t first = sweep->count;
    sweep->depth = 0;
    for (size_t i = range.from; i < range.to; i++) {
        int64_t start_ns = slices[order[i]].start_ns;
        end_slices(sweep, start_ns, first);
        sweep->index->parents[order[i]] =
            sweep->depth > 0 ? sweep->stack[sweep->depth - 1] : DJ_NO_SLICE;
        sweep->stack[sweep->depth++] = (int32_t)order[i];
        append_inner(sweep, start_ns, first);
    }
    end_slices(sweep, INT64_MAX, first);
    thread->inner = (struct dj_triage_range){first, sweep->count};
}

static void flatten_slices(struct dj_triage_index *index)
{
    size_t count = index->trace->slice_count;
    uint32_t *order = dj_triage_group_by_thread(index, count, get_slice_key,
                                                offsetof(struct dj_triage_thread, inner));
    struct sweep sweep = {.index = index,
                          .stack = dj_xresize(NULL, count, sizeof(*sweep.stack))};
    index->parents = dj_xresize(NULL, count, sizeof(*index->parents));
    index->inner = dj_xresize(NULL, 2 * count, sizeof(*index->inner));
    for (size_t i = 0; i < count; i++) {
        index->parents[i] = DJ_NO_SLICE;
    }
    for (size_t i = 0; i < index->thread_count; i++) {
        sweep_thread(&sweep, &index->threads[i], order);
    }
    free(sweep.stack);
    free(order);
}

static void find_contents(struct dj_triage_index *index)
{
    const struct dj_trace *trace = index->trace;
    index->has_states = trace->state_count > 0;
    index->has_slices = trace->slice_count > 0;
    for (size_t i = 0; i < trace->state_count && !index->has_wakers; i++) {
        index->has_wakers = trace->states[i].waker >= 0;
    }
    for (size_t i = 0; i < trace->mark_count; i++) {
        index->has_interrupts |= trace->marks[i].kind == DJ_EVENT_IRQ_BEGIN ||
                                 trace->marks[i].kind == DJ_EVENT_SOFTIRQ_BEGIN;
        index->has_timers |= trace->marks[i].kind == DJ_EVENT_TIMER_START;
    }
}

/* Sets index->pid to the process with the most slices. It is assumed to be the traced
 * app. */
static void find_app(struct dj_triage_index *index)
{
    size_t most = 0;
    index->pid = -1;
    for (size_t i = 0; i < index->thread_count; i++) {
        const struct dj_triage_thread *thread = &index->threads[i];
        size_t count = thread->inner.to - thread->inner.from;
        if (thread->pid > 0 && count > most) {
            most = count;
            index->pid = thread->pid;
        }
    }
}

/* Sets has_others to true if the trace contains threads of all programs. This is so if it
 * contains events of kernel threads, or wake-ups and a second process. */
static void find_other_programs(struct dj_triage_index *index)
{
    for (size_t i = 0; i < index->thread_count; i++) {
        const struct dj_triage_thread *thread = &index->threads[i];
        bool is_other = index->has_wakers && index->pid > 0 && thread->pid != index->pid;
        index->has_others |=
            (thread->kernel || is_other) && thread->states.to > thread->states.from;
    }
}

/* Adds the threads of the trace. If two threads had the same id one after the other, they
 * become one thread of the index. */
static void add_threads(struct dj_triage_index *index)
{
    const struct dj_trace *trace = index->trace;
    for (size_t i = 0; i < trace->thread_count; i++) {
        const struct dj_trace_thread *known = &trace->threads[i];
        struct dj_triage_thread *last =
            index->thread_count > 0 ? &index->threads[index->thread_count - 1] : NULL;
        if (last == NULL || last->tid != known->tid) {
            last = &index->threads[index->thread_count++];
            *last = (struct dj_triage_thread){.tid = known->tid, .pid = -1};
        }
        last->pid = known->pid > 0 ? known->pid : last->pid;
        last->kernel = is_kernel_name(known->name);
    }
}

enum { MADE_AS_THREAD = 0x10000 };

static struct dj_triage_thread *find_thread(struct dj_triage_index *index, int32_t tid)
{
    ptrdiff_t place = dj_triage_find_known_thread_place(index, tid);
    return place < 0 ? NULL : &index->threads[place];
}

/* Finds the processes of threads from the events that report new threads. Some traces do
 * not contain processes otherwise. */
static void find_processes(struct dj_triage_index *index)
{
    const struct dj_trace *trace = index->trace;
    for (size_t i = 0; i < trace->mark_count; i++) {
        const struct dj_trace_mark *mark = &trace->marks[i];
        if (mark->kind != DJ_EVENT_NEW_TASK || mark->value == 0) {
            continue;
        }
        struct dj_triage_thread *maker = find_thread(index, mark->tid);
        struct dj_triage_thread *made = find_thread(index, mark->other);
        bool thread = (mark->value & MADE_AS_THREAD) != 0;
        if (made != NULL && made->pid <= 0 && (!thread || maker != NULL)) {
            if (thread && maker->pid <= 0) {
                maker->pid = (int32_t)maker->tid;
            }
            made->pid = thread ? maker->pid : (int32_t)made->tid;
        }
    }
}

void dj_triage_index_build(struct dj_triage_index *index, const struct dj_trace *trace)
{
    *index = (struct dj_triage_index){.trace = trace};
    index->threads = dj_xcalloc(trace->thread_count, sizeof(*index->threads));
    add_threads(index);
    find_processes(index);
    group_by_thread(index);
    group_by_cpu(index);
    dj_triage_find_speeds(index);
    dj_triage_find_calls(index);
    flatten_slices(index);
    find_contents(index);
    find_app(index);
    find_other_programs(index);
    dj_triage_find_timer_offset(index);
}

void dj_triage_index_finish(struct dj_triage_index *index)
{
    free(index->threads);
    free(index->states);
    free(index->inner);
    free(index->parents);
    free(index->cpus);
    free(index->runs);
    free(index->marks);
    free(index->speeds);
    free(index->timers);
    free(index->fences);
    free(index->calls);
    free(index->calls_by_client);
    free(index->calls_by_server);
    *index = (struct dj_triage_index){0};
}
