/*
 * The exact figures of a window's rows, beside those hwui prints: which rows count and
 * why not, spreads of frame time, guide_total and stages, jank by the release's rule, the
 * rate at which frames were made.
 */
#ifndef DEJANK_FRAME_SUMMARY_H
#define DEJANK_FRAME_SUMMARY_H

#include "frame/stages.h"
#include "frame/tracker.h"

/* Whether a row counts for exact figures, or the first reason why not. */
enum dj_usability {
    DJ_ROW_USABLE,
    DJ_ROW_INCOMPLETE,     /* cut short: a column of its block is unknown in it */
    DJ_ROW_WINDOW_CHANGED, /* flag 1: layout or visibility changed; the guide leaves such
                              rows out */
    DJ_ROW_SKIPPED,        /* flag 8: nothing was drawn */
    DJ_ROW_NOT_COMPLETED, /* FrameCompleted ≤ IntendedVsync: still on its way when it was
                             read */
    DJ_ROW_STALE, /* a completion stamp is of an earlier frame in the same ring slot */
    DJ_ROW_DUPLICATE,   /* the same frame is there again below: the last sighting wins */
    DJ_ROW_IMPLAUSIBLE, /* a stamp is outside the times at which it can have been taken */
    DJ_USABILITY_COUNT
};

/* The reason as words ("window changed"); "usable" for DJ_ROW_USABLE. */
const char *dj_usability_name(enum dj_usability usability);

/* What was found of one row. */
struct dj_row_facts {
    int64_t
        frame_time_ns; /* hwui's duration() of the release; −1 where it is not judged */
    bool judged;       /* the release's rule has an answer for it */
    bool janky;
    uint8_t usability; /* enum dj_usability; rows that are not usable may be judged too */
};

/* True for rows hwui counted when they were drawn, usable or not: skipped ones never
 * reach its tracker, and a row seen twice was one frame. Their IntendedVsync and
 * FrameCompleted are known. */
static inline bool dj_row_was_counted(const struct dj_row_facts *row)
{
    return row->usability == DJ_ROW_USABLE || row->usability == DJ_ROW_WINDOW_CHANGED ||
           row->usability == DJ_ROW_STALE;
}

/* The distribution of a time. Where count is 0 nothing else means anything: unknown is
 * never zero. */
struct dj_spread {
    size_t count;
    int64_t min_ns, max_ns;
    double p50_ns, p90_ns, p95_ns, p99_ns; /* type 7 */
    double mean_ns;
    int64_t total_ns; /* saturates */
};

/* The spread of some times, which are moved about. */
void dj_spread_of(int64_t *times_ns, size_t count, struct dj_spread *spread);

struct dj_summary {
    size_t rows;
    size_t usable;
    size_t excluded[DJ_USABILITY_COUNT]; /* rows per reason; [DJ_ROW_USABLE] is 0 */
    size_t judged; /* usable rows the release's rule has an answer for */
    size_t janky;  /* of those: "Janky frames" by that rule */
    size_t deadline_missed;
    struct dj_stats
        replayed; /* all rows hwui would have counted (flag 1 too), counted anew */
    struct dj_stats exact;        /* the usable ones of them alone */
    struct dj_spread frame_time;  /* hwui's duration() of the release, stalls taken out */
    struct dj_spread guide_total; /* plain FrameCompleted − IntendedVsync */
    struct dj_spread guide; /* the same of the rows the guide looks at: Flags is 0 */
    size_t guide_over;      /* of those: longer than the interval */
    struct dj_spread stage[DJ_STAGE_COUNT];
    /* The rate over the time in which frames were being made: pauses taken out.
     * making_frames 0: unknown. */
    size_t making_frames; /* steps from one frame to the next within a burst */
    int64_t making_ns;    /* time they took */
    /* Display intervals that passed within those steps without a new frame: of each step
     * its length in intervals, rounded to the nearest, less one. The interval is the
     * longer of the two frames' own FrameInterval where a frame knows one, else the
     * window's. */
    size_t dropped_intervals;
};

/* The times at which a stamp of a dump can have been taken. Both 0: not known. */
struct dj_stamp_bounds {
    int64_t earliest_ns, latest_ns;
};

struct dj_summary_rules {
    const struct dj_dialect *dialect;
    int64_t interval_ns;   /* the display's, > 0 */
    bool interval_assumed; /* neither notes nor rows tell it */
    int64_t forgiveness_ns;
    uint64_t required; /* columns a whole row knows, beside IntendedVsync and
                          FrameCompleted: bit n is column n */
    struct dj_stamp_bounds plausible; /* rows with a stamp outside are not usable */
};

enum {
    DJ_SUMMARY_SCRATCH = 5, /* scratch numbers per row */
    DJ_PAUSE_INTERVALS = 6  /* no frame begun for so long after the last was complete: a
                               pause, not a slow rate */
};

/* Fills *summary from rows in the order they were drawn, and facts[i] of each. scratch
 * holds DJ_SUMMARY_SCRATCH × count numbers. O(n log n), no allocation. */
void dj_summarize(const struct dj_frame *frames, size_t count,
                  const struct dj_summary_rules *rules, struct dj_row_facts *facts,
                  int64_t *scratch, struct dj_summary *summary);

/* Frames per second while frames were being made; NaN where fewer than two belong
 * together. */
double dj_summary_rate_hz(const struct dj_summary *summary);

#endif
