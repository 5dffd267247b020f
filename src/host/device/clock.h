/* A device's CLOCK_MONOTONIC, told through a shell that stays open. */
#ifndef DEJANK_DEVICE_CLOCK_H
#define DEJANK_DEVICE_CLOCK_H

#include "device/device.h"

/* Device time − host time, between two bounds: every answer lies between its question and
 * its arrival, and narrows them. Pure. */
struct dj_clock_bounds {
    bool known;
    int64_t low_ns, high_ns;
    int64_t at_ns; /* host_ns of the last answer */
};

/* One answer: the device's clock showed a time in [dev_ns, dev_ns + step_ns) somewhen
 * between asked_ns and answered_ns of the host's. An answer that the bounds exclude (the
 * device started anew, the clocks drifted) starts new ones. */
void dj_clock_bounds_add(struct dj_clock_bounds *bounds, int64_t dev_ns, int64_t step_ns,
                         int64_t asked_ns, int64_t answered_ns);

/* What the device answers to a question: dejank's own dumpsys "clock MONOTONIC BOOTTIME"
 * in ns, others "uptime 1234.56 789.01" out of /proc/uptime, which is BOOTTIME in 10 ms
 * steps. False for anything else. Pure. */
struct dj_clock_answer {
    int64_t monotonic_ns; /* −1 where it is not told */
    int64_t boot_ns;
    int64_t step_ns;
};
bool dj_clock_answer_parse(const char *line, size_t length,
                           struct dj_clock_answer *answer);

/* "mLastWakeTime=3842 (197122 ms ago)" of `dumpsys power`, any line of that kind: the
 * device's CLOCK_MONOTONIC in ms when it printed that; −1 where there is none. Pure. */
int64_t dj_clock_power_parse(const char *text, size_t length);

/* The clock of one device. Zero it; finish it before the device closes. */
struct dj_clock {
    struct dj_device_process *process; /* NULL while none runs */
    struct dj_text heard;              /* of it, not yet read */
    struct dj_clock_bounds bounds;     /* of MONOTONIC where `exact`, else of BOOTTIME */
    bool exact;
};

/* dj_device_clock() of a device that can dj_device_start(). */
int dj_clock_read(struct dj_clock *clock, struct dj_device *device, int64_t *dev_ns,
                  int64_t *uncertainty_ns, struct dj_error *err);
void dj_clock_finish(struct dj_clock *clock);

#endif
