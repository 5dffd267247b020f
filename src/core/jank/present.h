/* Figures of the times at which the display showed frames. */
#ifndef DEJANK_JANK_PRESENT_H
#define DEJANK_JANK_PRESENT_H

#include "jank/log.h"

/* Presents that were late by 1, 2 and 3 refreshes, and by 4 or more. */
enum { DJ_PRESENT_LATE = 4 };

/* The sums over all logs. Set it to zero before use. The owner frees the three arrays.
 * All have the same capacity. */
struct dj_present_totals {
    size_t presents; /* Number of frames with a known present. */
    size_t skipped;
    size_t late[DJ_PRESENT_LATE];
    size_t repeated;
    /* Times between two presents of consecutive frames, and absolute errors, in ns. */
    int64_t *steps_ns, *pacing_ns, *animation_ns;
    size_t steps, pacings, animations, capacity;
};

/* A distribution. The times are NaN if `count` is 0. */
struct dj_present_error {
    size_t count;
    double mean_ns, p95_ns, max_ns;
};

struct dj_present_figures {
    size_t presents;
    struct dj_spread step; /* Time from present to present. */
    bool has_refreshes;    /* The display interval of at least one step is known. */
    size_t late[DJ_PRESENT_LATE], late_total;
    size_t repeated; /* Refreshes that showed an older frame again. */
    size_t skipped;  /* Frames that the display never showed. */
    /* |step − k × interval|, with k the nearest number of refreshes. */
    struct dj_present_error pacing;
    /* |time between the frames' contents − step|. */
    struct dj_present_error animation;
    const char *reason; /* Why the step is unknown, or NULL. */
};

/* Adds the frames of a log. The three arrays of the totals must have space for log->count
 * more elements. */
void dj_present_add(struct dj_present_totals *totals, const struct dj_jank_log *log);

/* Computes the figures. Reorders the stored times. */
void dj_present_compute(struct dj_present_totals *totals,
                        struct dj_present_figures *figures);

#endif
