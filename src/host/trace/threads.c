#include "trace/threads.h"

#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"

struct dj_thread *dj_threads_add(struct dj_threads *threads, uint32_t tid)
{
    struct dj_thread *made = dj_xcalloc(1, sizeof(*made));
    dj_xcheck(dj_map_add(&threads->by_tid, tid, (uintptr_t)made));
    *made = (struct dj_thread){
        .known = {.tid = tid, .pid = DJ_PID_UNKNOWN, .from_ns = INT64_MIN},
        .now = {.tid = tid, .cpu = -1, .waker = -1, .waker_cpu = -1},
    };
    return made;
}

const struct dj_thread *dj_threads_find(const struct dj_threads *threads, uint32_t tid)
{
    size_t found = dj_map_get(&threads->by_tid, tid);
    return found != DJ_MAP_NONE ? (const struct dj_thread *)found : NULL;
}

struct dj_thread *dj_threads_next(const struct dj_threads *threads, size_t *at)
{
    while (*at < threads->by_tid.capacity) {
        size_t found = threads->by_tid.slots[(*at)++].value;
        if (found != DJ_MAP_NONE) {
            return (struct dj_thread *)found;
        }
    }
    return NULL;
}

void dj_threads_finish(struct dj_threads *threads)
{
    struct dj_thread *thread;
    for (size_t at = 0; (thread = dj_threads_next(threads, &at)) != NULL;) {
        free(thread);
    }
    dj_map_finish(&threads->by_tid);
}

/* ---- the full names of processes ---- */

struct dj_process_name {
    uint64_t order;
    const char *name;
    int32_t pid;
};

void dj_processes_finish(struct dj_processes *processes)
{
    free(processes->names);
    *processes = (struct dj_processes){0};
}

static int by_pid(const void *a, const void *b)
{
    const struct dj_process_name *left = a, *right = b;
    int order = DJ_COMPARE(left->pid, right->pid);
    return order != 0 ? order : DJ_COMPARE(left->order, right->order);
}

/* Sorts them, and keeps of each process its last name. */
static void tidy(struct dj_processes *processes)
{
    struct dj_process_name *names = processes->names;
    size_t kept = 0;
    if (processes->count > 0) {
        qsort(names, processes->count, sizeof(*names), by_pid);
    }
    for (size_t i = 0; i < processes->count; i++) {
        kept += kept > 0 && names[kept - 1].pid == names[i].pid ? 0 : 1;
        names[kept - 1] = names[i];
    }
    processes->count = kept;
}

/* The same processes may be told of again and again: room is made for others only. */
static void make_room(struct dj_processes *processes)
{
    tidy(processes);
    if (2 * processes->count >= processes->capacity) {
        DJ_XRESERVE(processes->names, processes->capacity, processes->capacity + 1);
    }
}

void dj_processes_name(struct dj_processes *processes, int32_t pid, const char *name)
{
    if (processes->count == processes->capacity) {
        make_room(processes);
    }
    processes->names[processes->count++] =
        (struct dj_process_name){processes->told++, name, pid};
}

void dj_processes_hand_over(struct dj_processes *processes, struct dj_trace *trace)
{
    tidy(processes);
    trace->processes = dj_xcalloc(processes->count, sizeof(*trace->processes));
    for (size_t i = 0; i < processes->count; i++) {
        trace->processes[i] =
            (struct dj_trace_process){processes->names[i].pid, processes->names[i].name};
    }
    trace->process_count = processes->count;
}
