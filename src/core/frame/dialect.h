/* The gfxinfo dialects: a table with one row per Android release. A row contains
 * everything that differs between releases: columns, jank rule, thresholds, counters and
 * hwui's counting errors. A new release needs only a new row, except that
 * gfxinfo/lines.c also depends on release numbers. docs/semantics.md states for each row
 * which parts are proven and which are inferred. */
#ifndef DEJANK_FRAME_DIALECT_H
#define DEJANK_FRAME_DIALECT_H

#include "frame/stats.h"

struct dj_tracker;

/* A limit for the time between two columns. hwui counts each frame that reaches the
 * limit. */
struct dj_threshold {
    enum dj_counter counter; /* Counter of the frames that reach the limit. */
    enum dj_column start, end;
    /* Limit in frame intervals. hwui truncates the product to whole ns. */
    double intervals;
    int64_t least_ns; /* Limit in ns, used if `intervals` is 0. */
};

/* Measures the time from column `start` to column `end`. Returns false, with *ns
 * unchanged, if one of the two columns is unknown. */
typedef bool dj_measure_span(const struct dj_frame *frame, enum dj_column start,
                             enum dj_column end, int64_t *ns);

struct dj_dialect {
    const char *name;   /* Name of the release as users write it, for example "11". */
    int api;            /* API level. M Preview had no level of its own, so it has 22. */
    const char *source; /* hwui file and revision that define the rules. */
    /* Columns of framestats in their order, or empty if the release has no framestats. */
    struct dj_column_list columns;
    /* Whether a line with the column names precedes the rows of framestats. */
    bool has_header;
    /* Whether the header exchanges the names of FrameStartTime and FrameInterval. */
    bool swapped_labels;
    bool window_stats; /* Whether framestats also prints statistics for each window. */
    /* Text that hwui prints after the last line of a statistics block: "" or "\n". */
    const char *block_end;

    /* Judges one frame and updates the tracker's state (see tracker.h). */
    bool (*judge)(struct dj_tracker *tracker, const struct dj_frame *frame,
                  struct dj_verdict *verdict);
    const struct dj_threshold *thresholds; /* The thresholds of this release. */
    size_t threshold_count;
    dj_measure_span *total; /* Measures the frame time, IntendedVsync → FrameCompleted. */
    dj_measure_span *span; /* Measures the times that `thresholds` limits. */
    /* Converts the display's frame interval to the frame interval that hwui of this
     * release uses. */
    int64_t (*interval)(int64_t display_ns);
    /* Bit mask of enum dj_flag. A frame with one of these flags is never janky. */
    int64_t exempt_flags;
    /* Whether exempt frames of one interval or longer are missing in the histogram. */
    bool drops_slow_exempt;
    /* Whether hwui aborts the process if a frame time is 0 or less. dejank does not count
     * such a frame. */
    bool aborts_on_nothing;
    /* Whether hwui subtracts a slow dequeue of a buffer from the frame time (see
     * docs/semantics.md). */
    bool forgives_dequeue;
    bool counts_gpu; /* Whether the release prints a GPU HISTOGRAM. */
    /* Initial value of swap_deadline_ns in struct dj_tracker. */
    int64_t first_swap_deadline_ns;
    /* Returns the deadline of a stuffed frame, which is a frame that starts while an
     * older frame still waits for the display. NULL if the release has no such rule. */
    int64_t (*stuffed_deadline)(const struct dj_tracker *tracker,
                                const struct dj_frame *frame, int64_t deadline_ns,
                                int64_t interval_ns);

    /* Returns the histogram bucket of a frame time, or DJ_NO_BUCKET. */
    int16_t (*bucket)(struct dj_tracker *tracker, int64_t frame_time_ns);
    uint32_t (*bucket_label_ms)(size_t bucket);
    /* Number of buckets. Percentiles use the buckets 0 … bucket_count − 1. */
    size_t bucket_count;
    /* Applies hwui's counting errors, or NULL if the release has none. */
    void (*as_printed)(struct dj_stats *stats);
    /* Percentage of janky frames that hwui prints if it counted no frames: 0, or NaN for
     * 0 ÷ 0. */
    double empty_pct;
};

/* Returns the dialect of the release with this name, such as "11", or NULL. */
const struct dj_dialect *dj_frame_dialect_find(const char *release);

/* Returns the default dialect of Linux apps, that of Android 11. */
const struct dj_dialect *dj_frame_dialect_default(void);

/* Returns dialect number `index`, oldest first, or NULL if there are fewer. */
const struct dj_dialect *dj_frame_dialect_at(size_t index);

/* Converts correct statistics to those that hwui of this release prints, with hwui's
 * counting errors. A second call changes nothing. */
void dj_frame_dialect_apply_quirks(const struct dj_dialect *dialect,
                                   struct dj_stats *stats);

/* Computes hwui's percentile of frame times from printed statistics. */
uint32_t dj_frame_dialect_percentile_ms(const struct dj_dialect *dialect,
                                        const struct dj_stats *printed, unsigned percent);

/* Computes hwui's percentage of janky frames from printed statistics. The result may be
 * NaN. */
double dj_frame_dialect_janky_pct(const struct dj_dialect *dialect,
                                  const struct dj_stats *printed, enum dj_counter janky);

/* Returns the name that this release's header has for a column. */
const char *dj_frame_dialect_column_name(const struct dj_dialect *dialect,
                                         enum dj_column column);

#endif
