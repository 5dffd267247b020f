/* Which Android release printed a dump: told by the columns of its rows and the lines of
 * its statistics. */
#ifndef DEJANK_GFXINFO_RELEASE_H
#define DEJANK_GFXINFO_RELEASE_H

#include "gfxinfo/dump.h"

/*
 * Sets the dialect of every process and of the dump, and the evidence. A process that
 * tells nothing has its dump's release. Where several releases print what is there, the
 * oldest of them is taken, and `fitting` names all. `stated`: releases that the text
 * itself states, bits as in `fitting`, 0: none. They are taken, unless none of them
 * prints what is there: people change the fingerprint of custom systems.
 */
void dj_release_infer(struct dj_dump *dump, uint32_t stated);

/* The releases that a build fingerprint may mean, "google/sailfish/sailfish:10/QP1A…";
 * bits as in `fitting`. 0: none that is known. */
uint32_t dj_release_of_fingerprint(const char *fingerprint, size_t length);

/*
 * The lines of which one comes next in a block that has these lines so far: one for each
 * release that fits them best. 0: the block is whole in one of those. `beside`: lines of
 * another block of the same process, 0: none. Bits as in dj_lines_of().
 */
uint32_t dj_release_lines_due(uint32_t lines, uint32_t beside, bool graphicsstats);

/* Appends what told, and what it fits, in words: "23 columns, the lines of its
 * statistics: 13, 14 or 15"; nothing where nothing told. */
void dj_release_describe(struct dj_text *text,
                         const struct dj_release_evidence *evidence);

/* The release is known, and nothing of the text tells it: sets it everywhere. */
void dj_release_set(struct dj_dump *dump, const struct dj_dialect *dialect);

#endif
