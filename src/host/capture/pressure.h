/* What anybody may know of how short the machine is of CPUs, disks and memory: pressure
 * stall information, and how long threads waited for a CPU. Of this room only. */
#ifndef DEJANK_CAPTURE_PRESSURE_H
#define DEJANK_CAPTURE_PRESSURE_H

#include "capture/running.h"

struct dj_pressure_sample {
    int64_t at_ns, value;
    int32_t pid, tid;
    uint8_t kind; /* of pressure.c's */
};

/* Zero it. */
struct dj_pressure {
    struct dj_pressure_sample *samples; /* by time; owned */
    size_t count;
    size_t told;      /* of them, by dj_pressure_take() */
    bool has_threads; /* some are of a thread, not of the machine */
    struct dj_event_sink sink;
};

enum { DJ_PRESSURE_MOST = 1 << 22 }; /* samples kept */

/* Reads all of it now; of threads, those that are listed. Unchanged values are left out.
 * DJ_E_NO_MEMORY. */
int dj_pressure_look(struct dj_pressure *pressure, const struct dj_running *threads,
                     struct dj_error *err);

/* A sink's `take`: counters come among other events at their time, on to
 * pressure->sink. */
int dj_pressure_take(void *pressure, const struct dj_event *event);
/* Those behind the last event. */
int dj_pressure_rest(struct dj_pressure *pressure);

void dj_pressure_finish(struct dj_pressure *pressure);

#endif
