/* An index of a trace for triage: what a thread did and in which section it was at a
 * time, which thread ran on a CPU, which interrupt was served. */
#ifndef DEJANK_TRIAGE_INDEX_INDEX_H
#define DEJANK_TRIAGE_INDEX_INDEX_H

#include "trace/trace.h"

enum { DJ_NO_SLICE = -1 };

/* A thread's innermost slice from start_ns until the start_ns of the next one. */
struct dj_triage_inner {
    int64_t start_ns;
    int32_t slice; /* place in trace->slices, or DJ_NO_SLICE */
};

/* A part of one of the arrays of the index. */
struct dj_triage_range {
    size_t from, to;
};

/* A CPU's frequency and frequency limit from at_ns on; 0: unknown. */
struct dj_triage_speed {
    int64_t at_ns, khz, limit_khz;
    int64_t full_khz; /* the highest frequency of that CPU in the whole trace */
};

/* A synchronous binder transaction, from request to reply. */
struct dj_triage_call {
    int64_t asked_ns, taken_ns, answered_ns;
    uint32_t client, server;     /* thread ids */
    int32_t outer, outer_served; /* the calls around it: places in index->calls; −1:
                                  * none */
};

struct dj_triage_thread {
    uint32_t tid;
    int32_t pid; /* of its process; −1: unknown */
    bool kernel; /* its name is that of a kernel thread */
    struct dj_triage_range states, inner, timers, fences;
    struct dj_triage_range calls, served; /* parts of index->asked and index->served */
};

struct dj_triage_cpu {
    struct dj_triage_range runs, marks, speeds;
    uint32_t speeds_of; /* the CPU that has the frequency events of this one: itself, or
                         * one of the same cluster. The next two members are those of that
                         * CPU: */
    int64_t usual_khz;  /* usual frequency in frames that were in time; 0: unknown */
    int64_t core_khz;   /* its highest known frequency; 0: unknown */
};

struct dj_triage_index {
    const struct dj_trace *trace;
    struct dj_triage_thread *threads; /* sorted by tid, each once */
    size_t thread_count;
    uint32_t *states;              /* places in trace->states, by thread, then time */
    struct dj_triage_inner *inner; /* by thread, then time */
    int32_t *parents;              /* the slice around each slice, or DJ_NO_SLICE */
    struct dj_triage_cpu *cpus;    /* by number */
    size_t cpu_count;
    uint32_t *runs;  /* places of running states in trace->states, by CPU, then time */
    uint32_t *marks; /* places of interrupts in trace->marks, by CPU, then time */
    struct dj_triage_speed *speeds;        /* by CPU, then time */
    int64_t usual_of_all_khz, highest_khz; /* over all CPUs */
    struct dj_triage_call *calls;          /* sorted by time */
    size_t call_count;
    uint32_t *asked;         /* places in calls, by client, then request time */
    uint32_t *served;        /* places in calls, by server, then time of receipt */
    uint32_t *timers;        /* places of started timers in trace->marks, by thread, then
                              * time */
    uint32_t *fences;        /* places of begins and ends of fence waits in trace->marks,
                              * likewise */
    int64_t timer_offset_ns; /* to add to the times at which timers are due */
    bool timer_offset_known; /* timer_offset_ns is known, by the trace or by most of its
                              * sleeps */
    bool timer_offsets_differ; /* the sleeps show that there is no such offset */
    int32_t pid; /* of the process with most slices; −1: the trace has no slices */
    /* What the trace contains. */
    bool has_states, has_wakers, has_interrupts, has_slices, has_others, has_timers;
    bool has_speeds, has_binder;
};

/* `trace` must outlive the index. */
void dj_triage_index_build(struct dj_triage_index *index, const struct dj_trace *trace);
void dj_triage_index_finish(struct dj_triage_index *index);

/* Returns NULL if the trace does not contain the thread. */
const struct dj_triage_thread *dj_triage_find_thread(const struct dj_triage_index *index,
                                                     uint32_t tid);

/* Returns the state at a place in index->states. */
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

/* Returns the place in index->states of the thread's state at that time, or of the first
 * later one. thread->states.to: there is none. */
size_t dj_triage_find_state(const struct dj_triage_index *index,
                            const struct dj_triage_thread *thread, int64_t at_ns);

/* Returns the thread's innermost slice at that time. *until_ns (may be NULL) is when that
 * changes. */
int32_t dj_triage_find_slice(const struct dj_triage_index *index,
                             const struct dj_triage_thread *thread, int64_t at_ns,
                             int64_t *until_ns);

/* Returns NULL if the trace does not contain the CPU. */
static inline const struct dj_triage_cpu *
dj_triage_find_cpu(const struct dj_triage_index *index, int32_t cpu)
{
    return cpu >= 0 && (size_t)cpu < index->cpu_count ? &index->cpus[cpu] : NULL;
}

/* Returns the first of a CPU's runs that ends after that time. */
size_t dj_triage_find_run(const struct dj_triage_index *index,
                          const struct dj_triage_cpu *cpu, int64_t at_ns);

/* Returns the first slice that begins at that time or later. */
size_t dj_triage_find_first_slice(const struct dj_trace *trace, int64_t at_ns);

/* Returns the first of the marks in `of` that is later than that time, or of.to if there
 * is none. `places` is index->marks, timers or fences, sorted by time. */
size_t dj_triage_find_mark_after(const struct dj_triage_index *index,
                                 const uint32_t *places, struct dj_triage_range of,
                                 int64_t at_ns);

/* Whether both threads are known and belong to one process. If a process is unknown,
 * nearby ids decide. */
bool dj_triage_is_same_process(const struct dj_triage_index *index, uint32_t a,
                               uint32_t b);

/* Returns how many threads that ran are attributed to the app only because of their
 * ids. */
size_t dj_triage_count_guessed_threads(const struct dj_triage_index *index);

#endif
