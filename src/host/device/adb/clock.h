/* Reads a device's CLOCK_MONOTONIC through a shell that stays open. */
#ifndef DEJANK_DEVICE_ADB_CLOCK_H
#define DEJANK_DEVICE_ADB_CLOCK_H

#include "device/device.h"

/* Bounds of device time − host time. The device reads its clock between the question and
 * the arrival of the answer, so each answer narrows the bounds. Pure. */
struct dj_adb_clock_bounds {
    bool known;
    int64_t low_ns, high_ns;
    int64_t at_ns; /* host time of the last answer */
};

/* Adds an answer: the device clock was in [dev_ns, dev_ns + step_ns) at some time between
 * asked_ns and answered_ns of the host clock. If the bounds exclude the answer, because
 * the device has restarted or the clocks have drifted, it replaces them. */
void dj_adb_clock_add_answer(struct dj_adb_clock_bounds *bounds, int64_t dev_ns,
                             int64_t step_ns, int64_t asked_ns, int64_t answered_ns);

/* Parses the device's answer. dejank's dumpsys prints "clock MONOTONIC BOOTTIME" in ns.
 * Other devices print "uptime 1234.56 789.01" from /proc/uptime, which is BOOTTIME in
 * steps of 10 ms. Returns false for anything else. Pure. */
struct dj_adb_clock_answer {
    int64_t monotonic_ns; /* −1: unknown */
    int64_t boot_ns;
    int64_t step_ns;
};
bool dj_adb_clock_parse_answer(const char *line, size_t length,
                               struct dj_adb_clock_answer *answer);

/* Finds a line such as "mLastWakeTime=3842 (197122 ms ago)" in the output of `dumpsys
 * power`. Returns the CLOCK_MONOTONIC of the device in ms when it printed the line, −1 if
 * there is none. Pure. */
int64_t dj_adb_clock_parse_power(const char *text, size_t length);

/* The clock of one device. Zero it. Finish it before the device is closed. */
struct dj_adb_clock {
    struct dj_device_process *process; /* NULL: no shell runs */
    struct dj_text received;           /* output of the shell that has not been parsed */
    struct dj_adb_clock_bounds bounds; /* of MONOTONIC if `exact`, else of BOOTTIME */
    bool exact;
};

/* dj_device_read_clock() for devices that support dj_device_start(). */
int dj_adb_clock_read(struct dj_adb_clock *clock, struct dj_device *device,
                      int64_t *dev_ns, int64_t *uncertainty_ns, struct dj_error *err);
void dj_adb_clock_finish(struct dj_adb_clock *clock);

#endif
