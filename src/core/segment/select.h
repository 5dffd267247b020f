/* Selects the segments that a name on the command line means: Android's rule for
 * `dumpsys gfxinfo X`, and dejank's extensions. */
#ifndef DEJANK_SEGMENT_SELECT_H
#define DEJANK_SEGMENT_SELECT_H

#include "segment/directory.h"
#include "segment/snapshot.h"

enum {
    DJ_SELECT_PLACES = 64, /* maximum directories */
    DJ_SELECT_PER_PLACE =
        1024 /* maximum files per directory, so no user can crowd out another's files */
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
    bool cut; /* a directory had more than DJ_SELECT_PER_PLACE files */
};

/* Returns whether an error in reading a file must be reported. A removed file, or a
 * new one without a header yet, is normal. */
bool dj_segment_is_reportable_error(int code, const struct dj_segment_file *file);

/* Receives an error for every segment file that cannot be used; err->message names the
 * file. */
typedef void dj_segment_error_callback(const struct dj_error *err, void *user);

/* Selects the segments that `wanted` means in all of this user's directories (for
 * root: everyone's). NULL means every process. Otherwise: those with this pid or full
 * name; if there is none, those with this program; else those named WANTED:anything,
 * its children.
 *
 * Of several with the same name, all living ones count. If none lives, all ended ones
 * of one run (one `dejank record`) count, without runs that had ended, for that name,
 * before another began. Segments of an earlier boot never count.
 *
 * No match is a success with count 0. Returns DJ_E_NO_MEMORY without memory. */
int dj_segment_select(const char *wanted, dj_segment_error_callback *complain, void *user,
                      struct dj_segment_selection *selection, struct dj_error *err);
/* Selects every segment of this boot in those directories, including earlier runs of
 * the same name. */
int dj_segment_select_all(struct dj_segment_selection *selection, struct dj_error *err);
void dj_segment_selection_finish(struct dj_segment_selection *selection);

/* Turns the simple dump of each one on or off. After an error calls `complain` (may be
 * NULL), continues with the others, and returns the first error at the end. */
int dj_segment_selection_set_profile(const struct dj_segment_selection *selection,
                                     bool on, dj_segment_error_callback *complain,
                                     void *user, struct dj_error *err);

#endif
