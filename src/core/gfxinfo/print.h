/* Prints a dump as Android prints it, with the lines and columns of one release. */
#ifndef DEJANK_GFXINFO_PRINT_H
#define DEJANK_GFXINFO_PRINT_H

#include "gfxinfo/dump.h"

struct dj_print_options {
    const struct dj_dialect *dialect;
    bool framestats; /* also print window statistics and rows */
    size_t rows;     /* newest rows to print per window; 0: all (Android: 120) */
    /* Writes the text so far and clears it. Called after every DJ_PRINT_DRAIN_BYTES of
     * rows. NULL: the whole output stays in the text. */
    void (*drain)(void *user, struct dj_text *text);
    void *user; /* passed to drain */
};

enum { DJ_PRINT_DRAIN_BYTES = 64 << 10 };

/* Prints the service's header ("Applications Graphics Acceleration Info:" and the
 * uptime line), then every process. Prints only "No process found for: X" if
 * dump->not_found is set. */
void dj_gfxinfo_print_dump(struct dj_text *text, const struct dj_dump *dump,
                           const struct dj_print_options *options);

/* Prints "** Graphics info for pid …" and all text of the process. */
void dj_gfxinfo_print_process(struct dj_text *text, const struct dj_dump_process *process,
                              const struct dj_print_options *options);

/* Prints one statistics block (gfxinfo.md §2.3): each line with hwui's LEADING
 * newline, and no newline after the last. */
void dj_gfxinfo_print_stats(struct dj_text *text, const struct dj_stats *stats,
                            const struct dj_dialect *dialect);

/* Returns whether this release has the service graphicsstats: since M. */
bool dj_gfxinfo_has_graphicsstats(const struct dj_dialect *dialect);

/* Prints an entry of graphicsstats (gfxinfo.md §5) in this release's form: since 8 a
 * record of a day, before 8 package and block. `version` replaces entry->version,
 * which is only a number. entry->uid is printed if it is known and the release has it. */
void dj_gfxinfo_print_graphicsstats(struct dj_text *text,
                                    const struct dj_graphicsstats *entry,
                                    const char *version,
                                    const struct dj_dialect *dialect);

/* Prints the CSV of framestats with both markers and hwui's newlines around them
 * (gfxinfo.md §1.2). Unknown columns of a row print dj_frame_fallback(). */
void dj_gfxinfo_print_framestats(struct dj_text *text, const struct dj_frame *frames,
                                 size_t count, const struct dj_dialect *dialect,
                                 int64_t interval_ns);

#endif
