/*
 * Collection windows: what was counted between two readings of counters that may begin
 * anew, and how many of those frames are there as rows. Arithmetic only, so that a store
 * can recompute it.
 */
#ifndef DEJANK_FRAME_RECOVERY_H
#define DEJANK_FRAME_RECOVERY_H

#include "frame/stats.h"

/* A window of collection: an interval [start, end) of the device's clock. A frame belongs
 * to the one its IntendedVsync falls into, however late it was read. */
struct dj_span {
    int64_t start_ns, end_ns;
};

bool dj_span_holds(const struct dj_span *span, const struct dj_frame *frame);

/* False for the newest rows of a ring whose frame is still on its way: hwui does not
 * clear its slots, so that such a row has no FrameCompleted yet or that of a frame 120
 * earlier (gfxinfo.md §1.4). */
bool dj_frame_complete(const struct dj_frame *frame);

/* Cumulative statistics followed through readings. Zero it. */
struct dj_tally {
    bool opened;
    bool resetting;       /* the last reading was followed by a reset of ours */
    struct dj_stats base; /* where this stretch of counting began */
    struct dj_stats last; /* the newest reading */
    struct dj_stats sum;  /* all stretches that are over */
    uint32_t breaks;      /* times the counters began anew without our doing */
};

/* The first reading. What it holds was counted before and does not belong to the window,
 * unless `all_ours`: the process began inside it. */
void dj_tally_open(struct dj_tally *tally, const struct dj_stats *stats, bool all_ours);

/* Each further one. Counters that began anew ("Stats since" moved, or the total went
 * down) start a new stretch; what was counted between the reading before and that moment
 * is lost, and nobody knows how much it was. */
void dj_tally_read(struct dj_tally *tally, const struct dj_stats *stats);

/* The reading just taken was followed by a reset. Where the next one shows that the
 * device did not do it (before Android 13 a process without windows), nothing is counted
 * twice. */
void dj_tally_reset(struct dj_tally *tally);

/* All that was counted from the opening to the last reading. since_ns is 0. */
void dj_tally_sum(const struct dj_tally *tally, struct dj_stats *sum);

/* How many of the frames that were counted are there as rows. */
struct dj_recovery {
    int64_t recovered; /* complete rows inside the window */
    int64_t
        expected;    /* frames counted, without those whose rows lie outside the window */
    int64_t outside; /* rows of frames that were counted, but began before or after the
                        window */
    int64_t skipped; /* rows that drew nothing; the counters leave them out too */
    int64_t incomplete; /* rows that never were seen complete */
};

/* Adds a window's rows (each frame once, none that was complete before the window
 * opened). */
void dj_recovery_add_rows(struct dj_recovery *recovery, const struct dj_frame *frames,
                          size_t count, const struct dj_span *span);

/* Then, per process, what its counters counted meanwhile. Rows can be ahead of counters
 * that were read a moment earlier: no more is recovered than expected. */
void dj_recovery_settle(struct dj_recovery *recovery, uint32_t counted);

/* recovery += other, field by field. */
void dj_recovery_merge(struct dj_recovery *recovery, const struct dj_recovery *other);

#endif
