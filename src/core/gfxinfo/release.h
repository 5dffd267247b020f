/* Infers the Android release that printed a dump from the columns of its rows and the
 * lines of its statistics. */
#ifndef DEJANK_GFXINFO_RELEASE_H
#define DEJANK_GFXINFO_RELEASE_H

#include "gfxinfo/dump.h"

/* Sets the evidence, and the dialect of the dump and of every process. A process
 * without evidence gets the release of its dump. If several releases print this dump,
 * the oldest one is used, and `fitting` names all. `stated`: releases that the text
 * itself states, bits as in `fitting`, 0: none. They are used unless none of them
 * prints this dump, because custom systems may have a changed fingerprint. */
void dj_release_infer(struct dj_dump *dump, uint32_t stated);

/* Returns the releases that a build fingerprint such as
 * "google/sailfish/sailfish:10/QP1A…" may mean, bits as in `fitting`. Returns 0 if it
 * means no known release. */
uint32_t dj_release_of_fingerprint(const char *fingerprint, size_t length);

/* Returns the lines that may come next in a block with these lines so far: one for
 * each release that fits them best. Returns 0 if the block is complete for one of
 * them. `other_lines`: lines of another block of the same process, 0: none. Bits as in
 * dj_gfxinfo_lines_of_dialect(). */
uint32_t dj_release_next_lines(uint32_t lines, uint32_t other_lines, bool graphicsstats);

/* Appends the evidence and the matching releases in words: "23 columns, the lines of
 * its statistics: 13, 14 or 15". Appends nothing without evidence. */
void dj_gfxinfo_release_describe(struct dj_text *text,
                                 const struct dj_release_evidence *evidence);

/* Sets a release that is known from outside the text for the dump and every process. */
void dj_gfxinfo_release_set(struct dj_dump *dump, const struct dj_dialect *dialect);

#endif
