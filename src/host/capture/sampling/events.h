/* Opens the perf events that sample call stacks. If the process may observe the whole
 * machine, there is one event for each CPU, and the reader drops the samples of other
 * processes. Otherwise, each thread of the app has separate events. These cost more,
 * because the kernel starts and stops a timer at each context switch. */
#ifndef DEJANK_CAPTURE_SAMPLING_EVENTS_H
#define DEJANK_CAPTURE_SAMPLING_EVENTS_H

#include "capture/linux/perf_rings.h"
#include "capture/stack_options.h"

/* Ways to open the perf events that sample call stacks, the best way first. */
enum dj_sampling_scope {
    /* Samples all threads of each CPU, including time in the kernel. */
    DJ_SAMPLING_MACHINE,
    /* Samples only the app's threads, including time in the kernel. */
    DJ_SAMPLING_THREADS,
    /* Samples only the app's threads, without time in the kernel. */
    DJ_SAMPLING_USER_THREADS,
    DJ_SAMPLING_SCOPES
};

/* The open events. Zero the struct and set `wanted`. */
struct dj_sampling_events {
    struct dj_capture_stacks wanted;
    struct dj_perf cpu;   /* Events of timers, mappings and processes. */
    struct dj_perf waits; /* Events of the tracepoint sched_switch. */
    enum dj_sampling_scope scope;
    bool is_open;        /* True if dj_sampling_events_open() has found the scope. */
    uint32_t tracepoint; /* Id of the tracepoint sched_switch, or 0 if it is unknown. */
};

/* Returns the time between two samples of a CPU. */
int64_t dj_sampling_events_interval_ns(const struct dj_capture_stacks *wanted);

/* Finds the best permitted scope. For DJ_SAMPLING_MACHINE, opens the events. For the
 * other scopes, opens and closes an event of this process. Returns 0 or the error of the
 * worst scope. */
int dj_sampling_events_open(struct dj_sampling_events *events, struct dj_error *err);

/* Adds a thread and its future children. Does nothing for DJ_SAMPLING_MACHINE. Returns 0,
 * or an error of dj_perf_rings_add(). */
int dj_sampling_events_add_thread(struct dj_sampling_events *events, pid_t tid,
                                  struct dj_error *err);

/* Reads the id of the tracepoint for stacks of waits. Only root may read it. Returns 0,
 * or sets wanted.waits to false and returns an error. */
int dj_sampling_events_open_waits(struct dj_sampling_events *events,
                                  struct dj_error *err);

/* Adds events of the tracepoint for a thread and its future children. */
int dj_sampling_events_add_waits(struct dj_sampling_events *events, pid_t tid,
                                 struct dj_error *err);

void dj_sampling_events_enable(const struct dj_sampling_events *events, bool on);
void dj_sampling_events_close(struct dj_sampling_events *events);

#endif
