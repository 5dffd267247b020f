/* An index of a trace for triage. It finds what a thread did at a time and in which slice
 * it was, which thread ran on a CPU, and which interrupt a CPU served. */
#ifndef DEJANK_TRIAGE_INDEX_INDEX_H
#define DEJANK_TRIAGE_INDEX_INDEX_H

#include "trace/trace.h"

enum { DJ_NO_SLICE = -1 };

/* The innermost slice of a thread from start_ns until the start_ns of the thread's next
 * element. */
struct dj_triage_inner {
    int64_t start_ns;
    int32_t slice; /* Index in trace->slices, or DJ_NO_SLICE. */
};

/* A range of elements in one of the arrays of the index. `to` is the first element after
 * the range. */
struct dj_triage_range {
    size_t from, to;
};

/* A CPU's frequency and frequency limit from at_ns on. A member is 0 if it is unknown. */
struct dj_triage_speed {
    int64_t at_ns, khz, limit_khz;
    int64_t full_khz; /* Highest frequency of the CPU in the whole trace. */
};

/* A synchronous binder transaction, from request to reply. */
struct dj_triage_call {
    int64_t request_ns, receipt_ns, reply_ns;
    uint32_t client, server; /* Thread ids. */
    /* Index in index->calls of the call around this one, among the client's calls and
     * among the server's calls. −1 if there is none. */
    int32_t outer, outer_served;
};

struct dj_triage_thread {
    uint32_t tid;
    int32_t pid; /* Id of the thread's process, or −1 if it is unknown. */
    bool kernel; /* True if the name is that of a kernel thread. */
    struct dj_triage_range states, inner, timers, fences;
    struct dj_triage_range calls,
        served; /* Ranges of index->calls_by_client and index->calls_by_server. */
};

struct dj_triage_cpu {
    struct dj_triage_range runs, marks, speeds;
    /* The CPU of the same cluster that has the frequency events for this one. It can be
     * the CPU itself. usual_khz and core_khz are set in that CPU only. */
    uint32_t speeds_of;
    /* Usual frequency in frames that were in time, or 0 if it is unknown. */
    int64_t usual_khz;
    int64_t core_khz; /* Highest known frequency, or 0 if it is unknown. */
};

struct dj_triage_index {
    const struct dj_trace *trace;
    struct dj_triage_thread *threads; /* Sorted by tid. Each thread id occurs once. */
    size_t thread_count;
    uint32_t *states; /* Indexes in trace->states, sorted by thread, then time. */
    struct dj_triage_inner *inner; /* Sorted by thread, then time. */
    int32_t *parents;           /* For each slice, the slice around it, or DJ_NO_SLICE. */
    struct dj_triage_cpu *cpus; /* The element's index is the CPU's number. */
    size_t cpu_count;
    /* Indexes in trace->states of running states, sorted by CPU, then time. */
    uint32_t *runs;
    /* Indexes in trace->marks of interrupts, sorted by CPU, then time. */
    uint32_t *marks;
    struct dj_triage_speed *speeds; /* Sorted by CPU, then time. */
    /* Usual and highest frequency over all CPUs. */
    int64_t usual_of_all_khz, highest_khz;
    struct dj_triage_call *calls; /* Sorted by time. */
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
    /* Offset from the timers' clock to the trace's clock, in addition to the offset that
     * the trace states. */
    int64_t timer_offset_ns;
    /* True if the trace states the offset, or if most sleeps agree on it. */
    bool timer_offset_known;
    bool timer_offsets_differ; /* True if the sleeps show that no single offset exists. */
    /* Id of the process with the most slices, or −1 if the trace has no slices. */
    int32_t pid;
    /* What the trace contains. has_others: threads of other programs. has_wakers:
     * wake-ups. */
    bool has_states, has_wakers, has_interrupts, has_slices, has_others, has_timers;
    bool has_speeds, has_binder;
};

/* `trace` must outlive the index. */
void dj_triage_index_build(struct dj_triage_index *index, const struct dj_trace *trace);
void dj_triage_index_finish(struct dj_triage_index *index);

/* Returns NULL if the trace does not contain the thread. */
const struct dj_triage_thread *dj_triage_find_thread(const struct dj_triage_index *index,
                                                     uint32_t tid);

/* Returns the state at the index `at` in index->states. */
static inline const struct dj_trace_state *
dj_triage_get_state(const struct dj_triage_index *index, size_t at)
{
    return &index->trace->states[index->states[at]];
}

/* Returns the thread's next state, or NULL if there is none. */
static inline const struct dj_trace_state *
dj_triage_get_next_state(const struct dj_triage_index *index,
                         const struct dj_triage_thread *thread, size_t at)
{
    return at + 1 < thread->states.to ? dj_triage_get_state(index, at + 1) : NULL;
}

/* Returns the index in index->states of the thread's state at at_ns, or of its first
 * later state. Returns thread->states.to if there is none. */
size_t dj_triage_find_state(const struct dj_triage_index *index,
                            const struct dj_triage_thread *thread, int64_t at_ns);

/* Returns the thread's innermost slice at at_ns. Sets *until_ns, unless until_ns is NULL,
 * to the time at which the thread's innermost slice changes. */
int32_t dj_triage_find_slice(const struct dj_triage_index *index,
                             const struct dj_triage_thread *thread, int64_t at_ns,
                             int64_t *until_ns);

/* Returns NULL if the trace does not contain the CPU. */
static inline const struct dj_triage_cpu *
dj_triage_find_cpu(const struct dj_triage_index *index, int32_t cpu)
{
    return cpu >= 0 && (size_t)cpu < index->cpu_count ? &index->cpus[cpu] : NULL;
}

/* Returns the index in index->runs of the CPU's first running state that ends after
 * at_ns. */
size_t dj_triage_find_run(const struct dj_triage_index *index,
                          const struct dj_triage_cpu *cpu, int64_t at_ns);

/* Returns the index of the first slice that begins at at_ns or later. */
size_t dj_triage_find_first_slice(const struct dj_trace *trace, int64_t at_ns);

/* Returns the index of the first event in the range `of` that is later than at_ns, or
 * of.to if there is none. `places` is index->marks, timers or fences. */
size_t dj_triage_find_mark_after(const struct dj_triage_index *index,
                                 const uint32_t *places, struct dj_triage_range of,
                                 int64_t at_ns);

/* Returns whether both threads belong to one process. If a process is unknown, nearby
 * thread ids decide. */
bool dj_triage_is_same_process(const struct dj_triage_index *index, uint32_t a,
                               uint32_t b);

/* Returns the number of threads that ran and are attributed to the app only because their
 * ids are near the app's. */
size_t dj_triage_count_guessed_threads(const struct dj_triage_index *index);

#endif
