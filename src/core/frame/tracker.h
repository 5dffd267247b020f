/* The jank rules. A tracker judges frames one by one like hwui's JankTracker of one
 * Android release. docs/semantics.md describes the rules. */
#ifndef DEJANK_FRAME_TRACKER_H
#define DEJANK_FRAME_TRACKER_H

#include "frame/dialect.h"

/* The state of a jank rule. Each app window has its own tracker, because hwui stores the
 * deadline per window. The struct may be copied. */
struct dj_tracker {
    const struct dj_dialect *dialect;
    /* Frame interval of the display in ns as this release computes it, > 0. */
    int64_t interval_ns;
    /* Parameter of hwui's rule for slow dequeues in ns
     * (dj_frame_compute_forgiveness_ns()), or 0 if the rule does not apply. */
    int64_t forgiveness_ns;
    /* Whether the frames were judged and printed before, so that FrameDeadline, if
     * known, already has its changed value. */
    bool rejudges;
    /* Android 9 … 16: hwui's mSwapDeadline or mSwapDeadlineLegacy. */
    int64_t swap_deadline_ns;
    int64_t unstuffed_start_ns; /* Android 12 … 16: hwui's mNextFrameStartUnstuffed. */
    /* M Preview: number of ns by which overflowing counters increased the interval. */
    int64_t grown_ns;
};

/* Initializes a tracker. `dialect` must stay valid while the tracker is used.
 * interval_ns is the display's frame interval, > 0. */
void dj_frame_tracker_init(struct dj_tracker *tracker, const struct dj_dialect *dialect,
                           int64_t interval_ns);

/* Computes forgiveness_ns of struct dj_tracker from a display's two vsync offsets in ns,
 * as Android reports them. */
int64_t dj_frame_compute_forgiveness_ns(int64_t sf_offset_ns, int64_t app_offset_ns);

/* Judges a frame, updates the tracker's state, and sets *verdict to the frame's effect on
 * the statistics.
 *
 * Returns false if hwui does not count the frame. This is the case if a column that the
 * rule needs is unknown, or if the frame time is 0 or less (which makes Android 8 … 12L
 * abort). *verdict is valid even then. In Android 12 … 16, it may contain counters of the
 * legacy rule. These releases apply the legacy rule first, and this rule measures the
 * frame time to another column. */
bool dj_frame_tracker_judge(struct dj_tracker *tracker, const struct dj_frame *frame,
                            struct dj_verdict *verdict);

/* Computes how the frame changes the statistics. This is the result of
 * dj_frame_tracker_judge(), with one exception: a frame with no known time except its
 * present counts only in the total, and only if the display showed it. */
bool dj_frame_tracker_count(struct dj_tracker *tracker, const struct dj_frame *frame,
                            struct dj_verdict *verdict);

/* Returns the bucket of the frame's GPU time in the GPU histogram. Returns DJ_NO_BUCKET
 * if the release has no GPU histogram or the time is unknown. Call this for a frame
 * whose GPU time became known after the frame was judged. */
int16_t dj_frame_tracker_gpu_bucket(const struct dj_tracker *tracker,
                                    const struct dj_frame *frame);

/* The jank rules for struct dj_dialect. */

/* Android 5: counts frames and judges nothing. */
bool dj_tracker_judge_none(struct dj_tracker *tracker, const struct dj_frame *frame,
                           struct dj_verdict *verdict);

/* M Preview … Android 8: a frame of one interval or longer is janky. */
bool dj_tracker_judge_interval(struct dj_tracker *tracker, const struct dj_frame *frame,
                               struct dj_verdict *verdict);

/* Android 9 … 11: a frame longer than the interval is janky. A frame of one interval or
 * longer misses the deadline if FrameCompleted is not before the swap deadline. The swap
 * deadline moves by at least one interval per frame. */
bool dj_tracker_judge_swap_deadline(struct dj_tracker *tracker,
                                    const struct dj_frame *frame,
                                    struct dj_verdict *verdict);

/* Android 12 … 16: a frame is janky if its GPU work ended at or after the frame's own
 * deadline. Before that, the rule of Android 11 is applied, with the time until the end
 * of swapping, for the "(legacy)" counters. */
bool dj_tracker_judge_frame_deadline(struct dj_tracker *tracker,
                                     const struct dj_frame *frame,
                                     struct dj_verdict *verdict);

#endif
