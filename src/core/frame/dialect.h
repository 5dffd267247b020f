/* The dialects of gfxinfo: one row per Android release with all differences between
 * releases: columns, jank rule, thresholds, counters and their errors. A new release
 * is a new row in the table. Only the table of lines (gfxinfo/lines.c) also depends on
 * release numbers. docs/semantics.md says which parts of each row are proven and which
 * inferred. */
#ifndef DEJANK_FRAME_DIALECT_H
#define DEJANK_FRAME_DIALECT_H

#include "frame/stats.h"

struct dj_tracker;

/* A span of the pipeline and its limit as a fraction of the frame interval. */
struct dj_threshold {
    enum dj_counter counter; /* counts if the span lasts at least the limit */
    enum dj_column start, end;
    double intervals; /* limit in frame intervals, truncated to whole ns as hwui does */
    int64_t least_ns; /* limit if `intervals` is 0 */
};

/* Measures a span of a frame. Returns false, with *ns unchanged, if an end is unknown. */
typedef bool dj_measure_span(const struct dj_frame *frame, enum dj_column start,
                             enum dj_column end, int64_t *ns);

struct dj_dialect {
    const char *name; /* the release, as users write it: "11" */
    int api;          /* its API level; 22 for M Preview, which had no level of its own */
    const char *source;            /* the hwui file and revision that define its rules */
    struct dj_column_list columns; /* columns of framestats in their order; none: the
                                      release has no framestats */
    bool has_header;               /* a line with the column names precedes the rows */
    bool swapped_labels;   /* FrameStartTime and FrameInterval have each other's name */
    bool window_stats;     /* framestats also prints a block per window */
    const char *block_end; /* text after the last line of a block: hwui's own newline */

    /* Judges one frame and updates the tracker's state; see tracker.h. */
    bool (*judge)(struct dj_tracker *tracker, const struct dj_frame *frame,
                  struct dj_verdict *verdict);
    const struct dj_threshold *thresholds; /* the tests per type */
    size_t threshold_count;
    dj_measure_span *total;                  /* IntendedVsync → FrameCompleted */
    dj_measure_span *span;                   /* span function of the tests per type */
    int64_t (*interval)(int64_t display_ns); /* the interval that the tracker uses for
                                                this display interval */
    int64_t exempt_flags;   /* frames with one of these flags are never janky */
    bool drops_slow_exempt; /* … and in no bucket if they last an interval or more */
    bool aborts_on_nothing; /* a time of 0 or less does not count: it aborted the process
                             */
    bool forgives_dequeue;  /* §3.3 */
    bool counts_gpu;        /* has a GPU HISTOGRAM */
    int64_t first_swap_deadline_ns; /* initial value of the state */
    /* Returns the deadline of a frame that starts while an older one still waits for
     * the display. NULL: the release has no such rule. */
    int64_t (*stuffed_deadline)(const struct dj_tracker *tracker,
                                const struct dj_frame *frame, int64_t deadline_ns,
                                int64_t interval_ns);

    /* Returns the counter of a frame time, or DJ_NO_BUCKET. */
    int16_t (*bucket)(struct dj_tracker *tracker, int64_t frame_time_ns);
    uint32_t (*bucket_label_ms)(size_t bucket);
    size_t bucket_count; /* percentiles use the counters 0 … bucket_count − 1 */
    void (*as_printed)(
        struct dj_stats *stats); /* applies hwui's counting errors; NULL: none */
    double empty_pct; /* percentage of janky frames without frames: NaN is 0 ÷ 0 */
};

/* Returns the dialect with this release name, such as "11", or NULL. */
const struct dj_dialect *dj_frame_dialect_find(const char *release);

/* Returns the default dialect of Linux apps: Android 11. */
const struct dj_dialect *dj_frame_dialect_default(void);

/* Returns dialect `index`, oldest first; NULL after the last. */
const struct dj_dialect *dj_frame_dialect_at(size_t index);

/* Converts correct counts to the counters of hwui of this release, with its errors.
 * Idempotent. */
void dj_frame_dialect_apply_quirks(const struct dj_dialect *dialect,
                                   struct dj_stats *stats);

/* Computes hwui's percentile of frame times (gfxinfo.md §3.9) from printed statistics. */
uint32_t dj_frame_dialect_percentile_ms(const struct dj_dialect *dialect,
                                        const struct dj_stats *printed, unsigned percent);

/* Computes hwui's percentage of janky frames from printed statistics. May be NaN. */
double dj_frame_dialect_janky_pct(const struct dj_dialect *dialect,
                                  const struct dj_stats *printed, enum dj_counter janky);

/* Returns the name of a column in this release's header. */
const char *dj_frame_dialect_column_name(const struct dj_dialect *dialect,
                                         enum dj_column column);

#endif
