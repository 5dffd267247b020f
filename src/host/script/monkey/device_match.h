/* Finds the device that a script asks for. */
#ifndef DEJANK_SCRIPT_MONKEY_DEVICE_MATCH_H
#define DEJANK_SCRIPT_MONKEY_DEVICE_MATCH_H

#include "device/device.h"

/* Returns DJ_E_USAGE if dj_monkey_device_match() would refuse the pattern. */
int dj_monkey_device_check_pattern(const char *pattern, struct dj_error *err);

/* Returns 0 if the whole `name` matches the regular expression (POSIX extended, and
 * \d, \D), DJ_E_NOT_FOUND if it does not match, and DJ_E_USAGE if the pattern is
 * invalid. */
int dj_monkey_device_match(const char *pattern, const char *name, struct dj_error *err);

/* Opens a device: with `is_pattern` the first device of adb in state "device" with a
 * serial that matches, otherwise the selector, as dj_device_open() does. NULL means
 * any device of adb. `local:`, `replay:…` and HOST:PORT are selectors also if
 * `is_pattern` is set. Returns DJ_E_NOT_FOUND if no device matches, or an error of
 * dj_device_open(). */
int dj_monkey_device_open_match(const char *wanted, bool is_pattern,
                                struct dj_device **device, struct dj_error *err);

#endif
