/*
 * dumpsys: what the command of that name prints on a Linux device — the frames of
 * running, hung and ended apps, in Android's words. It reads segments and never talks to
 * the apps. One thread; stdout is the dump, a segment that cannot be read is a line on
 * stderr and costs the others nothing.
 *
 * This header: the service "gfxinfo".
 */
#ifndef DEJANK_DUMPSYS_GFXINFO_H
#define DEJANK_DUMPSYS_GFXINFO_H

#include <stdbool.h>
#include <stdint.h>

/* What the words after "gfxinfo" ask for. */
struct dj_gfxinfo_arguments {
    const char *wanted; /* pid or name; NULL: every process */
    bool framestats;
    bool reset;
    const char *release; /* in which to print; NULL: each in its own; "": not named */
    int64_t
        since_ns; /* every row completed from then on; −1: Android's, the newest 120 */
};

/* Android's rules, releases 9 and later (gfxinfo.md §1.2, §2.1): only the first word can
 * be a name; unknown words are passed over; no word at all, or -a, means framestats and
 * drops an earlier reset. Two words are ours, and Android passes them over: since=NS,
 * with which dejank's host reads more than the newest 120 rows; --release R (or
 * --release=R), which asks for another release's lines, columns and rule. */
struct dj_gfxinfo_arguments dj_gfxinfo_arguments(int count, char *const *words);

/* Prints the service's dump; then resets, and takes note of what the simple dump printed.
 * Returns the exit status: 0 also where no process was found, DJ_OUTPUT_USAGE for a
 * release that there is not. */
int dj_dump_gfxinfo(int count, char *const *words);

#endif
