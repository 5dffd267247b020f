/* The jank rules: one frame after the other, judged as hwui's JankTracker of a release judges them. */
#ifndef DEJANK_FRAME_TRACKER_H
#define DEJANK_FRAME_TRACKER_H

#include "frame/dialect.h"

/* One per window: hwui keeps its deadline state there. Plain data, copied freely. */
struct dj_tracker {
    const struct dj_dialect *dialect;
    int64_t interval_ns;         /* the display's frame interval, > 0 */
    int64_t forgiveness_ns;      /* §3.3's F: how much of a slow dequeue is not the app's fault; 0: none */
    int64_t swap_deadline_ns;    /* hwui's mSwapDeadline; starts at 0 (uninitialised in hwui) */
};

/* A tracker for a window on a display of this interval. dialect and interval_ns must be valid. */
void dj_tracker_init(struct dj_tracker *tracker, const struct dj_dialect *dialect,
                     int64_t interval_ns);

/* F of §3.3 from a display's offsets: sf_offset and app_offset in ns as Android reports them. */
int64_t dj_forgiveness_ns(int64_t sf_offset_ns, int64_t app_offset_ns);

/*
 * Judges a frame and moves the tracker's state. False where the frame does not count at all: the columns
 * the rule stands on are unknown, or its time is not positive (hwui aborts there); *verdict is then untouched.
 */
bool dj_tracker_judge(struct dj_tracker *tracker, const struct dj_frame *frame,
                      struct dj_verdict *verdict);

/* Releases 9, 10 and 11 (gfxinfo.md §3.5): jank is a frame longer than the interval; a miss is one whose
 * buffer also came too late for the deadline, which moves on by one interval per frame. */
bool dj_judge_swap_deadline(struct dj_tracker *tracker, const struct dj_frame *frame,
                            struct dj_verdict *verdict);

#endif
