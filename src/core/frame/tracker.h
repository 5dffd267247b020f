/* The jank rules: judges frames one by one like hwui's JankTracker of a release. */
#ifndef DEJANK_FRAME_TRACKER_H
#define DEJANK_FRAME_TRACKER_H

#include "frame/dialect.h"

/* One per window, because hwui stores its deadline state there. Plain data that can be
 * copied. */
struct dj_tracker {
    const struct dj_dialect *dialect;
    int64_t interval_ns; /* the display's frame interval as this release uses it, > 0 */
    int64_t forgiveness_ns; /* F of §3.3: how much of a slow dequeue is forgiven; 0:
                               nothing */
    bool rejudges; /* the frames were judged and printed before: a known FrameDeadline has
                      already been moved */
    int64_t swap_deadline_ns;   /* 9 … 16: hwui's mSwapDeadline, mSwapDeadlineLegacy */
    int64_t unstuffed_start_ns; /* 12 … 16: mNextFrameStartUnstuffed */
    int64_t
        grown_ns; /* preview: how much its overflowing counters increased the interval */
};

/* Initializes a tracker for a window on a display with this interval. dialect and
 * interval_ns must be valid. */
void dj_frame_tracker_init(struct dj_tracker *tracker, const struct dj_dialect *dialect,
                           int64_t interval_ns);

/* Computes F of §3.3 from a display's offsets in ns, as Android reports them. */
int64_t dj_frame_compute_forgiveness_ns(int64_t sf_offset_ns, int64_t app_offset_ns);

/* Judges a frame and updates the tracker's state. Returns false if the frame does not
 * count: columns of the rule are unknown, or its time is not positive (8 … 12L abort
 * then). *verdict has its effect even then: none, except on 12 … 16 if the legacy
 * rule, which comes first and uses another column, had counted it. */
bool dj_frame_tracker_judge(struct dj_tracker *tracker, const struct dj_frame *frame,
                            struct dj_verdict *verdict);

/* Returns the bucket of the frame's GPU time in the GPU histogram, or DJ_NO_BUCKET if
 * the release has no such histogram or the time is unknown. For a frame whose GPU time
 * became known after judging. */
int16_t dj_frame_tracker_gpu_bucket(const struct dj_tracker *tracker,
                                    const struct dj_frame *frame);

/* The rules in the rows of the dialect table. */

/* 5: no rule; counts frames and judges nothing. */
bool dj_tracker_judge_none(struct dj_tracker *tracker, const struct dj_frame *frame,
                           struct dj_verdict *verdict);

/* Preview … 8 (gfxinfo.md §3.4): a frame of an interval or more is janky. */
bool dj_tracker_judge_interval(struct dj_tracker *tracker, const struct dj_frame *frame,
                               struct dj_verdict *verdict);

/* 9, 10 and 11 (§3.5): a frame longer than the interval is janky. It also misses the
 * deadline if its buffer was too late. The deadline moves by one interval per frame. */
bool dj_tracker_judge_swap_deadline(struct dj_tracker *tracker,
                                    const struct dj_frame *frame,
                                    struct dj_verdict *verdict);

/* 12 … 16 (§3.6): a frame is janky if its GPU work ended after its own deadline. First
 * applies the rule of 11, up to the end of swapping: "(legacy)". */
bool dj_tracker_judge_frame_deadline(struct dj_tracker *tracker,
                                     const struct dj_frame *frame,
                                     struct dj_verdict *verdict);

#endif
