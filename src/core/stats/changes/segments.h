/* For dj_change_points_find(): tests the changes between the segments of a series, and
 * describes them. */
#ifndef DEJANK_STATS_CHANGES_SEGMENTS_H
#define DEJANK_STATS_CHANGES_SEGMENTS_H

#include <stddef.h>

#include "stats/change.h"

struct dj_segments {
    const double *values;
    size_t count;
    /* Index of the first point of each segment but the first. Owned by the caller.
     * Modified by dj_segments_verify(). */
    size_t *begins;
    size_t changes;
    double *sorted; /* The values, sorted within each segment. Owned by this struct. */
    double *scratch;
    double *p;     /* The p value of the test of each change. */
    double *shift; /* Difference of the medians at each change. */
};

/* Sorts the numbers of each segment and tests all changes. Returns 0 or DJ_E_NO_MEMORY.
 * The caller calls dj_segments_finish() in both cases. */
int dj_segments_sort(struct dj_segments *segments);
void dj_segments_finish(struct dj_segments *segments);

/* Removes changes one by one and merges their segments. First removes the change with the
 * largest p, while that p is above alpha. Then removes the change with the smallest
 * difference of medians, while that difference is below `least`, except changes between
 * two segments in which all numbers are equal. */
int dj_segments_verify(struct dj_segments *segments, double alpha, double least);

int dj_segments_describe(const struct dj_segments *segments, double level,
                         struct dj_change_points *found);

#endif
