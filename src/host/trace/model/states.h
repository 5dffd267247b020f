/* Derives the states of threads from scheduler events. */
#ifndef DEJANK_TRACE_MODEL_STATES_H
#define DEJANK_TRACE_MODEL_STATES_H

#include "trace/model/threads.h"

/* The last known activity of a CPU. */
struct dj_cpu_activity {
    int64_t at_ns;
    int32_t tid; /* running thread; 0: idle */
    bool known;
    bool lost; /* events of this CPU after at_ns are lost */
};

/* Collects states that have ended. */
struct dj_states {
    struct dj_trace *trace;
    struct dj_trace_rows rows; /* owned */
    struct dj_threads *threads;
    struct dj_cpu_activity *cpus; /* by number; owned */
    size_t cpu_count;
};

/* Accepts an event of thread `actor` that affects thread `target` (NULL: none). Idle CPUs
 * (thread 0) have no states. If a CPU runs another thread than the last switch says, a
 * switch is missing, and trace->switches counts it. Between the last event of that CPU
 * and this one, the states of both threads are unknown. One exception: a runnable thread
 * did not wait for a CPU that was idle. */
void dj_states_update(struct dj_states *states, const struct dj_event *event,
                      struct dj_live_thread *actor, struct dj_live_thread *target);

/* Notes that events of this CPU are missing before the next one. */
void dj_states_note_loss(struct dj_states *states, int32_t cpu);

/* Ends open states at the trace's end and sorts all states. */
void dj_states_complete(struct dj_states *states, int64_t last_ns);
void dj_states_finish(struct dj_states *states);

#endif
