/* The segments between the changes of a series: tests the changes and describes them
 * for dj_change_points_find(). */
#ifndef DEJANK_STATS_CHANGES_SEGMENTS_H
#define DEJANK_STATS_CHANGES_SEGMENTS_H

#include <stddef.h>

#include "stats/change.h"

struct dj_segments {
    const double *values;
    size_t count;
    size_t *begins; /* of all segments but the first; owned by the caller, modified */
    size_t changes;
    double *sorted; /* values, in ascending order within each segment; owned */
    double *scratch;
    double *p;     /* of the test of each change */
    double *shift; /* per change: difference of the medians */
};

/* Returns 0 or DJ_E_NO_MEMORY. The caller calls dj_segments_finish() in both cases. */
int dj_segments_sort(struct dj_segments *segments);
void dj_segments_finish(struct dj_segments *segments);

/* Removes changes one by one and joins their segments: while one has p > alpha, the
 * one with the largest p; then, while one's medians differ by less than `least`, the
 * one with the smallest difference, unless both segments are constant. */
int dj_segments_verify(struct dj_segments *segments, double alpha, double least);

int dj_segments_describe(const struct dj_segments *segments, double level,
                         struct dj_change_points *found);

#endif
