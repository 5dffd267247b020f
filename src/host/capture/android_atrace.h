/* atrace's categories and command lines. Pure. Of this room only. */
#ifndef DEJANK_CAPTURE_ANDROID_ATRACE_H
#define DEJANK_CAPTURE_ANDROID_ATRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum {
    DJ_ATRACE_CATEGORIES = 64, /* that are asked for at most */
    DJ_ATRACE_NAME = 32,       /* bytes of a category's name, NUL included */
    DJ_ATRACE_WORDS = DJ_ATRACE_CATEGORIES + 12 /* of a command line, NULL included */
};

struct dj_atrace_categories {
    char names[DJ_ATRACE_CATEGORIES][DJ_ATRACE_NAME]; /* that are there, and wanted */
    size_t count;
    struct dj_text missing; /* wanted, and not there: "idle, sync"; owned */
    bool sched;             /* what threads do is among those that are there */
};

/*
 * Of what is wanted (0: what the guide's systrace takes, as far as that API level should
 * have it), the categories that `atrace --list_categories` printed. Wanted ones that the
 * device does not have are named in `missing`. Before Android 6 `rs` is never asked for:
 * it damaged traces. Nothing listed at all (list_length 0): taken on trust.
 */
void dj_atrace_choose(int api, const char *list, size_t list_length,
                      const char *const *wanted, size_t wanted_count,
                      struct dj_atrace_categories *chosen);

/* Whether --async_stop, instead of printing what was recorded, clears it, as before
 * Android 6: the kernel is stopped by hand then, --async_dump prints, and `-t 0` puts
 * atrace's settings back. */
bool dj_atrace_stop_clears(int api);

/* A command line in `words`, NULL-ended. They point to the arguments, and to `number`,
 * which is written. `app` may be NULL. */
void dj_atrace_start_command(const struct dj_atrace_categories *chosen, const char *app,
                             int64_t ring_kb, char number[24],
                             const char *words[DJ_ATRACE_WORDS]);
/* Prints what was recorded, deflated where the stream is not a terminal's for certain. */
void dj_atrace_print_command(int api, const char *words[DJ_ATRACE_WORDS]);

#endif
