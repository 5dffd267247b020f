/* A trace as triage asks it: what a thread did and in which section it was at an instant,
 * who ran on a core, which interrupt was served. Of this room only. */
#ifndef DEJANK_TRIAGE_INDEX_H
#define DEJANK_TRIAGE_INDEX_H

#include "trace/trace.h"

enum { DJ_NO_SLICE = -1 };

/* From start_ns to the next one's, a thread's innermost slice. */
struct dj_triage_inner {
    int64_t start_ns;
    int32_t slice; /* in trace->slices, or DJ_NO_SLICE */
};

/* A part of one of the arrays below. */
struct dj_triage_range {
    size_t from, to;
};

/* A core's frequency and its limit from an instant on; 0: not told yet. */
struct dj_triage_speed {
    int64_t at_ns, khz, limit_khz;
    int64_t full_khz; /* the highest that the trace tells of that core at all */
};

/* A synchronous transaction of binder, from the question to the answer. */
struct dj_triage_call {
    int64_t asked_ns, taken_ns, answered_ns;
    uint32_t client, server;     /* threads */
    int32_t outer, outer_served; /* binder.c's own: in index->calls; −1: none */
};

struct dj_triage_thread {
    uint32_t tid;
    int32_t pid; /* of its process; −1 unknown */
    bool kernel; /* a thread of the kernel's own, as far as its name tells */
    struct dj_triage_range states, inner, timers, fences;
    struct dj_triage_range calls, served; /* in index->asked and index->served */
};

struct dj_triage_cpu {
    struct dj_triage_range runs, marks, speeds;
    uint32_t speeds_of; /* the CPU whose speeds tell of it, its own or one that changes
                           with it; of that one: */
    int64_t usual_khz;  /* what frames in time ran at; 0: not known */
    int64_t core_khz;   /* … and the highest that is known of it; 0: none is */
};

struct dj_triage_index {
    const struct dj_trace *trace;
    struct dj_triage_thread *threads; /* by tid, each once */
    size_t thread_count;
    uint32_t *states;              /* of trace->states, by thread, then time */
    struct dj_triage_inner *inner; /* by thread, then time */
    int32_t *parents;              /* of each slice: the one around it, or DJ_NO_SLICE */
    struct dj_triage_cpu *cpus;    /* by number */
    size_t cpu_count;
    uint32_t *runs;  /* of trace->states, those that run: by CPU, then time */
    uint32_t *marks; /* of trace->marks, interrupts: by CPU, then time */
    struct dj_triage_speed *speeds;        /* by CPU, then time */
    int64_t usual_of_all_khz, highest_khz; /* the same over all cores */
    struct dj_triage_call *calls;          /* by time */
    size_t call_count;
    uint32_t *asked;         /* of calls: by client, then when they were asked */
    uint32_t *served;        /* of calls: by server, then when they were taken */
    uint32_t *timers;        /* of trace->marks, those asked for: by thread, then time */
    uint32_t *fences;        /* … those that begin and end waits for fences, likewise */
    int64_t timers_apart_ns; /* to be added to when timers were due */
    bool timers_sure;   /* that is known, by the trace or by most of its sleeps, … */
    bool timers_unsure; /* … or these say that there is no such number */
    int32_t pid;        /* of the process with most slices; −1: there are none */
    /* What the trace can tell at all. */
    bool has_states, has_wakers, has_interrupts, has_slices, has_others, has_timers;
    bool has_speeds, has_binder;
};

/* The trace must outlive it. */
void dj_triage_index_make(struct dj_triage_index *index, const struct dj_trace *trace);
void dj_triage_index_finish(struct dj_triage_index *index);

/* NULL: the trace tells nothing of it. */
const struct dj_triage_thread *dj_triage_thread_of(const struct dj_triage_index *index,
                                                   uint32_t tid);

/* The state at a place in index->states. */
static inline const struct dj_trace_state *
dj_triage_state(const struct dj_triage_index *index, size_t at)
{
    return &index->trace->states[index->states[at]];
}

/* The thread's state after it; NULL: there is none. */
static inline const struct dj_trace_state *
dj_triage_next_state(const struct dj_triage_index *index,
                     const struct dj_triage_thread *thread, size_t at)
{
    return at + 1 < thread->states.to ? dj_triage_state(index, at + 1) : NULL;
}

/* The thread's state at an instant, by its place in index->states; the first later one
 * where there is none. */
size_t dj_triage_state_at(const struct dj_triage_index *index,
                          const struct dj_triage_thread *thread, int64_t at_ns);

/* The thread's innermost slice from an instant on; *until_ns (may be NULL) is when that
 * changes. */
int32_t dj_triage_slice_at(const struct dj_triage_index *index,
                           const struct dj_triage_thread *thread, int64_t at_ns,
                           int64_t *until_ns);

/* NULL: the trace tells nothing of it. */
static inline const struct dj_triage_cpu *
dj_triage_cpu_of(const struct dj_triage_index *index, int32_t cpu)
{
    return cpu >= 0 && (size_t)cpu < index->cpu_count ? &index->cpus[cpu] : NULL;
}

/* The first of a CPU's runs that has not ended at an instant. */
size_t dj_triage_run_at(const struct dj_triage_index *index,
                        const struct dj_triage_cpu *cpu, int64_t at_ns);

/* The first of all slices that begins then or later. */
size_t dj_triage_slices_from(const struct dj_trace *trace, int64_t at_ns);

/* Of some marks that lie by time (`of` of index->marks, timers or fences) the first that
 * is later than an instant; of.to where there is none. */
size_t dj_triage_marks_after(const struct dj_triage_index *index, const uint32_t *places,
                             struct dj_triage_range of, int64_t at_ns);

/* Both known, and of one process. */
bool dj_triage_same_process(const struct dj_triage_index *index, uint32_t a, uint32_t b);

/* How many threads that ran are taken for the app's by their numbers alone. */
size_t dj_triage_guessed(const struct dj_triage_index *index);

#endif
