/* An index of a trace. It quickly finds what a thread did at a time, in which slice the
 * thread was, which thread ran on a CPU, and which interrupt a CPU served. */
#ifndef DEJANK_TRIAGE_INDEX_INDEX_H
#define DEJANK_TRIAGE_INDEX_INDEX_H

#include "trace/trace.h"

enum { DJ_NO_SLICE = -1 };

/* The innermost slice of a thread. It is valid from start_ns to the start_ns of the
 * thread's next element. */
struct dj_triage_inner {
    int64_t start_ns;
    int32_t slice; /* Index of the slice in trace->slices, or DJ_NO_SLICE. */
};

/* A range of elements in an array of the index, from index `from` to index `to` − 1. */
struct dj_triage_range {
    size_t from, to;
};

/* The frequency and the frequency limit of a CPU from at_ns on. A number is 0 if it is
 * unknown. */
struct dj_triage_speed {
    int64_t at_ns, khz, limit_khz;
    int64_t full_khz; /* Highest frequency that the CPU has in the trace. */
};

/* A call: a synchronous binder transaction, from the request to the reply. */
struct dj_triage_call {
    int64_t request_ns, receipt_ns, reply_ns;
    /* Ids of the calling thread and of the thread that served the call. */
    uint32_t client, server;
    /* Index in index->calls of the call in which this call is nested: `outer` among the
     * client's calls, `outer_served` among the calls that the server served. −1 if there
     * is none. */
    int32_t outer, outer_served;
};

struct dj_triage_thread {
    uint32_t tid;
    int32_t pid; /* Id of the thread's process, or −1 if it is unknown. */
    bool kernel; /* True if the thread has the name of a kernel thread. */
    struct dj_triage_range states, inner, timers, fences;
    struct dj_triage_range calls,
        served; /* Ranges of index->calls_by_client and index->calls_by_server. */
};

struct dj_triage_cpu {
    struct dj_triage_range runs, marks, speeds;
    /* Number of the CPU whose frequency events are used for this CPU. Both CPUs belong to
     * the same cluster. It may be this CPU itself. usual_khz and core_khz are set only in
     * that CPU. */
    uint32_t speeds_of;
    /* Usual frequency of the CPU during frames that were in time, or 0 if it is unknown.
     */
    int64_t usual_khz;
    int64_t core_khz; /* Highest known frequency, or 0 if it is unknown. */
};

struct dj_triage_index {
    const struct dj_trace *trace;
    /* Threads, sorted by tid. Each thread id occurs once. */
    struct dj_triage_thread *threads;
    size_t thread_count;
    uint32_t *states; /* Indexes in trace->states, sorted by thread, then time. */
    struct dj_triage_inner *inner; /* Innermost slices, sorted by thread, then time. */
    /* For each slice, the index of the slice around it, or DJ_NO_SLICE. */
    int32_t *parents;
    /* CPUs. The index of an element is the number of its CPU. */
    struct dj_triage_cpu *cpus;
    size_t cpu_count;
    /* Indexes in trace->states of the states in which threads ran, sorted by CPU, then
     * time. */
    uint32_t *runs;
    /* Indexes in trace->marks of events about interrupts, sorted by CPU, then time. */
    uint32_t *marks;
    struct dj_triage_speed *speeds; /* Frequencies, sorted by CPU, then time. */
    /* Usual frequency and highest frequency of all CPUs together. */
    int64_t usual_of_all_khz, highest_khz;
    struct dj_triage_call *calls; /* Calls, sorted by time. */
    size_t call_count;
    uint32_t
        *calls_by_client; /* Indexes in `calls`, sorted by client, then request time. */
    uint32_t *
        calls_by_server; /* Indexes in `calls`, sorted by server, then time of receipt. */
    /* Indexes in trace->marks of started timers, sorted by thread, then time. */
    uint32_t *timers;
    /* Indexes in trace->marks of begins and ends of fence waits, sorted by thread, then
     * time. */
    uint32_t *fences;
    /* Additional offset from the timers' clock to the trace's clock. trace->clock
     * contains the offset that the trace itself states. */
    int64_t timer_offset_ns;
    /* True if the trace states the offset, or if the offset could be estimated from
     * sleeps. */
    bool timer_offset_known;
    /* True if different sleeps have different offsets, so no offset can be estimated. */
    bool timer_offsets_differ;
    /* Id of the process with the most slices, or −1 if the trace has no slices. */
    int32_t pid;
    /* What the trace contains. has_wakers means wake-ups. has_others means threads of
     * other programs. */
    bool has_states, has_wakers, has_interrupts, has_slices, has_others, has_timers;
    bool has_speeds, has_binder;
};

/* Builds the index. `trace` must outlive the index. */
void dj_triage_index_build(struct dj_triage_index *index, const struct dj_trace *trace);
void dj_triage_index_finish(struct dj_triage_index *index);

/* Returns the thread with this id, or NULL if the trace does not contain it. */
const struct dj_triage_thread *dj_triage_find_thread(const struct dj_triage_index *index,
                                                     uint32_t tid);

/* Returns the state that index->states[at] refers to. */
static inline const struct dj_trace_state *
dj_triage_get_state(const struct dj_triage_index *index, size_t at)
{
    return &index->trace->states[index->states[at]];
}

/* Returns the state of the thread that follows the state `at`, or NULL after the last
 * one. */
static inline const struct dj_trace_state *
dj_triage_get_next_state(const struct dj_triage_index *index,
                         const struct dj_triage_thread *thread, size_t at)
{
    return at + 1 < thread->states.to ? dj_triage_get_state(index, at + 1) : NULL;
}

/* Returns the index in index->states of the thread's state at `at_ns`. If the thread has
 * no state at this time, returns the index of its next state, or thread->states.to if
 * there is none. */
size_t dj_triage_find_state(const struct dj_triage_index *index,
                            const struct dj_triage_thread *thread, int64_t at_ns);

/* Returns the thread's innermost slice at `at_ns`, or DJ_NO_SLICE. If `until_ns` is not
 * NULL, sets *until_ns to the time at which the thread's innermost slice changes. */
int32_t dj_triage_find_slice(const struct dj_triage_index *index,
                             const struct dj_triage_thread *thread, int64_t at_ns,
                             int64_t *until_ns);

/* Returns the CPU with this number, or NULL if the trace does not contain it. */
static inline const struct dj_triage_cpu *
dj_triage_find_cpu(const struct dj_triage_index *index, int32_t cpu)
{
    return cpu >= 0 && (size_t)cpu < index->cpu_count ? &index->cpus[cpu] : NULL;
}

/* Returns the index in index->runs of the CPU's first running state that ends after
 * `at_ns`. */
size_t dj_triage_find_run(const struct dj_triage_index *index,
                          const struct dj_triage_cpu *cpu, int64_t at_ns);

/* Returns the index of the first slice that begins at at_ns or later. */
size_t dj_triage_find_first_slice(const struct dj_trace *trace, int64_t at_ns);

/* Returns the index in `places` of the first event that is later than `at_ns`. Searches
 * only the range `of`, and returns of.to if it contains no such event. `places` is
 * index->marks, index->timers or index->fences. */
size_t dj_triage_find_mark_after(const struct dj_triage_index *index,
                                 const uint32_t *places, struct dj_triage_range of,
                                 int64_t at_ns);

/* Returns true if both threads belong to the same process. If the process of a thread is
 * unknown, returns true if their ids are near each other. */
bool dj_triage_is_same_process(const struct dj_triage_index *index, uint32_t a,
                               uint32_t b);

/* Returns the number of threads that ran and whose process is unknown, but whose ids are
 * near the id of the app. */
size_t dj_triage_count_guessed_threads(const struct dj_triage_index *index);

#endif
