/* How short the machine is of CPUs, disks and memory, as every user can see: pressure
 * stall information, and how long threads waited for a CPU. */
#ifndef DEJANK_CAPTURE_LINUX_PRESSURE_H
#define DEJANK_CAPTURE_LINUX_PRESSURE_H

#include "capture/linux/running.h"

struct dj_pressure_sample {
    int64_t at_ns, value;
    int32_t pid, tid;
    uint8_t kind; /* a counter of pressure.c */
};

/* Zero-initialise it. */
struct dj_pressure {
    struct dj_pressure_sample *samples; /* sorted by time; owned */
    size_t count;
    size_t told;      /* number of samples already written by dj_pressure_merge() */
    bool has_threads; /* some belong to a thread, not to the machine */
    struct dj_event_sink sink;
};

enum { DJ_PRESSURE_MOST = 1 << 22 }; /* stored samples */

/* Reads all counters now, those of threads for the listed threads. Unchanged values are
 * skipped. DJ_E_NO_MEMORY. */
int dj_pressure_read(struct dj_pressure *pressure, const struct dj_running *threads,
                     struct dj_error *err);

/* A sink's `take`: passes events on to pressure->sink, with the counters in order of
 * time. */
int dj_pressure_merge(void *pressure, const struct dj_event *event);
/* Writes the counters after the last event. */
int dj_pressure_write_rest(struct dj_pressure *pressure);

void dj_pressure_finish(struct dj_pressure *pressure);

#endif
