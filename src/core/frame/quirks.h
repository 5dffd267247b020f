/* The functions in the rows of the dialect table: buckets with hwui's counting errors,
 * measurements of times, and values that a release's tracker computes. */
#ifndef DEJANK_FRAME_QUIRKS_H
#define DEJANK_FRAME_QUIRKS_H

#include "frame/tracker.h"

enum { DJ_PREVIEW_BUCKETS = 128, DJ_6_0_BUCKETS = 57 };

/* M Preview: 128 buckets of 1 ms each. For longer frames, hwui writes past the array.
 * This increments the variable after the buckets, which is the frame interval. */
int16_t dj_quirks_bucket_preview(struct dj_tracker *tracker, int64_t frame_time_ns);
uint32_t dj_quirks_bucket_preview_label_ms(size_t bucket);

/* Android 6.0: the buckets of 7.0 with three differences. The first bucket contains 0–7
 * ms. The last bucket ends at 135 ms. For longer frames, hwui writes past the array. This
 * increments the variable after the buckets, which is the number of all frames.
 * dj_quirks_bucket_6_0() returns the bucket of 136 ms for these frames, and
 * dj_quirks_count_6_0() adds that bucket to the number of all frames before printing. */
int16_t dj_quirks_bucket_6_0(struct dj_tracker *tracker, int64_t frame_time_ns);
void dj_quirks_count_6_0(struct dj_stats *stats);

/* Android 7.0 … 16: the buckets of histogram.h. */
int16_t dj_quirks_bucket_7_0(struct dj_tracker *tracker, int64_t frame_time_ns);

/* Android 7.0 … 16: applies the overflow of the buckets from 150 ms on, which are
 * uint16_t in hwui. */
void dj_quirks_count_7_0(struct dj_stats *stats);

/* M Preview, and the frame time of 6.0: end − start, including the wait for the render
 * thread. */
dj_measure_span dj_quirks_span_plain;

/* Returns the interval of the display unchanged. */
int64_t dj_quirks_interval_exact(int64_t display_ns);

/* Android 7.1 … 10: hwui gets frames per second as a float and computes 10⁹ ÷ fps, also
 * as a float. */
int64_t dj_quirks_interval_from_fps(int64_t display_ns);

/* Android 12 … 15: the deadline of a stuffed frame is one interval later. */
int64_t dj_quirks_stuffed_by_interval(const struct dj_tracker *tracker,
                                      const struct dj_frame *frame, int64_t deadline_ns,
                                      int64_t interval_ns);

/* Android 16: the deadline of a stuffed frame is WorkloadTarget after the time at which
 * the frame would have started if no buffer had waited. */
int64_t dj_quirks_stuffed_by_workload(const struct dj_tracker *tracker,
                                      const struct dj_frame *frame, int64_t deadline_ns,
                                      int64_t interval_ns);

#endif
