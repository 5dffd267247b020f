/* The recordings that `dejank record` has left in this user's directory. */
#ifndef DEJANK_MEASURE_RECORDINGS_H
#define DEJANK_MEASURE_RECORDINGS_H

#include "base/error.h"
#include "segment/directory.h"
#include "segment/snapshot.h"

/* The part of a recording that one process made. */
struct dj_recording_part {
    struct dj_segment_file file;
    struct dj_segment_identity identity; /* Zero if the file cannot be read. */
    int64_t bytes;
};

/* All processes of one `dejank record`. */
struct dj_kept_recording {
    const struct dj_recording_part *parts;
    size_t count;
    const char *name;
    int64_t last_unix_ms; /* Time of the last frame. */
    int64_t bytes;        /* Size on the disk. */
    bool alive, named, temporary;
};

/* Finish it even after an error. */
struct dj_kept_recordings {
    struct dj_kept_recording *recordings; /* Sorted by time, oldest first. */
    size_t count;
    struct dj_recording_part *parts;
};

/* Lists the recordings that have ended. If `name` is not NULL, only lists recordings with
 * this name or with a name of the form NAME:PROGRAM, which the recordings of further
 * programs have. */
int dj_measure_list_recordings(const char *name, bool temporary_only,
                               struct dj_kept_recordings *list, struct dj_error *err);

/* Removes the files of a recording. */
int dj_measure_remove_recording(const struct dj_kept_recording *recording,
                                struct dj_error *err);

void dj_measure_recordings_finish(struct dj_kept_recordings *list);

#endif
