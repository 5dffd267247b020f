/* Measurement windows: how many frames hwui counted in a window, and for how many of
 * these frames a row is available. The counts are correct even if hwui's counters
 * restart. The functions only compute, so that the result can be computed again from
 * stored data. */
#ifndef DEJANK_FRAME_RECOVERY_H
#define DEJANK_FRAME_RECOVERY_H

#include "frame/stats.h"

/* A measurement window: the interval [start, end) of the device's clock. A frame belongs
 * to the window that contains its IntendedVsync, even if its row was read later. If
 * IntendedVsync is unknown, DisplayPresentTime decides. */
struct dj_span {
    int64_t start_ns, end_ns;
};

bool dj_frame_span_contains(const struct dj_span *span, const struct dj_frame *frame);

/* Returns whether the frame of a row was complete when the row was read. The newest rows
 * of a dump may be incomplete. FrameCompleted of such a row is missing, or it belongs to
 * the frame 120 frames earlier, because hwui does not clear the slots of its ring buffer.
 * A row with no known time except DisplayPresentTime is complete. */
bool dj_frame_is_complete(const struct dj_frame *frame);

/* Sums hwui's cumulative statistics over several dumps, even if the counters restart
 * between two dumps. A period is the time between two restarts. Zero the struct before
 * use. */
struct dj_stats_accumulator {
    bool started;
    bool resetting;       /* Whether dejank reset the counters after the last dump. */
    struct dj_stats base; /* Statistics at the start of the current period. */
    struct dj_stats last; /* Statistics of the last reading. */
    struct dj_stats sum;  /* Sum of all completed periods. */
    uint32_t restarts;    /* Number of restarts that dejank did not cause. */
};

/* Adds the first dump. If counts_all is false, the frames in *stats were drawn before
 * the window and are not added to the sum. If counts_all is true, the process started
 * inside the window, so all of its frames are added. */
void dj_frame_accumulator_start(struct dj_stats_accumulator *accumulator,
                                const struct dj_stats *stats, bool counts_all);

/* Adds another dump. A new period starts if the counters restarted, that is if "Stats
 * since" changed or the total decreased. The frames between the previous dump and the
 * restart are missing in the sum because their number is unknown. */
void dj_frame_accumulator_add(struct dj_stats_accumulator *accumulator,
                              const struct dj_stats *stats);

/* Records that dejank reset the counters after the last dump. Some devices ignore the
 * reset (before Android 13, for a process without windows). If the next dump shows
 * that the counters did not restart, no frame is counted twice. */
void dj_frame_accumulator_reset(struct dj_stats_accumulator *accumulator);

/* Computes the statistics from the first to the last dump. Sets sum->since_ns to 0. */
void dj_frame_accumulator_sum(const struct dj_stats_accumulator *accumulator,
                              struct dj_stats *sum);

/* The numbers of frames that were counted and of frames that have a row. */
struct dj_recovery {
    int64_t recovered; /* Number of complete rows inside the window. */
    /* Number of counted frames, without the frames whose rows are outside the window. */
    int64_t expected;
    /* Number of counted frames whose rows are before or after the window. */
    int64_t outside;
    /* Number of rows that drew nothing. hwui's counters exclude them too. */
    int64_t skipped;
    int64_t incomplete; /* Number of rows that were incomplete in every dump. */
};

/* Adds the rows of a window. Each frame must appear once. Rows that were complete before
 * the window started must not be included. */
void dj_frame_recovery_add_rows(struct dj_recovery *recovery,
                                const struct dj_frame *frames, size_t count,
                                const struct dj_span *span);

/* Sets `expected` from the number of frames that a process's counters counted in the
 * window. The rows may be newer than the counters because they were read later. If so,
 * `expected` is raised to `recovered`. */
void dj_frame_recovery_set_counted(struct dj_recovery *recovery, uint32_t counted);

/* Adds each member of *other to the same member of *recovery. */
void dj_frame_recovery_merge(struct dj_recovery *recovery,
                             const struct dj_recovery *other);

#endif
