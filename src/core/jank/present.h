/* Figures of the times at which the display showed frames. */
#ifndef DEJANK_JANK_PRESENT_H
#define DEJANK_JANK_PRESENT_H

#include "jank/log.h"

/* Number of classes of late presents: late by 1, 2 or 3 refreshes, or by 4 or more. */
enum { DJ_PRESENT_LATE = 4 };

/* Sums over all logs. Zero the struct before use. The owner frees the three arrays, which
 * have the same capacity. */
struct dj_present_totals {
    /* Times between the presents of two consecutive frames, absolute pacing errors, and
     * absolute animation errors, all in ns. */
    size_t presents;
    size_t skipped;
    size_t late[DJ_PRESENT_LATE];
    size_t repeated;
    /* Times between two presents of consecutive frames, and absolute errors, in ns. */
    int64_t *steps_ns, *pacing_ns, *animation_ns;
    size_t steps, pacings, animations, capacity;
};

/* Distribution of an absolute error. The times are NaN if `count` is 0. */
struct dj_present_error {
    size_t count;
    double mean_ns, p95_ns, max_ns;
};

struct dj_present_figures {
    size_t presents;
    struct dj_spread step; /* Distribution of the times between two presents. */
    /* True if the display interval is known for at least one pair of consecutive
     * presents. */
    bool has_refreshes;
    size_t late[DJ_PRESENT_LATE], late_total;
    size_t repeated; /* Number of refreshes that showed an older frame again. */
    size_t skipped;  /* Number of frames that the display never showed. */
    /* Pacing error: |step − k × interval|, where k is the nearest number of refreshes. */
    struct dj_present_error pacing;
    /* Animation error: |time between the contents of two frames − step|. */
    struct dj_present_error animation;
    const char *reason; /* Reason why the step is unknown, or NULL if it is known. */
};

/* Adds the frames of a log. The three arrays of the totals must have space for log->count
 * more elements. */
void dj_present_add(struct dj_present_totals *totals, const struct dj_jank_log *log);

/* Computes the figures. Reorders the stored times. */
void dj_present_compute(struct dj_present_totals *totals,
                        struct dj_present_figures *figures);

#endif
