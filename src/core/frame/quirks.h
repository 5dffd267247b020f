/* The functions in the rows of the dialect table: counters with their errors, spans,
 * and values that a release's tracker computes. */
#ifndef DEJANK_FRAME_QUIRKS_H
#define DEJANK_FRAME_QUIRKS_H

#include "frame/tracker.h"

enum { DJ_PREVIEW_BUCKETS = 128, DJ_6_0_BUCKETS = 57 };

/* Preview: 128 counters of 1 ms. Longer frames increment the word after them, the
 * frame interval. */
int16_t dj_quirks_bucket_preview(struct dj_tracker *tracker, int64_t frame_time_ns);
uint32_t dj_quirks_bucket_preview_label_ms(size_t bucket);

/* 6.0: the counters of 7.0 with three differences. The first contains 0–7 ms, and the
 * last ends at 135 ms. Longer frames increment the word after the counters, the number
 * of all frames: they count in the counter of 136 ms until printing. */
int16_t dj_quirks_bucket_6_0(struct dj_tracker *tracker, int64_t frame_time_ns);
void dj_quirks_count_6_0(struct dj_stats *stats);

/* 7.0 … 16 (histogram.h). */
int16_t dj_quirks_bucket_7_0(struct dj_tracker *tracker, int64_t frame_time_ns);

/* 7.0 … 16: the counters from 150 ms on are uint16_t. */
void dj_quirks_count_7_0(struct dj_stats *stats);

/* Preview, and the total of 6.0: end − start, including waits for the render thread. */
dj_measure_span dj_quirks_span_plain;

/* The interval of the display unchanged. */
int64_t dj_quirks_interval_exact(int64_t display_ns);

/* 7.1 … 10: the display reports frames per second as a float; the interval is 10⁹ ÷
 * that, also as a float. */
int64_t dj_quirks_interval_from_fps(int64_t display_ns);

/* 12 … 15: a waiting buffer moves the deadline by one interval. */
int64_t dj_quirks_stuffed_by_interval(const struct dj_tracker *tracker,
                                      const struct dj_frame *frame, int64_t deadline_ns,
                                      int64_t interval_ns);

/* 16: the time the frame may take, counted from its start without any waiting. */
int64_t dj_quirks_stuffed_by_workload(const struct dj_tracker *tracker,
                                      const struct dj_frame *frame, int64_t deadline_ns,
                                      int64_t interval_ns);

#endif
