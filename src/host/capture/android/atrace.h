/* atrace's categories and command lines. Pure functions. */
#ifndef DEJANK_CAPTURE_ANDROID_ATRACE_H
#define DEJANK_CAPTURE_ANDROID_ATRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum {
    DJ_ATRACE_CATEGORIES = 64, /* at most this many are requested */
    DJ_ATRACE_NAME = 32,       /* bytes of a category's name, including NUL */
    DJ_ATRACE_WORDS = DJ_ATRACE_CATEGORIES + 12 /* arguments of a command line, including
                                                 * NULL */
};

struct dj_atrace_categories {
    char names[DJ_ATRACE_CATEGORIES][DJ_ATRACE_NAME]; /* requested categories that the
                                                       * device has */
    size_t count;
    struct dj_text missing; /* requested categories that it lacks: "idle, sync"; owned */
    bool sched;             /* names contains a category with thread states */
};

/* Chooses the requested categories that `atrace --list_categories` printed. If none are
 * requested (0), these are the defaults of Android's systrace guide for that API level.
 * Requested categories that the device lacks are named in `missing`. `rs` is never
 * requested before Android 6, because it damaged traces. If the device listed nothing
 * (list_length 0), it is assumed to have all. */
void dj_atrace_choose(int api, const char *list, size_t list_length,
                      const char *const *wanted, size_t wanted_count,
                      struct dj_atrace_categories *chosen);

/* Whether --async_stop clears the trace instead of printing it, as before Android 6. Then
 * the kernel's tracing is stopped by hand, --async_dump prints the trace, and `-t 0`
 * restores atrace's settings. */
bool dj_atrace_stop_clears(int api);

/* Writes a NULL-terminated command line to `words`. The words point to the arguments and
 * to `number`, which is written. `app` may be NULL. */
void dj_atrace_start_command(const struct dj_atrace_categories *chosen, const char *app,
                             int64_t ring_kb, char number[24],
                             const char *words[DJ_ATRACE_WORDS]);
/* Writes the command line that prints the trace. It is compressed only if the output is
 * not a terminal. */
void dj_atrace_print_command(int api, const char *words[DJ_ATRACE_WORDS]);

#endif
