/* Replay: frames from a JSON file through a release's tracker, printed as that release
 * prints them. */
#ifndef DEJANK_REPORT_DUMP_REPLAY_H
#define DEJANK_REPORT_DUMP_REPLAY_H

#include "base/error.h"
#include "base/text.h"
#include "frame/dialect.h"

/* What of a dump to print. */
enum dj_replay_block {
    DJ_REPLAY_PROCESS,   /* the statistics block of the process */
    DJ_REPLAY_WINDOW,    /* that of the window, with its title */
    DJ_REPLAY_FRAMESTATS /* the newest 120 rows */
};

/* One object of the file. */
struct dj_replay {
    int64_t vsync_ns; /* > 0 */
    int64_t sf_offset_ns, app_offset_ns;
    struct dj_frame *frames; /* oldest first */
    size_t frame_count;
};

/* The block of a name ("process"); false for names of none. */
bool dj_report_replay_block_find(const char *name, enum dj_replay_block *block);

/* Checks whether the release prints this block. The error has the reason if not. */
int dj_report_replay_check(const struct dj_dialect *dialect, enum dj_replay_block block,
                           struct dj_error *err);

/* Appends the block of one object, "Stats since: 424242ns" and window title "win".
 * Deadlines that the tracker moves are moved in the frames. */
void dj_report_replay(struct dj_text *text, struct dj_replay *replay,
                      const struct dj_dialect *dialect, enum dj_replay_block block);

/* Reads one JSON object. frames is the caller's to free, also after an error. */
int dj_report_replay_read(const char *json, size_t length, struct dj_replay *replay,
                          struct dj_error *err);

#endif
