/* Collection windows: the frames counted between two readings of counters that may
 * restart, and how many of them are available as rows. Arithmetic only, so that a
 * store can recompute it. */
#ifndef DEJANK_FRAME_RECOVERY_H
#define DEJANK_FRAME_RECOVERY_H

#include "frame/stats.h"

/* A collection window: an interval [start, end) of the device's clock. A frame belongs
 * to the window that contains its IntendedVsync, whenever it was read. */
struct dj_span {
    int64_t start_ns, end_ns;
};

bool dj_frame_span_contains(const struct dj_span *span, const struct dj_frame *frame);

/* Returns false for the newest rows of a ring whose frame is not complete: hwui does
 * not clear its slots, so such a row has no FrameCompleted, or that of a frame 120
 * earlier (gfxinfo.md §1.4). */
bool dj_frame_is_complete(const struct dj_frame *frame);

/* Cumulative statistics over several readings. Zero it before use. */
struct dj_tally {
    bool opened;
    bool resetting;       /* dejank reset the counters after the last reading */
    struct dj_stats base; /* start of the present period of counting */
    struct dj_stats last; /* the newest reading */
    struct dj_stats sum;  /* all completed periods */
    uint32_t breaks;      /* restarts of the counters that dejank did not cause */
};

/* Adds the first reading. Its frames were counted before the measured window and do not
 * belong to it. all_ours: the process started inside the window, so all of them do. */
void dj_frame_tally_open(struct dj_tally *tally, const struct dj_stats *stats,
                         bool all_ours);

/* Adds another reading. Counters that restarted ("Stats since" moved, or the total
 * decreased) start a new period. Frames between the previous reading and the restart
 * are lost, in unknown number. */
void dj_frame_tally_add_reading(struct dj_tally *tally, const struct dj_stats *stats);

/* Records that a reset followed the last reading. If the next reading shows that the
 * device did not execute it (before Android 13, a process without windows), nothing
 * counts twice. */
void dj_frame_tally_reset(struct dj_tally *tally);

/* Computes everything counted from the opening to the last reading. since_ns is 0. */
void dj_frame_tally_sum(const struct dj_tally *tally, struct dj_stats *sum);

/* How many of the counted frames are available as rows. */
struct dj_recovery {
    int64_t recovered; /* complete rows inside the window */
    int64_t
        expected;    /* frames counted, without those whose rows are outside the window */
    int64_t outside; /* rows of counted frames that began before or after the window */
    int64_t skipped; /* rows that drew nothing; the counters exclude them too */
    int64_t incomplete; /* rows that were never seen complete */
};

/* Adds a window's rows: each frame once, and none that was complete before the window
 * opened. */
void dj_frame_recovery_add_rows(struct dj_recovery *recovery,
                                const struct dj_frame *frames, size_t count,
                                const struct dj_span *span);

/* Adds the number of frames that a process's counters counted in the window. Rows can
 * be newer than counters that were read a moment earlier: `recovered` is at most
 * `expected`. */
void dj_frame_recovery_set_counted(struct dj_recovery *recovery, uint32_t counted);

/* recovery += other, field by field. */
void dj_frame_recovery_merge(struct dj_recovery *recovery,
                             const struct dj_recovery *other);

#endif
