/* Module jank: computes the jank figures of other tools from a log of frames, each by its
 * published formula: JankStats, Firebase, Android vitals, PerfDog, hitch time, "1 % low"
 * and others (rules.h). Also computes figures of the times at which frames became visible
 * (present.h). docs/jank-rules.md describes all figures.
 *
 * The module knows no text format and no store. It is pure, and safe in any thread. Only
 * figures.h allocates memory.
 *
 * This header defines the log. Times are int64_t ns of one clock. */
#ifndef DEJANK_JANK_LOG_H
#define DEJANK_JANK_LOG_H

#include "frame/summary.h"

/* Value of an unknown time. */
#define DJ_JANK_UNKNOWN INT64_MIN

enum dj_jank_answer { DJ_JANK_NOT_JUDGED, DJ_JANK_IN_TIME, DJ_JANK_JANKY };

/* A frame. All members except start_ns and completed_ns may be unknown. */
struct dj_jank_frame {
    int64_t start_ns;     /* IntendedVsync of the frame. */
    int64_t completed_ns; /* FrameCompleted, after start_ns. */
    /* Time at which the display showed the frame. */
    int64_t present_ns;
    /* Time for which the app computed the content of the frame. */
    int64_t animation_ns;
    int64_t interval_ns; /* Display interval in ns. */
    int64_t deadline_ns;
    /* Duration of the work on the UI thread and of the sync, without waits. */
    int64_t ui_ns;
    /* Answers of hwui's two rules: values of enum dj_jank_answer. */
    uint8_t legacy, deadline;
    /* True if no figure includes this frame. The frame stays in the log, so that the
     * gap to the next frame is known. */
    bool excluded;
    /* True if the present is the only known time. start_ns and completed_ns then have its
     * value, and the frame counts only in the figures of presents (present.h). If
     * present_ns is unknown, the display skipped the frame at start_ns. */
    bool present_only;
};

/* The frames of one app window in drawing order. */
struct dj_jank_log {
    const struct dj_jank_frame *frames;
    size_t count;
    /* Display interval in ns, > 0. It may be an assumption. If no frame starts for
     * DJ_PAUSE_INTERVALS of this interval after the last completion, the app made a
     * pause. A pause belongs to no frame. */
    int64_t interval_ns;
};

/* Converts rows to the frames of a log. facts[i] describes rows[i]. `frames` must have
 * space for `count` elements. Omits rows that hwui did not count, except for rows with
 * only a known present. Returns the number of frames. */
size_t dj_jank_read_rows(const struct dj_frame *rows, const struct dj_row_facts *facts,
                         size_t count, const struct dj_summary_rules *rules,
                         struct dj_jank_frame *frames);

/* Returns whether frame `i` continues the movement of frame `i` − 1: frame `i` − 1
 * exists, it started earlier, and there is no pause between the two. */
bool dj_jank_follows(const struct dj_jank_log *log, size_t i);

/* Returns the frame-to-frame time of frame `i` in ns, at least 0. This is the time
 * between the presents of frames `i` − 1 and `i`. If one of the presents is unknown, it
 * is the time between their completions. For a frame after a pause, it is the frame's own
 * duration, so that the pause belongs to no frame. */
int64_t dj_jank_gap_ns(const struct dj_jank_log *log, size_t i);

/* Returns the number of display intervals from frame `i` − 1 to frame `i`, rounded to the
 * nearest integer. It is measured between their presents, or between their starts if a
 * present is unknown. Returns −1 if the interval is unknown or frame `i` does not follow
 * frame `i` − 1. */
int64_t dj_jank_refreshes(const struct dj_jank_log *log, size_t i);

/* Returns the longer one of the display intervals of two frames, or DJ_JANK_UNKNOWN if
 * both are unknown. */
int64_t dj_jank_pair_interval_ns(const struct dj_jank_frame *a,
                                 const struct dj_jank_frame *b);

/* Returns span_ns ÷ interval_ns, rounded half up. span_ns ≥ 0, interval_ns > 0. */
int64_t dj_jank_count_intervals(int64_t span_ns, int64_t interval_ns);

#endif
