/* Infers the Android release that printed a dump from the columns of its rows and the
 * lines of its statistics. */
#ifndef DEJANK_GFXINFO_RELEASE_H
#define DEJANK_GFXINFO_RELEASE_H

#include "gfxinfo/dump.h"

/* Sets dump->evidence and the dialect of the dump and of each process. A process without
 * evidence gets the dialect of the dump. If several releases print such a dump, the
 * oldest one is used, and evidence.fitting contains all of them.
 *
 * `stated` is a bit mask like `fitting` of the releases that a build fingerprint in the
 * text names, or 0. If at least one of these releases prints such a dump, only these
 * releases are used. Otherwise they are ignored, because custom systems may have a
 * changed fingerprint. */
void dj_release_infer(struct dj_dump *dump, uint32_t stated);

/* Returns the releases that a build fingerprint such as
 * "google/sailfish/sailfish:10/QP1A…" may mean, as a bit mask like `fitting`, or 0 if
 * there is no such release. */
uint32_t dj_release_of_fingerprint(const char *fingerprint, size_t length);

/* Returns the lines that may follow in a block that so far has the lines `lines`. Only
 * the releases that match the lines best are considered, and the result contains the next
 * line of each of them. Returns 0 if the block is complete for one of these releases.
 * `other_lines` are the lines of another block of the same process, or 0. All are bit
 * masks like in dj_gfxinfo_lines_of_dialect(). */
uint32_t dj_release_next_lines(uint32_t lines, uint32_t other_lines, bool graphicsstats);

/* Appends the evidence and the possible releases in words: "23 columns, the lines of its
 * statistics: 13, 14 or 15". Appends nothing if there is no evidence. */
void dj_gfxinfo_release_describe(struct dj_text *text,
                                 const struct dj_release_evidence *evidence);

/* Sets the dialect of the dump and of each process to a release that is known from
 * outside the text. */
void dj_gfxinfo_release_set(struct dj_dump *dump, const struct dj_dialect *dialect);

#endif
