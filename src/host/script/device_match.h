/* Which of the devices there are a script means. */
#ifndef DEJANK_SCRIPT_DEVICE_MATCH_H
#define DEJANK_SCRIPT_DEVICE_MATCH_H

#include "device/device.h"

/* DJ_E_USAGE if dj_device_match() would refuse the pattern. */
int dj_device_pattern_check(const char *pattern, struct dj_error *err);

/* Whether all of `name` matches the regular expression: POSIX's extended ones, and \d, \D
 * as well. DJ_E_NOT_FOUND where it does not, DJ_E_USAGE where it is none. */
int dj_device_match(const char *pattern, const char *name, struct dj_error *err);

/*
 * Opens what is meant: the first device of adb in state "device" whose serial matches
 * (`is_pattern`), or the selector as dj_device_open() takes it; NULL is any of adb's.
 * `local:`, `replay:…` and HOST:PORT are taken as they are also of a pattern.
 * DJ_E_NOT_FOUND where none is there; else as dj_device_open().
 */
int dj_device_match_open(const char *wanted, bool is_pattern, struct dj_device **device,
                         struct dj_error *err);

#endif
