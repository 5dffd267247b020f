/* The jank rules: one frame after the other, judged as hwui's JankTracker of a release
 * judges them. */
#ifndef DEJANK_FRAME_TRACKER_H
#define DEJANK_FRAME_TRACKER_H

#include "frame/dialect.h"

/* One per window: hwui keeps its deadline state there. Plain data, copied freely. */
struct dj_tracker {
    const struct dj_dialect *dialect;
    int64_t interval_ns; /* the display's frame interval as this release takes it, > 0 */
    int64_t forgiveness_ns; /* §3.3's F: how much of a slow dequeue is not the app's
                               fault; 0: none */
    bool rejudges; /* the frames were judged and printed before: a FrameDeadline that they
                      know is the moved one already */
    int64_t swap_deadline_ns;   /* 9 … 16: hwui's mSwapDeadline, mSwapDeadlineLegacy */
    int64_t unstuffed_start_ns; /* 12 … 16: mNextFrameStartUnstuffed */
    int64_t grown_ns; /* preview: how much its overflowing counters made the interval
                         longer */
};

/* A tracker for a window on a display of this interval. dialect and interval_ns must be
 * valid. */
void dj_tracker_init(struct dj_tracker *tracker, const struct dj_dialect *dialect,
                     int64_t interval_ns);

/* F of §3.3 from a display's offsets: sf_offset and app_offset in ns as Android reports
 * them. */
int64_t dj_forgiveness_ns(int64_t sf_offset_ns, int64_t app_offset_ns);

/*
 * Judges a frame and moves the tracker's state. False where the frame is not counted: the
 * columns the rule stands on are unknown, or its time is not positive (8 … 12L abort
 * there). *verdict then holds what it adds all the same: nothing, but on 12 … 16 where
 * the legacy rule, which comes first and measures to another column, had counted it.
 */
bool dj_tracker_judge(struct dj_tracker *tracker, const struct dj_frame *frame,
                      struct dj_verdict *verdict);

/* The bucket of the GPU histogram that the frame's GPU time falls into: DJ_NO_BUCKET
 * where the release has no such histogram or the time is unknown. For a frame whose GPU
 * time became known after it was judged. */
int16_t dj_tracker_gpu_bucket(const struct dj_tracker *tracker,
                              const struct dj_frame *frame);

/* The rules, for the rows of dialects. */

/* 5: none; it counts frames and judges nothing. */
bool dj_judge_none(struct dj_tracker *tracker, const struct dj_frame *frame,
                   struct dj_verdict *verdict);

/* Preview … 8 (gfxinfo.md §3.4): jank is a frame that lasts an interval or more. */
bool dj_judge_interval(struct dj_tracker *tracker, const struct dj_frame *frame,
                       struct dj_verdict *verdict);

/* 9, 10 and 11 (§3.5): jank is a frame longer than the interval; a miss is one whose
 * buffer also came too late for the deadline, which moves on by one interval per frame.
 */
bool dj_judge_swap_deadline(struct dj_tracker *tracker, const struct dj_frame *frame,
                            struct dj_verdict *verdict);

/* 12 … 16 (§3.6): jank is a frame whose GPU work ended past its own deadline. Before it,
 * the rule of 11, to the end of swapping: "(legacy)". */
bool dj_judge_frame_deadline(struct dj_tracker *tracker, const struct dj_frame *frame,
                             struct dj_verdict *verdict);

#endif
