/*
 * The dialects of gfxinfo: one row per Android release, holding everything in which
 * releases differ — columns, jank rule, thresholds, counters and their accidents. A new
 * release is a new row in dialect.c; nothing else asks for a release's number but the
 * table of lines (gfxinfo/lines.c). What is proven and what inferred of each row:
 * docs/semantics.md.
 */
#ifndef DEJANK_FRAME_DIALECT_H
#define DEJANK_FRAME_DIALECT_H

#include "frame/stats.h"

struct dj_tracker;

/* A span of the pipeline and how long it may take, in parts of a frame interval. */
struct dj_threshold {
    enum dj_counter counter; /* counted when the span lasts at least the limit */
    enum dj_column start, end;
    double intervals; /* limit in frame intervals, truncated to whole ns as hwui does */
    int64_t least_ns; /* limit where `intervals` is 0 */
};

/* The length of a span of a frame; false, and *ns untouched, where an end is unknown. */
typedef bool dj_span(const struct dj_frame *frame, enum dj_column start,
                     enum dj_column end, int64_t *ns);

struct dj_dialect {
    const char *name;   /* the release, as users write it: "11" */
    int api;            /* its API level; M Preview, which had none of its own: 22 */
    const char *source; /* the hwui file and revision its rules were taken from */
    struct dj_column_list columns; /* framestats' columns in their order; none: it has no
                                      framestats */
    bool has_header;               /* the columns' names stand above the rows */
    bool swapped_labels;   /* FrameStartTime and FrameInterval bear each other's name */
    bool window_stats;     /* framestats prints a block for each window, too */
    const char *block_end; /* what follows the last line of a block: hwui's own newline */

    /* Judges one frame and moves the tracker's state; see tracker.h. */
    bool (*judge)(struct dj_tracker *tracker, const struct dj_frame *frame,
                  struct dj_verdict *verdict);
    const struct dj_threshold *thresholds; /* the per-type tests */
    size_t threshold_count;
    dj_span *total;                          /* IntendedVsync → FrameCompleted */
    dj_span *span;                           /* of the per-type tests */
    int64_t (*interval)(int64_t display_ns); /* what the tracker takes the display's
                                                interval for */
    int64_t exempt_flags;                    /* frames with one of these are never jank */
    bool drops_slow_exempt; /* … and in no bucket where they last an interval or more */
    bool aborts_on_nothing; /* a time of 0 or less is not counted: it ended the process */
    bool forgives_dequeue;  /* §3.3 */
    bool counts_gpu;        /* has a GPU HISTOGRAM */
    int64_t first_swap_deadline_ns; /* the state's first value */
    /* The deadline of a frame that starts while an older one still waits for the display;
     * NULL: no such thing. */
    int64_t (*stuffed_deadline)(const struct dj_tracker *tracker,
                                const struct dj_frame *frame, int64_t deadline_ns,
                                int64_t interval_ns);

    /* The counter a frame time goes to, or DJ_NO_BUCKET. */
    int16_t (*bucket)(struct dj_tracker *tracker, int64_t frame_time_ns);
    uint32_t (*bucket_label_ms)(size_t bucket);
    size_t bucket_count; /* percentiles are looked for in counters 0 … bucket_count − 1 */
    void (*as_printed)(
        struct dj_stats *stats); /* hwui's accidents with these counts; NULL: none */
    double empty_pct; /* the share of janky frames where there are none: NaN is 0 ÷ 0 */
};

/* The dialect of a release named as users write it; NULL if there is none. */
const struct dj_dialect *dj_dialect_find(const char *release);

/* The dialect of Linux apps unless another is asked for: Android 11. */
const struct dj_dialect *dj_dialect_default(void);

/* All of them, oldest first; NULL past the end. */
const struct dj_dialect *dj_dialect_at(size_t index);

/* What hwui's counters of this release hold after these frames: counts with its
 * accidents. Doing it twice is doing it once. */
void dj_dialect_as_printed(const struct dj_dialect *dialect, struct dj_stats *stats);

/* hwui's percentile of frame times (gfxinfo.md §3.9), of statistics as printed. */
uint32_t dj_dialect_percentile_ms(const struct dj_dialect *dialect,
                                  const struct dj_stats *printed, unsigned percent);

/* hwui's percentage of janky frames, of statistics as printed; may be NaN. */
double dj_dialect_janky_pct(const struct dj_dialect *dialect,
                            const struct dj_stats *printed, enum dj_counter janky);

/* The name a column's values bear in this release's header. */
const char *dj_dialect_column_name(const struct dj_dialect *dialect,
                                   enum dj_column column);

#endif
