/* Events of the scheduler become states of threads. Of this room only. */
#ifndef DEJANK_TRACE_STATES_H
#define DEJANK_TRACE_STATES_H

#include "trace/threads.h"

/* What a CPU did last, as far as it was told. */
struct dj_cpu {
    int64_t at_ns;
    int32_t tid; /* that it runs; 0: idle */
    bool known;
    bool lost; /* events of it, since at_ns */
};

/* Where states go that have ended. */
struct dj_states {
    struct dj_trace *trace;
    struct dj_rows rows; /* owned */
    struct dj_threads *threads;
    struct dj_cpu *cpus; /* by number; owned */
    size_t cpu_count;
};

/*
 * Takes an event, of thread `who` to thread `whom` (NULL: it has none). Idle CPUs (thread
 * 0) have no states. Where a CPU runs another thread than it was known to, a switch is
 * missing (trace->switches counts them): between that CPU's last event and this one
 * nothing is known of both threads, but that a thread which was runnable did not wait for
 * a CPU that was idle.
 */
void dj_states_take(struct dj_states *states, const struct dj_event *event,
                    struct dj_thread *who, struct dj_thread *whom);

/* Events of this CPU are missing before the next one. */
void dj_states_lose(struct dj_states *states, int32_t cpu);

/* Ends those that are open at the trace's end, and sorts all. */
void dj_states_end(struct dj_states *states, int64_t last_ns);
void dj_states_finish(struct dj_states *states);

#endif
