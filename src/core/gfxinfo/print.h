/* Printing a dump as Android prints it, in one release's lines and columns. */
#ifndef DEJANK_GFXINFO_PRINT_H
#define DEJANK_GFXINFO_PRINT_H

#include "gfxinfo/dump.h"

struct dj_print_options {
    const struct dj_dialect *dialect;
    bool framestats; /* window statistics and rows too */
    size_t rows;     /* newest rows of each window to print; 0: all (Android: 120) */
    /* Writes out the text so far, and clears it. Called after every DJ_PRINT_DRAIN_BYTES
     * of rows. NULL: all is appended to the text. */
    void (*drain)(void *user, struct dj_text *text);
    void *user; /* of drain */
};

enum { DJ_PRINT_DRAIN_BYTES = 64 << 10 };

/* The service's frame: "Applications Graphics Acceleration Info:" and the uptime line, or
 * "No process found for: X" alone where dump->not_found is set; then every process. */
void dj_print_dump(struct dj_text *text, const struct dj_dump *dump,
                   const struct dj_print_options *options);

/* "** Graphics info for pid …" and all below it. */
void dj_print_process(struct dj_text *text, const struct dj_dump_process *process,
                      const struct dj_print_options *options);

/* One statistics block (gfxinfo.md §2.3), each line with hwui's LEADING newline, nothing
 * after the last. */
void dj_print_stats(struct dj_text *text, const struct dj_stats *stats,
                    const struct dj_dialect *dialect);

/* Whether this release has the service graphicsstats: from M on. */
bool dj_prints_graphicsstats(const struct dj_dialect *dialect);

/* An entry of graphicsstats (gfxinfo.md §5), in this release's form: from 8 on a record
 * of a day, before that package and block. `version` stands for entry->version, which is
 * a number alone; entry->uid is printed where it is known and the release has it. */
void dj_print_graphicsstats(struct dj_text *text, const struct dj_graphicsstats *entry,
                            const char *version, const struct dj_dialect *dialect);

/* The CSV of framestats with both markers and hwui's newlines around them (gfxinfo.md
 * §1.2). Columns a row does not know print dj_frame_fallback(). */
void dj_print_framestats(struct dj_text *text, const struct dj_frame *frames,
                         size_t count, const struct dj_dialect *dialect,
                         int64_t interval_ns);

#endif
