/* Prints a dump as Android prints it, with the lines and columns of one release. */
#ifndef DEJANK_GFXINFO_PRINT_H
#define DEJANK_GFXINFO_PRINT_H

#include "gfxinfo/dump.h"

struct dj_print_options {
    const struct dj_dialect *dialect;
    bool framestats; /* Whether to print the statistics and rows of windows too. */
    /* Number of newest rows to print per window, or 0 for all. Android prints 120. */
    size_t rows;
    /* Writes the text and clears it. Called each time the text has DJ_PRINT_DRAIN_BYTES
     * or more. If NULL, the whole output stays in the text. */
    void (*drain)(void *user, struct dj_text *text);
    void *user; /* Pointer that is passed to `drain`. */
};

enum { DJ_PRINT_DRAIN_BYTES = 64 << 10 };

/* Prints the header of the service ("Applications Graphics Acceleration Info:" and the
 * uptime line), then every process. If dump->not_found is set, prints only "No process
 * found for: X". */
void dj_gfxinfo_print_dump(struct dj_text *text, const struct dj_dump *dump,
                           const struct dj_print_options *options);

/* Prints "** Graphics info for pid …" and all text of the process. */
void dj_gfxinfo_print_process(struct dj_text *text, const struct dj_dump_process *process,
                              const struct dj_print_options *options);

/* Prints one statistics block. Like in hwui, a newline precedes each line, and no
 * newline follows the last line. */
void dj_gfxinfo_print_stats(struct dj_text *text, const struct dj_stats *stats,
                            const struct dj_dialect *dialect);

/* Returns whether this release has the service graphicsstats, that is Android 6 and
 * later. */
bool dj_gfxinfo_has_graphicsstats(const struct dj_dialect *dialect);

/* Prints an entry of graphicsstats in the form of this release. Android 8 and later print
 * a record per day. Android 6 and 7 print the package and a statistics block. `version`
 * is printed instead of entry->version, because entry->version can only be a number.
 * entry->uid is printed if it is known and the release prints user ids. */
void dj_gfxinfo_print_graphicsstats(struct dj_text *text,
                                    const struct dj_graphicsstats *entry,
                                    const char *version,
                                    const struct dj_dialect *dialect);

/* Prints the rows of framestats as CSV between two marker lines. Columns that are
 * unknown in a row have the value of dj_frame_fallback(). */
void dj_gfxinfo_print_framestats(struct dj_text *text, const struct dj_frame *frames,
                                 size_t count, const struct dj_dialect *dialect,
                                 int64_t interval_ns);

#endif
