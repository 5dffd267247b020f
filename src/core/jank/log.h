/* Module jank: computes from one log of frames the jank figures of other tools, each by
 * its published formula: JankStats, Firebase, Android vitals, PerfDog, hitch time, "1 %
 * low" and others (rules.h), and the figures of the times at which frames became visible
 * (present.h). docs/jank-rules.md describes them.
 *
 * The module knows no text format and no store. It is pure, and safe in any thread. Only
 * figures.h allocates memory.
 *
 * This header: the log. Times are int64_t ns of one clock. */
#ifndef DEJANK_JANK_LOG_H
#define DEJANK_JANK_LOG_H

#include "frame/summary.h"

/* An unknown time. */
#define DJ_JANK_UNKNOWN INT64_MIN

enum dj_jank_answer { DJ_JANK_NOT_JUDGED, DJ_JANK_IN_TIME, DJ_JANK_JANKY };

/* A frame. All members except start_ns and completed_ns may be unknown. */
struct dj_jank_frame {
    int64_t start_ns;     /* IntendedVsync. */
    int64_t completed_ns; /* FrameCompleted, after start_ns. */
    /* When the display showed the frame. */
    int64_t present_ns;
    /* The time for which the app computed the frame's content. */
    int64_t animation_ns;
    int64_t interval_ns; /* Display interval. */
    int64_t deadline_ns;
    /* Duration of the work on the UI thread and of the sync, without waits. */
    int64_t ui_ns;
    /* The answers of hwui's two rules: enum dj_jank_answer. */
    uint8_t legacy, deadline;
    /* The frame does not count, but the next frame follows it. */
    bool excluded;
    /* Only the present is known, and start_ns and completed_ns have its value. The frame
     * counts only in the figures of presents (present.h). If present_ns is unknown, the
     * display skipped the frame at this time. */
    bool present_only;
};

/* The frames of one app window in drawing order. */
struct dj_jank_log {
    const struct dj_jank_frame *frames;
    size_t count;
    /* If no frame starts for DJ_PAUSE_INTERVALS of this interval after the last
     * completion, the app made a pause, which belongs to no frame. > 0, perhaps
     * assumed. */
    int64_t interval_ns;
};

/* Converts rows to the frames of a log. facts[i] describes rows[i]. `frames` must have
 * space for `count` elements. Leaves out the rows that hwui did not count, unless only
 * their present is known. Returns the
 * number of frames. */
size_t dj_jank_read_rows(const struct dj_frame *rows, const struct dj_row_facts *facts,
                         size_t count, const struct dj_summary_rules *rules,
                         struct dj_jank_frame *frames);

/* Returns whether frame `i` continues the movement of frame `i` − 1: there is such a
 * frame, it started earlier, and no pause is between the two. */
bool dj_jank_follows(const struct dj_jank_log *log, size_t i);

/* Returns the frame-to-frame time of frame `i` in ns, at least 0: the time from the
 * present of the frame before it to its own. If one of the two is unknown, the time
 * between their completions. A frame that follows none has its own duration, so that a
 * pause belongs to no frame. */
int64_t dj_jank_gap_ns(const struct dj_jank_log *log, size_t i);

/* Returns the number of display intervals from frame `i` − 1 to frame `i`, rounded to the
 * nearest integer: between their presents, or between their starts if a present is
 * unknown. Returns −1 if the interval is unknown or the frame follows none. */
int64_t dj_jank_refreshes(const struct dj_jank_log *log, size_t i);

/* Returns the longer display interval of two frames, or DJ_JANK_UNKNOWN. */
int64_t dj_jank_pair_interval_ns(const struct dj_jank_frame *a,
                                 const struct dj_jank_frame *b);

/* Returns span_ns ÷ interval_ns, rounded half up. span_ns ≥ 0, interval_ns > 0. */
int64_t dj_jank_count_intervals(int64_t span_ns, int64_t interval_ns);

#endif
