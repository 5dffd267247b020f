/* Counters that show a lack of CPUs, disk bandwidth or memory: pressure stall
 * information, and the time that threads waited for a CPU. Every user can read them. */
#ifndef DEJANK_CAPTURE_LINUX_PRESSURE_H
#define DEJANK_CAPTURE_LINUX_PRESSURE_H

#include "capture/linux/running.h"

struct dj_pressure_sample {
    int64_t at_ns, value;
    int32_t pid, tid;
    uint8_t kind; /* Index of the counter in the table `kinds` of pressure.c. */
};

/* The samples of all counters. Zero the struct before use. */
struct dj_pressure {
    /* Samples, sorted by time. Owned by this struct. */
    struct dj_pressure_sample *samples;
    size_t count;
    size_t written_count; /* Number of samples that were already passed to `sink`. */
    /* True if at least one sample belongs to a thread. The other samples belong to the
     * whole machine. */
    bool has_threads;
    struct dj_event_sink sink;
};

enum { DJ_PRESSURE_MOST = 1 << 22 }; /* Maximum number of stored samples. */

/* Reads the counters of the machine and the counters of the listed threads. Stores only
 * values that have changed since they were last read. Returns 0 or DJ_E_NO_MEMORY. */
int dj_pressure_read(struct dj_pressure *pressure, const struct dj_running *threads,
                     struct dj_error *err);

/* Passes the samples that are older than the event to pressure->sink, then the event.
 * This is an event sink function, and `pressure` is a struct dj_pressure. */
int dj_pressure_merge(void *pressure, const struct dj_event *event);
/* Passes the samples that are newer than the last event to pressure->sink. */
int dj_pressure_write_rest(struct dj_pressure *pressure);

void dj_pressure_finish(struct dj_pressure *pressure);

#endif
