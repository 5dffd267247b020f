/* atrace's categories and command lines. Pure functions. */
#ifndef DEJANK_CAPTURE_ANDROID_ATRACE_H
#define DEJANK_CAPTURE_ANDROID_ATRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum {
    DJ_ATRACE_CATEGORIES = 64, /* Maximum number of requested categories. */
    DJ_ATRACE_NAME = 32,       /* Size of a category's name in bytes, including the
                                * NUL. */
    /* Maximum number of arguments of a command line, including the final NULL. */
    DJ_ATRACE_WORDS = DJ_ATRACE_CATEGORIES + 12
};

struct dj_atrace_categories {
    char names[DJ_ATRACE_CATEGORIES][DJ_ATRACE_NAME]; /* Requested categories that the
                                                       * device has. */
    size_t count;
    struct dj_text missing; /* Requested categories that the device lacks, such as
                             * "idle, sync". Owned by this struct. */
    bool sched;             /* True if `names` contains the category with thread
                             * states. */
};

/* Sets *chosen to the requested categories that the device has. `list` is the output
 * of `atrace --list_categories`, and if it is empty, the device is assumed to have all
 * categories. If none are requested (wanted_count is 0), the defaults of Android's
 * systrace guide for the API level are requested. Never requests `rs` before Android
 * 6, where it damages traces. */
void dj_atrace_choose(int api, const char *list, size_t list_length,
                      const char *const *wanted, size_t wanted_count,
                      struct dj_atrace_categories *chosen);

/* Returns true if --async_stop clears the trace instead of printing it, as before
 * Android 6. On such a device the capture stops the kernel's tracing itself, then
 * prints the trace with --async_dump, and restores atrace's settings with `-t 0`. */
bool dj_atrace_stop_clears(int api);

/* Writes the NULL-terminated command line that starts atrace. The words point to the
 * arguments of this function and to `number`, which receives the ring's size. `app`
 * may be NULL. */
void dj_atrace_start_command(const struct dj_atrace_categories *chosen, const char *app,
                             int64_t ring_kb, char number[24],
                             const char *words[DJ_ATRACE_WORDS]);
/* Writes the command line that prints the trace. The output must not be a terminal if
 * it is to be compressed. */
void dj_atrace_print_command(int api, const char *words[DJ_ATRACE_WORDS]);

#endif
