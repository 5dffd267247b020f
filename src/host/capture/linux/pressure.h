/* Counters that every user can read and that show a lack of CPUs, disk bandwidth or
 * memory: pressure stall information, and the time that threads waited for a CPU. */
#ifndef DEJANK_CAPTURE_LINUX_PRESSURE_H
#define DEJANK_CAPTURE_LINUX_PRESSURE_H

#include "capture/linux/running.h"

struct dj_pressure_sample {
    int64_t at_ns, value;
    int32_t pid, tid;
    uint8_t kind; /* Index of the counter in pressure.c. */
};

/* Zero-initialise it. */
struct dj_pressure {
    struct dj_pressure_sample *samples; /* Sorted by time. Owned by this struct. */
    size_t count;
    size_t written_count; /* Number of samples that were already passed to the
                           * sink. */
    bool has_threads; /* True if a sample belongs to a thread and not to the machine. */
    struct dj_event_sink sink;
};

enum { DJ_PRESSURE_MOST = 1 << 22 }; /* Maximum number of stored samples. */

/* Reads all counters once: those of the machine, and those of the listed threads. Does
 * not store a value that is unchanged. Returns 0 or DJ_E_NO_MEMORY. */
int dj_pressure_read(struct dj_pressure *pressure, const struct dj_running *threads,
                     struct dj_error *err);

/* The function of an event sink. Passes each event on to pressure->sink, after the
 * samples that are older than the event. */
int dj_pressure_merge(void *pressure, const struct dj_event *event);
/* Passes the samples after the last event to pressure->sink. */
int dj_pressure_write_rest(struct dj_pressure *pressure);

void dj_pressure_finish(struct dj_pressure *pressure);

#endif
