/* Computes the states of threads from scheduler events. */
#ifndef DEJANK_TRACE_MODEL_STATES_H
#define DEJANK_TRACE_MODEL_STATES_H

#include "trace/model/threads.h"

/* What is known about the activity of a CPU, from its last event. */
struct dj_cpu_activity {
    int64_t at_ns;
    int32_t tid; /* Id of the thread that the CPU runs, or 0 if the CPU is idle. */
    bool known;
    bool lost; /* True if events of this CPU after at_ns are lost. */
};

/* Computes and collects states. */
struct dj_states {
    struct dj_trace *trace;
    struct dj_trace_rows rows; /* States that have ended. Owned by this struct. */
    struct dj_threads *threads;
    struct dj_cpu_activity *cpus; /* One element for each CPU. Owned by this struct. */
    size_t cpu_count;
};

/* Adds an event that thread `actor` causes and that affects thread `target`. Either of
 * them may be NULL. The thread 0 of idle CPUs has no states.
 *
 * A switch is missing if an event shows that a CPU runs another thread than the one that
 * the last switch started. In this case trace->switches is incremented. The states of
 * both threads are then unknown between the last event of the CPU and this event. There
 * is one exception: if the CPU was idle, a runnable thread is assumed to have started at
 * once. */
void dj_states_update(struct dj_states *states, const struct dj_event *event,
                      struct dj_live_thread *actor, struct dj_live_thread *target);

/* Notes that events of this CPU are missing before its next event. */
void dj_states_note_loss(struct dj_states *states, int32_t cpu);

/* Ends open states at `last_ns`, the end of the trace, and moves all states to the
 * trace. */
void dj_states_complete(struct dj_states *states, int64_t last_ns);
void dj_states_finish(struct dj_states *states);

#endif
