/* dumpsys: the dumpsys command for Linux devices. It prints the frames of running,
 * hanging and ended apps in Android's format. It reads segments and never communicates
 * with the apps. One thread. stdout is the dump. A segment that cannot be read is
 * reported in a line on stderr and does not affect the others.
 *
 * This header: the service "gfxinfo". */
#ifndef DEJANK_DUMPSYS_GFXINFO_H
#define DEJANK_DUMPSYS_GFXINFO_H

#include <stdbool.h>
#include <stdint.h>

/* The arguments after "gfxinfo". */
struct dj_gfxinfo_parse_arguments {
    const char *wanted; /* pid or name; NULL: all processes */
    bool framestats;
    bool reset;
    const char *release; /* release of the output; NULL: each process's own; "": name
                          * missing */
    int64_t since_ns; /* print all rows completed at or after this time; −1: like Android,
                       * the newest 120 */
};

/* Parses the arguments by Android's rules for releases 9 and later (gfxinfo.md §1.2,
 * §2.1): only the first word can be a name; unknown words are ignored; no word at all,
 * or -a, means framestats and cancels an earlier reset. Two words are extensions,
 * which Android ignores: since=NS requests more than the newest 120 rows, and
 * --release R (or --release=R) requests another release's lines, columns and rule. */
struct dj_gfxinfo_parse_arguments dj_gfxinfo_parse_arguments(int count,
                                                             char *const *words);

/* Prints the dump of the service. Then resets, and remembers what the simple dump
 * printed. Returns the exit status: 0 also if no process was found, DJ_OUTPUT_USAGE
 * for an unknown release. */
int dj_gfxinfo_dump(int count, char *const *words);

#endif
