/* Changes of the level of a series of numbers. */
#ifndef DEJANK_STATS_CHANGE_H
#define DEJANK_STATS_CHANGE_H

#include <stddef.h>

#include "stats/shift.h"

/* A change between two neighbouring segments of a series. Within a segment, the level is
 * constant. */
struct dj_change {
    size_t index; /* Index of the first point after the change, from 0. */
    size_t from;  /* Index of the first point of the segment before the change. */
    size_t to;    /* Index after the last point of the segment after the change. */
    /* Level after the change minus level before it, estimated by the method of Hodges and
     * Lehmann. */
    double shift;
    /* Confidence interval of shift, at `level` of struct dj_change_rules. */
    struct dj_bounds bounds;
    double p; /* The p value of the exact Mann–Whitney test of the two segments. */
    /* 1 if the numbers became larger, −1 if they became smaller. */
    int direction;
    double before, after; /* Medians of the two segments. */
};

struct dj_change_points {
    struct dj_change *changes; /* Ordered by index. Owned by this struct. */
    size_t count;
    /* Possible changes, explained in change_points.h. Ordered by index. Owned by this
     * struct. Empty if correlation is 0. The segments of a hint end at the neighbouring
     * hints and changes. */
    struct dj_change *hints;
    size_t hint_count;
    /* Estimated standard deviation of one point about the level of its segment, or 0 if
     * it could not be estimated. */
    double noise;
    /* Correlation ρ of neighbouring points that the search assumed, from 0 to 0.7. */
    double correlation;
};

#endif
