/* Chooses the categories of atrace and builds its command lines. The functions are pure.
 */
#ifndef DEJANK_CAPTURE_ANDROID_ATRACE_H
#define DEJANK_CAPTURE_ANDROID_ATRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum {
    DJ_ATRACE_CATEGORIES = 64, /* Maximum number of categories that a capture uses. */
    DJ_ATRACE_NAME = 32, /* Size of a category's name in bytes, including the NUL. */
    /* Maximum number of arguments of a command line, including the final NULL. */
    DJ_ATRACE_WORDS = DJ_ATRACE_CATEGORIES + 12
};

struct dj_atrace_categories {
    char names[DJ_ATRACE_CATEGORIES][DJ_ATRACE_NAME]; /* Requested categories that the
                                                       * device has. */
    size_t count;
    /* Requested categories that the device does not have, for example "idle, sync". Owned
     * by this struct. */
    struct dj_text missing;
    /* True if `names` contains "sched", the category that records thread states. */
    bool sched;
};

/* Sets *chosen to the requested categories that the device has. `list` is the output of
 * `atrace --list_categories`. If `list` is empty, the device is assumed to have all
 * categories. If wanted_count is 0, requests the default categories of Android's systrace
 * guide for this API level. Never requests the category `rs` before Android 6, because it
 * damages traces there. */
void dj_atrace_choose(int api, const char *list, size_t list_length,
                      const char *const *wanted, size_t wanted_count,
                      struct dj_atrace_categories *chosen);

/* Returns true if `atrace --async_stop` deletes the trace instead of printing it. This is
 * the case before Android 6. On such a device the capture stops the kernel's tracing
 * itself, prints the trace with --async_dump, and then restores atrace's settings with
 * `-t 0`. */
bool dj_atrace_stop_clears(int api);

/* Writes the command line that starts atrace to `words` and ends it with NULL. The words
 * point to the arguments of this function. `number` receives the size of the ring as
 * text. `app` may be NULL. */
void dj_atrace_start_command(const struct dj_atrace_categories *chosen, const char *app,
                             int64_t ring_kb, char number[24],
                             const char *words[DJ_ATRACE_WORDS]);
/* Writes the command line that prints the trace to `words`. From API level 21 on, the
 * trace is compressed. The output of the command must then not be a terminal. */
void dj_atrace_print_command(int api, const char *words[DJ_ATRACE_WORDS]);

#endif
