/* The exact statistics of a window's rows, in addition to those that hwui prints:
 * which rows count and why not, distributions of frame time, guide_total and stages,
 * jank by the release's rule, and the frame rate. */
#ifndef DEJANK_FRAME_SUMMARY_H
#define DEJANK_FRAME_SUMMARY_H

#include "frame/stages.h"
#include "frame/tracker.h"

/* Whether a row counts in the exact statistics, or the first reason why not. */
enum dj_usability {
    DJ_ROW_USABLE,
    DJ_ROW_INCOMPLETE,     /* truncated: a column of its block is unknown in it */
    DJ_ROW_WINDOW_CHANGED, /* flag 1: layout or visibility changed; the guide excludes
                              such rows */
    DJ_ROW_SKIPPED,        /* flag 8: nothing was drawn */
    DJ_ROW_NOT_COMPLETED, /* FrameCompleted ≤ IntendedVsync: not complete when it was read
                           */
    DJ_ROW_STALE, /* a completion timestamp is from an earlier frame in the same ring slot
                   */
    DJ_ROW_DUPLICATE,   /* the same frame appears again later: the last one counts */
    DJ_ROW_IMPLAUSIBLE, /* a timestamp is outside the plausible range */
    DJ_USABILITY_COUNT
};

/* Returns the reason in words ("window changed"), or "usable". */
const char *dj_frame_usability_name(enum dj_usability usability);

/* Facts about one row. */
struct dj_row_facts {
    int64_t frame_time_ns; /* hwui's duration() of the release; −1 if not judged */
    bool judged;           /* the release's rule applies to it */
    bool janky;
    uint8_t
        usability; /* enum dj_usability; rows that are not usable may also be judged */
};

/* Returns whether hwui counted the row when it was drawn, usable or not. Skipped rows
 * never reach its tracker, and a row seen twice was one frame. IntendedVsync and
 * FrameCompleted of these rows are known. */
static inline bool dj_frame_row_was_counted(const struct dj_row_facts *row)
{
    return row->usability == DJ_ROW_USABLE || row->usability == DJ_ROW_WINDOW_CHANGED ||
           row->usability == DJ_ROW_STALE;
}

/* The distribution of a time. If count is 0, the other fields are invalid: unknown is
 * never zero. */
struct dj_spread {
    size_t count;
    int64_t min_ns, max_ns;
    double p50_ns, p90_ns, p95_ns, p99_ns; /* type 7 */
    double mean_ns;
    int64_t total_ns; /* saturates */
};

/* Computes the distribution of some times and reorders them. */
void dj_frame_compute_spread(int64_t *times_ns, size_t count, struct dj_spread *spread);

struct dj_summary {
    size_t rows;
    size_t usable;
    size_t excluded[DJ_USABILITY_COUNT]; /* rows per reason; [DJ_ROW_USABLE] is 0 */
    size_t judged; /* usable rows that the release's rule applies to */
    size_t janky;  /* of those: "Janky frames" by that rule */
    size_t deadline_missed;
    struct dj_stats
        replayed; /* all rows that hwui would have counted (flag 1 too), counted again */
    struct dj_stats exact;        /* the same for usable rows only */
    struct dj_spread frame_time;  /* hwui's duration() of the release, without waits */
    struct dj_spread guide_total; /* plain FrameCompleted − IntendedVsync */
    struct dj_spread
        guide;         /* the same for the rows that the guide considers: Flags is 0 */
    size_t guide_over; /* of those: longer than the interval */
    struct dj_spread stage[DJ_STAGE_COUNT];
    /* The rate during the time in which frames were made, without pauses.
     * making_frames 0: unknown. */
    size_t making_frames; /* steps between consecutive frames without a pause */
    int64_t making_ns;    /* total time of these steps */
    /* Display intervals without a new frame during those steps: the length of each
     * step in intervals, rounded to the nearest, minus one. The interval is the longer
     * FrameInterval of the two frames if one is known, else the window's. */
    size_t dropped_intervals;
};

/* The plausible range of a dump's timestamps. Both 0: unknown. */
struct dj_stamp_bounds {
    int64_t earliest_ns, latest_ns;
};

struct dj_summary_rules {
    const struct dj_dialect *dialect;
    int64_t interval_ns;   /* the display's, > 0 */
    bool interval_assumed; /* neither notes nor rows contain it */
    int64_t forgiveness_ns;
    uint64_t required; /* columns that a complete row has besides IntendedVsync and
                          FrameCompleted: bit n is column n */
    struct dj_stamp_bounds
        plausible; /* rows with a timestamp outside this range are not usable */
};

enum {
    DJ_SUMMARY_SCRATCH = 5, /* scratch numbers per row */
    DJ_PAUSE_INTERVALS = 6  /* no frame begins for this long after the last completion: a
                               pause, not a low rate */
};

/* Fills *summary from rows in drawing order, and facts[i] for each. `scratch` has
 * space for DJ_SUMMARY_SCRATCH × count numbers. O(n log n), no allocation. */
void dj_frame_summarize(const struct dj_frame *frames, size_t count,
                        const struct dj_summary_rules *rules, struct dj_row_facts *facts,
                        int64_t *scratch, struct dj_summary *summary);

/* Returns the frames per second while frames were made, or NaN with fewer than two
 * consecutive frames. */
double dj_frame_summary_rate_hz(const struct dj_summary *summary);

#endif
