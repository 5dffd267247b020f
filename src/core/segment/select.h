/* Selects the segments that a name on the command line refers to: by Android's rule for
 * `dumpsys gfxinfo X`, and by dejank's extensions of it. */
#ifndef DEJANK_SEGMENT_SELECT_H
#define DEJANK_SEGMENT_SELECT_H

#include "segment/directory.h"
#include "segment/snapshot.h"

enum {
    DJ_SELECT_DIRECTORIES = 64, /* Maximum number of directories. */
    /* Maximum number of files per directory, so that no user can prevent the files of
     * others from being read. */
    DJ_SELECT_FILES_PER_DIRECTORY = 1024
};

struct dj_segment_candidate {
    struct dj_segment_file file;
    struct dj_segment_identity identity;
};

/* The selected segments. Zero the struct before use. Call dj_segment_selection_finish()
 * even after an error. */
struct dj_segment_selection {
    /* Running processes first, then the most recently used. Owned by the struct. */
    struct dj_segment_candidate *candidates;
    size_t count;
    bool cut; /* Whether a directory had more files than are read. */
};

/* Returns whether an error while reading a file should be reported. A removed file, or a
 * new file without a header, is normal. */
bool dj_segment_is_reportable_error(int code, const struct dj_segment_file *file);

/* Receives an error for each segment file that cannot be used. err->message contains the
 * path. */
typedef void dj_segment_error_callback(const struct dj_error *err, void *user);

/* Selects the segments that match `wanted` in all directories of this user, or for root
 * of all users. NULL matches every process. Otherwise the first of these rules that
 * matches any segment applies: the pid or the full name is `wanted`; the program is
 * `wanted`; the name is WANTED:anything, as for child processes.
 *
 * If processes with the same name run, only these are selected. Otherwise the ended
 * processes of the last run are selected. A run is one `dejank record`. Several runs are
 * selected if they ran at the same time. Segments of an earlier boot are never selected.
 *
 * If nothing matches, the function returns 0 with count 0. Returns DJ_E_NO_MEMORY if
 * there is not enough memory. */
int dj_segment_select(const char *wanted, dj_segment_error_callback *report_error,
                      void *user, struct dj_segment_selection *selection,
                      struct dj_error *err);
/* Selects every segment of this boot in the same directories, including those of earlier
 * runs. */
int dj_segment_select_all(struct dj_segment_selection *selection, struct dj_error *err);
void dj_segment_selection_finish(struct dj_segment_selection *selection);

/* Turns the simple dump of each segment on or off. After an error, calls `report_error`
 * (which may be NULL), continues with the next segment, and finally returns the first
 * error. */
int dj_segment_selection_set_profile(const struct dj_segment_selection *selection,
                                     bool on, dj_segment_error_callback *report_error,
                                     void *user, struct dj_error *err);

#endif
