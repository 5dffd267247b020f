/* Which segments a name on the command line means: Android's rule for `dumpsys gfxinfo
 * X`, and ours beyond it. */
#ifndef DEJANK_SEGMENT_SELECT_H
#define DEJANK_SEGMENT_SELECT_H

#include "segment/directory.h"
#include "segment/snapshot.h"

enum {
    DJ_SELECT_PLACES = 64,     /* directories looked into */
    DJ_SELECT_PER_PLACE = 1024 /* files of one of them; no user can crowd out another's */
};

struct dj_segment_candidate {
    struct dj_segment_file file;
    struct dj_segment_identity identity;
};

/* Zero it before use; finish it also after errors. */
struct dj_segment_selection {
    struct dj_segment_candidate
        *candidates; /* living before ended, most recently used first; owned */
    size_t count;
    bool cut; /* a place held more files than DJ_SELECT_PER_PLACE */
};

/* Whether an error in reading a file is worth a word. A file may be cleared away, and a
 * young one may not have its header yet, without anything being wrong. */
bool dj_segment_is_complaint(int code, const struct dj_segment_file *file);

/* Told of every segment file that cannot be used; err->message names it. */
typedef void dj_segment_complaint(const struct dj_error *err, void *user);

/*
 * Finds the segments that `wanted` means in all of this user's places (for root:
 * everybody's): every process where it is NULL; otherwise those whose pid or whole name
 * it is; where there is none, those whose program it is; else those named
 * WANTED:anything, its children.
 *
 * Of several with the same name all living ones count, and ended ones only where none
 * lives: then all of one run (one `dejank record`), but for runs that were over, as far
 * as that name goes, before another began. Segments of an earlier boot never count.
 *
 * Nothing found is a success with count 0; else DJ_E_NO_MEMORY.
 */
int dj_segment_select(const char *wanted, dj_segment_complaint *complain, void *user,
                      struct dj_segment_selection *selection, struct dj_error *err);
/* Every segment of this boot in those places, also of runs that another of the same name
 * came after. */
int dj_segment_select_all(struct dj_segment_selection *selection, struct dj_error *err);
void dj_segment_selection_finish(struct dj_segment_selection *selection);

/* Switches the simple dump of every one. Where one cannot be switched, `complain` (may be
 * NULL) is told and the others still are; the first such error is returned. */
int dj_segment_selection_set_profile(const struct dj_segment_selection *selection,
                                     bool on, dj_segment_complaint *complain, void *user,
                                     struct dj_error *err);

#endif
