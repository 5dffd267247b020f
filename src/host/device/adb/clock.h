/* Reads a device's CLOCK_MONOTONIC through a shell that stays open. */
#ifndef DEJANK_DEVICE_ADB_CLOCK_H
#define DEJANK_DEVICE_ADB_CLOCK_H

#include "device/device.h"

/* Bounds of the difference between device time and host time. The device reads its clock
 * after the question was sent and before its answer arrives, so each answer narrows the
 * bounds. */
struct dj_adb_clock_bounds {
    bool known;
    int64_t low_ns, high_ns;
    int64_t at_ns; /* Host time of the last answer. */
};

/* Adds an answer: the device clock was in [dev_ns, dev_ns + step_ns) at some time between
 * sent_ns and received_ns of the host clock. If the answer contradicts the bounds,
 * because the device has restarted or the clocks have drifted, the bounds of this answer
 * replace the old ones. */
void dj_adb_clock_add_answer(struct dj_adb_clock_bounds *bounds, int64_t dev_ns,
                             int64_t step_ns, int64_t sent_ns, int64_t received_ns);

/* The time of a device. dejank's dumpsys prints "clock MONOTONIC BOOTTIME" in ns. Other
 * devices print "uptime 1234.56 789.01" from /proc/uptime, which is CLOCK_BOOTTIME in
 * steps of 10 ms. */
struct dj_adb_clock_answer {
    int64_t monotonic_ns; /* CLOCK_MONOTONIC of the device, or −1 if unknown. */
    int64_t boot_ns;
    int64_t step_ns;
};
bool dj_adb_clock_parse_answer(const char *line, size_t length,
                               struct dj_adb_clock_answer *answer);

/* Finds a line such as "mLastWakeTime=3842 (197122 ms ago)" in the output of `dumpsys
 * power`. Returns the CLOCK_MONOTONIC of the device, in ms, at the time of this output.
 * Returns −1 if there is no such line. */
int64_t dj_adb_clock_parse_power(const char *text, size_t length);

/* The state of dj_adb_clock_read() for one device. Zero it before the first use. Finish
 * it before the device is closed. */
struct dj_adb_clock {
    struct dj_device_process *process; /* The shell that answers, or NULL if none runs. */
    struct dj_text received;           /* Output of the shell that is not yet parsed. */
    /* Bounds for CLOCK_MONOTONIC if `exact` is set, or else for CLOCK_BOOTTIME. */
    struct dj_adb_clock_bounds bounds;
    bool exact;
};

/* Implements dj_device_read_clock() for devices that support dj_device_start(). */
int dj_adb_clock_read(struct dj_adb_clock *clock, struct dj_device *device,
                      int64_t *dev_ns, int64_t *uncertainty_ns, struct dj_error *err);
void dj_adb_clock_finish(struct dj_adb_clock *clock);

#endif
