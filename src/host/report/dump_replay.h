/* Replays frames from a JSON file with the tracker of an Android release, and prints the
 * result as this release prints it. */
#ifndef DEJANK_REPORT_DUMP_REPLAY_H
#define DEJANK_REPORT_DUMP_REPLAY_H

#include "base/error.h"
#include "base/text.h"
#include "frame/dialect.h"

/* The part of a dump to print. */
enum dj_replay_block {
    DJ_REPLAY_PROCESS,   /* The statistics block of the process. */
    DJ_REPLAY_WINDOW,    /* The statistics block of the window, with its title. */
    DJ_REPLAY_FRAMESTATS /* The newest 120 rows of framestats. */
};

/* The contents of one JSON object of the file. */
struct dj_replay {
    int64_t vsync_ns; /* Frame interval in ns, > 0. */
    int64_t sf_offset_ns, app_offset_ns;
    struct dj_frame *frames; /* Frames, the oldest first. */
    size_t frame_count;
};

/* Sets *block to the block with a name such as "process". Returns false if there is no
 * such block. */
bool dj_report_replay_block_find(const char *name, enum dj_replay_block *block);

/* Checks whether the release prints this block. Returns 0, or an error with the reason.
 */
int dj_report_replay_check(const struct dj_dialect *dialect, enum dj_replay_block block,
                           struct dj_error *err);

/* Appends the block for one object, with "Stats since: 424242ns" and the window title
 * "win". If the tracker moves a deadline, the function changes the deadline in `replay`,
 * too. */
void dj_report_replay(struct dj_text *text, struct dj_replay *replay,
                      const struct dj_dialect *dialect, enum dj_replay_block block);

/* Reads one JSON object. The caller frees `frames`, also after an error. */
int dj_report_replay_read(const char *json, size_t length, struct dj_replay *replay,
                          struct dj_error *err);

#endif
