/* The segments between the changes of a series: which changes stand a test, and what they
 * are. For this room alone; dj_change_points_find() is what others call. */
#ifndef DEJANK_STATS_SEGMENTS_H
#define DEJANK_STATS_SEGMENTS_H

#include <stddef.h>

#include "stats/change.h"

struct dj_segments {
    const double *values;
    size_t count;
    size_t *begins; /* of all segments but the first; the caller's, changed */
    size_t changes;
    double *sorted; /* values, ascending within each segment; owned */
    double *scratch;
    double *p;     /* of each change's test */
    double *shift; /* of each change: difference of the medians */
};

/* DJ_E_NO_MEMORY. dj_segments_finish() is due in either case. */
int dj_segments_sort(struct dj_segments *segments);
void dj_segments_finish(struct dj_segments *segments);

/* Drops changes one after the other, joining their segments: while one has p > alpha the
 * one with the largest, then while one's medians are nearer than `least` the nearest,
 * unless both segments are constant. */
int dj_segments_verify(struct dj_segments *segments, double alpha, double least);

int dj_segments_describe(const struct dj_segments *segments, double level,
                         struct dj_change_points *found);

#endif
