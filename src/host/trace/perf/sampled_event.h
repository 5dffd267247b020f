/* The events whose samples perf and simpleperf record, by their names. */
#ifndef DEJANK_TRACE_PERF_SAMPLED_EVENT_H
#define DEJANK_TRACE_PERF_SAMPLED_EVENT_H

#include "base/str.h"

/* How well the samples of an event show where CPU time was spent. A later value is
 * better. */
enum dj_perf_sampled {
    /* The event counts something else, for example page faults or a tracepoint. */
    DJ_PERF_NO_TIME,
    /* The thread leaves the CPU: context-switches or sched:sched_switch. */
    DJ_PERF_SWITCH,
    DJ_PERF_COUNT,      /* Another event of the processor, for example instructions. */
    DJ_PERF_REF_CYCLES, /* Cycles of a clock with a fixed frequency. */
    DJ_PERF_CYCLES,     /* Cycles of the CPU. */
    /* Timers. Their periods are in ns. */
    DJ_PERF_TASK_CLOCK,
    DJ_PERF_CPU_CLOCK
};

/* Classifies an event by its name, for example "cycles:u", "cpu_core/cycles/P" or
 * "sched:sched_switch". Treats an empty name like that of an unknown event of the
 * processor. */
enum dj_perf_sampled dj_perf_classify_event(struct dj_str name);

/* Returns the name of a generic event of the kernel, for example "cpu-clock", or NULL if
 * there is no such event. `type` and `config` are those of struct perf_event_attr. On
 * machines with different CPUs, the high half of `config` is the type of the CPU. */
const char *dj_perf_get_event_name(uint32_t type, uint64_t config);

/* If the name is that of a tracepoint such as "sched:sched_switch", sets *tracepoint to
 * the part after the colon, and returns true. */
bool dj_perf_get_tracepoint(struct dj_str name, struct dj_str *tracepoint);

/* Chooses the samples that show CPU time. If a recording has samples of several events,
 * using all of them would count each time several times. So only the samples of the best
 * event so far are used. Zero the struct before use. */
struct dj_perf_choice {
    enum dj_perf_sampled best;
};

/* Returns true if a sample of this class is to be used. */
bool dj_perf_choose(struct dj_perf_choice *choice, enum dj_perf_sampled sampled);

/* Returns the time in ns that a sample with this period represents, or 0 if it is
 * unknown. */
int64_t dj_perf_get_time(enum dj_perf_sampled sampled, int64_t period);

#endif
