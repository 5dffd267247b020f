/* Lists and removes the recordings that `dejank record` has left in this user's
 * directory. */
#ifndef DEJANK_MEASURE_RECORDINGS_H
#define DEJANK_MEASURE_RECORDINGS_H

#include "base/error.h"
#include "segment/directory.h"
#include "segment/snapshot.h"

/* The part of a recording that one process made. */
struct dj_recording_part {
    struct dj_segment_file file;
    /* Identity of the process. Zero if the file cannot be read. */
    struct dj_segment_identity identity;
    int64_t bytes;
};

/* A recording: everything that one call of `dejank record` recorded. It has a part for
 * each process. */
struct dj_kept_recording {
    const struct dj_recording_part *parts;
    size_t count;
    const char *name;
    /* Time at which the files were last modified, in ms of Unix time. */
    int64_t last_unix_ms;
    int64_t bytes; /* Size of all files on the disk. */
    bool alive, named, temporary;
};

/* A list of recordings. Finish it even after an error. */
struct dj_kept_recordings {
    /* Recordings, sorted by time, the oldest first. */
    struct dj_kept_recording *recordings;
    size_t count;
    struct dj_recording_part *parts;
};

/* Lists the recordings that have ended. If `name` is not NULL, lists only recordings with
 * the name `name` or `name`:PROGRAM. dejank uses the second form if a recording has
 * several programs. */
int dj_measure_list_recordings(const char *name, bool temporary_only,
                               struct dj_kept_recordings *list, struct dj_error *err);

int dj_measure_remove_recording(const struct dj_kept_recording *recording,
                                struct dj_error *err);

void dj_measure_recordings_finish(struct dj_kept_recordings *list);

#endif
