/* Finds the device that a script requests. */
#ifndef DEJANK_SCRIPT_MONKEY_DEVICE_MATCH_H
#define DEJANK_SCRIPT_MONKEY_DEVICE_MATCH_H

#include "device/device.h"

/* Checks a pattern for dj_monkey_device_match(). Returns DJ_E_USAGE if it is invalid. */
int dj_monkey_device_check_pattern(const char *pattern, struct dj_error *err);

/* Returns 0 if the whole `name` matches the regular expression (POSIX extended, with
 * \d and \D), DJ_E_NOT_FOUND if it does not match, or DJ_E_USAGE if the pattern is
 * invalid. */
int dj_monkey_device_match(const char *pattern, const char *name, struct dj_error *err);

/* Opens a device. If `is_pattern` is true, opens the first device of adb that is in state
 * "device" and has a matching serial. Otherwise `wanted` is a selector for
 * dj_device_open(). NULL means any device of adb. `local:`, `replay:…` and HOST:PORT are
 * always selectors. Returns DJ_E_NOT_FOUND if no device matches, or an error of
 * dj_device_open(). */
int dj_monkey_device_open_match(const char *wanted, bool is_pattern,
                                struct dj_device **device, struct dj_error *err);

#endif
