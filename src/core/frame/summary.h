/* The exact statistics of the rows of a measurement window. hwui prints only counters
 * and histograms. This header adds: which rows are usable and why others are not,
 * distributions of frame times and stages, janky frames by the release's rule, and the
 * frame rate. "The guide" is Android's guide to profiling frames, section "Framestats
 * data format", which says which rows to use and how to compute a frame's time. */
#ifndef DEJANK_FRAME_SUMMARY_H
#define DEJANK_FRAME_SUMMARY_H

#include "frame/stages.h"
#include "frame/tracker.h"

/* Whether a row is usable for the exact statistics, or the first reason why not. */
enum dj_usability {
    DJ_ROW_USABLE,
    DJ_ROW_INCOMPLETE, /* The row was truncated, so a column of the dump is missing. */
    /* Flag 1: layout or visibility changed. The guide excludes such rows. */
    DJ_ROW_WINDOW_CHANGED,
    DJ_ROW_SKIPPED, /* Flag 8: nothing was drawn. */
    /* FrameCompleted ≤ IntendedVsync: the frame was incomplete when the row was read. */
    DJ_ROW_NOT_COMPLETED,
    /* A completion timestamp belongs to an earlier frame of the same ring slot. */
    DJ_ROW_STALE,
    /* A later row describes the same frame. Only the last one is usable. */
    DJ_ROW_DUPLICATE,
    DJ_ROW_IMPLAUSIBLE, /* A timestamp is outside the plausible range. */
    /* DisplayPresentTime is the only known time of the frame, so the frame has no frame
     * time. */
    DJ_ROW_PRESENT_ONLY,
    DJ_USABILITY_COUNT
};

/* Returns the reason in words, for example "window changed", or "usable". */
const char *dj_frame_usability_name(enum dj_usability usability);

/* Facts about one row. */
struct dj_row_facts {
    /* Frame time in ns as hwui of the release measures it, or −1 if not judged. */
    int64_t frame_time_ns;
    bool judged; /* Whether the release's jank rule applies to the row. */
    bool janky;
    /* A value of enum dj_usability. A row that is not usable may still be judged. */
    uint8_t usability;
};

/* Returns whether hwui counted the frame of this row, even if the row is not usable.
 * hwui does not count skipped frames, and a duplicate row describes a frame that another
 * row represents. IntendedVsync and FrameCompleted of a counted row are known. */
static inline bool dj_frame_row_was_counted(const struct dj_row_facts *row)
{
    return row->usability == DJ_ROW_USABLE || row->usability == DJ_ROW_WINDOW_CHANGED ||
           row->usability == DJ_ROW_STALE;
}

/* Returns whether the row describes a frame that was shown: one that hwui counted, or one
 * that has no known time except DisplayPresentTime. */
static inline bool dj_frame_row_was_shown(const struct dj_row_facts *row)
{
    return dj_frame_row_was_counted(row) || row->usability == DJ_ROW_PRESENT_ONLY;
}

/* The distribution of a time over several frames. If count is 0, all other fields are
 * invalid. */
struct dj_spread {
    size_t count;
    int64_t min_ns, max_ns;
    double p50_ns, p90_ns, p95_ns, p99_ns; /* Quantiles of type 7 (R's default). */
    double mean_ns;
    int64_t total_ns; /* Sum of the times in ns, at most INT64_MAX. */
};

/* Computes the distribution of times. Changes the order of times_ns. */
void dj_frame_compute_spread(int64_t *times_ns, size_t count, struct dj_spread *spread);

struct dj_summary {
    size_t rows;
    size_t usable;
    /* Number of rows per reason. [DJ_ROW_USABLE] is 0. */
    size_t excluded[DJ_USABILITY_COUNT];
    size_t judged; /* Number of usable rows to which the release's jank rule applies. */
    /* Number of judged rows that the release's rule counts in "Janky frames". */
    size_t janky;
    size_t deadline_missed;
    /* Statistics of all rows that hwui counted, including those with flag 1. They are
     * computed from the rows by the release's rule. */
    struct dj_stats replayed;
    struct dj_stats exact; /* Statistics of the usable rows only. */
    /* Frame time as hwui of the release measures it, without waits. */
    struct dj_spread frame_time;
    struct dj_spread guide_total; /* FrameCompleted − IntendedVsync of the usable rows. */
    /* FrameCompleted − IntendedVsync of the rows that the guide includes: Flags is 0. */
    struct dj_spread guide;
    size_t guide_over; /* Number of rows in `guide` that are longer than the interval. */
    struct dj_spread stage[DJ_STAGE_COUNT];
    /* A step is the time from one frame's start to the next frame's start, if no pause
     * is between the two. If only the presents are known, it is the time between
     * these. making_frames and making_ns are the number and the total time
     * of all steps, for the frame rate. If making_frames is 0, the rate is unknown. */
    size_t making_frames;
    int64_t making_ns;
    /* Number of display intervals without a new frame during the steps. A step adds its
     * length in intervals, rounded to the nearest integer, minus one. The interval is the
     * longer FrameInterval of the two frames if one is known, otherwise the interval of
     * the window. */
    size_t dropped_intervals;
};

/* The plausible range of a dump's timestamps, or 0 and 0 if the range is unknown. */
struct dj_stamp_bounds {
    int64_t earliest_ns, latest_ns;
};

struct dj_summary_rules {
    const struct dj_dialect *dialect;
    int64_t interval_ns; /* Interval of the display in ns, > 0. */
    /* Whether interval_ns is a guess because neither the dump's notes nor its rows
     * contain it. */
    bool interval_assumed;
    /* Parameter of hwui's rule for slow dequeues in ns, as in struct dj_tracker. */
    int64_t forgiveness_ns;
    /* Bit mask of the columns that a complete row has. IntendedVsync and FrameCompleted
     * are always required. */
    uint64_t required;
    /* Rows with a timestamp outside this range are not usable. */
    struct dj_stamp_bounds plausible;
};

enum {
    DJ_SUMMARY_SCRATCH = 5, /* Number of scratch numbers that each row needs. */
    /* If no frame begins for this many intervals after the last completion, the app made
     * a pause, which is not a low frame rate. */
    DJ_PAUSE_INTERVALS = 6
};

/* Computes *summary and facts[i] for each row. The rows must be in drawing order.
 * `scratch` must have space for DJ_SUMMARY_SCRATCH × count numbers. O(n log n), no
 * allocation. */
void dj_frame_summarize(const struct dj_frame *frames, size_t count,
                        const struct dj_summary_rules *rules, struct dj_row_facts *facts,
                        int64_t *scratch, struct dj_summary *summary);

/* Returns the frames per second without pauses, or NaN if making_frames is 0. */
double dj_frame_summary_rate_hz(const struct dj_summary *summary);

#endif
