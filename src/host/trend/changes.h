/* Computes the centres of batches and finds the changes between them. */
#ifndef DEJANK_TREND_CHANGES_H
#define DEJANK_TREND_CHANGES_H

#include "trend/trend.h"

/* The centre of a batch's runs. */
struct dj_trend_centre {
    double value, log; /* value: NaN if there is no centre */
    struct dj_bounds ci;
    size_t runs;
    bool linear; /* the centre has no logarithm */
};

/* Computes the centre of `count` runs, in the stored unit divided by `factor`. For a
 * share `of` has the totals that `value` counts from, else it is NULL. */
void dj_trend_compute_centre(const double *value, const double *of, size_t count,
                             double factor, struct dj_trend_centre *centre);

/* Finds the changes of a segment. Call it when the segment has all its points. */
int dj_trend_find_changes(struct dj_trend_segment *segment,
                          const struct dj_change_rules *rules, struct dj_error *err);

#endif
