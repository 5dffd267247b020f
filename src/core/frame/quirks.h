/* What the rows of dialects are made of beside numbers: counters, their accidents, spans,
 * and the values a release's tracker makes itself. Private to this room. */
#ifndef DEJANK_FRAME_QUIRKS_H
#define DEJANK_FRAME_QUIRKS_H

#include "frame/tracker.h"

enum { DJ_PREVIEW_BUCKETS = 128, DJ_6_0_BUCKETS = 57 };

/* Preview: 128 counters of 1 ms. Longer frames hit the word behind them, the frame
 * interval. */
int16_t dj_bucket_preview(struct dj_tracker *tracker, int64_t frame_time_ns);
uint32_t dj_bucket_preview_label_ms(size_t bucket);

/* 6.0: the counters of 7.0, but that its first holds 0–7 ms, its last ends at 135 ms, and
 * all beyond hits the word behind them, the count of all frames: it is kept in the
 * counter of 136 ms until it is printed. */
int16_t dj_bucket_6_0(struct dj_tracker *tracker, int64_t frame_time_ns);
void dj_print_6_0(struct dj_stats *stats);

/* 7.0 … 16 (histogram.h). */
int16_t dj_bucket_7_0(struct dj_tracker *tracker, int64_t frame_time_ns);

/* 7.0 … 16: the counters from 150 ms on are uint16_t. */
void dj_print_7_0(struct dj_stats *stats);

/* Preview, and the total of 6.0: end − start as it is, waits for the render thread
 * included. */
dj_span dj_span_plain;

/* The interval as the display has it. */
int64_t dj_interval_exact(int64_t display_ns);

/* 7.1 … 10: the display speaks in frames per second, as a float; 10⁹ ÷ that, in float
 * again. */
int64_t dj_interval_from_fps(int64_t display_ns);

/* 12 … 15: a buffer of slack is one interval more. */
int64_t dj_stuffed_by_interval(const struct dj_tracker *tracker,
                               const struct dj_frame *frame, int64_t deadline_ns,
                               int64_t interval_ns);

/* 16: the time the frame may take, counted from where it would start if nothing waited.
 */
int64_t dj_stuffed_by_workload(const struct dj_tracker *tracker,
                               const struct dj_frame *frame, int64_t deadline_ns,
                               int64_t interval_ns);

#endif
