/* Computes the centres of batches and finds the changes between them. */
#ifndef DEJANK_TREND_CHANGES_H
#define DEJANK_TREND_CHANGES_H

#include "trend/trend.h"

/* The centre of a batch's runs. */
struct dj_trend_centre {
    /* The centre and its logarithm. `value` is NaN if there is no centre. */
    double value, log;
    struct dj_bounds ci;
    size_t runs;
    bool linear; /* True if a value is 0 or less. `log` is then the value itself. */
};

/* Computes the centre of `count` runs in the stored unit divided by `factor`. For a
 * share, `of` has the totals. For other metrics `of` is NULL. */
void dj_trend_compute_centre(const double *value, const double *of, size_t count,
                             double factor, struct dj_trend_centre *centre);

/* Finds the changes of a segment. All points must have been added. */
int dj_trend_find_changes(struct dj_trend_segment *segment,
                          const struct dj_change_rules *rules, struct dj_error *err);

#endif
