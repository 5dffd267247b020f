/* dumpsys: the dumpsys command for Linux devices. It prints the frames of running,
 * hanging and ended apps in Android's format. It reads segments and never communicates
 * with the apps. One thread. stdout is the dump. If a segment cannot be read, a line
 * on stderr reports it, and the other segments are still printed.
 *
 * This header declares the service "gfxinfo". */
#ifndef DEJANK_DUMPSYS_GFXINFO_H
#define DEJANK_DUMPSYS_GFXINFO_H

#include <stdbool.h>
#include <stdint.h>

/* The arguments after "gfxinfo". */
struct dj_gfxinfo_arguments {
    const char *wanted; /* Process id or name of a process, or NULL for all processes. */
    bool framestats;
    bool reset;
    /* Release to imitate. NULL if each process is printed like the release by whose rule
     * it was recorded. "" if the option has no value. */
    const char *release;
    int64_t since_ns; /* Print all rows that were completed at or after this time in
                       * ns. If −1, print the newest 120 rows like Android. */
};

/* Parses the arguments by the rules of Android 9 and later (docs/format/gfxinfo.md).
 * Only the first word can be a name, and unknown words are ignored. Without any word,
 * or with -a, framestats is requested, and -a also cancels an earlier reset. Two words
 * are extensions of dejank: since=NS requests all rows from that time on, and
 * --release R (or --release=R) requests the lines, columns and rule of another
 * release. */
struct dj_gfxinfo_arguments dj_gfxinfo_parse_arguments(int count, char *const *words);

/* Prints the dump of the service. Afterwards resets the processes if requested, and
 * marks the rows that a simple dump has printed. Returns the exit status: 0, even if
 * no process was found, or DJ_OUTPUT_USAGE for an unknown release. */
int dj_gfxinfo_dump(int count, char *const *words);

#endif
