/* Builds segments: adds, names and sorts them, and appends points. */
#ifndef DEJANK_TREND_SEGMENT_H
#define DEJANK_TREND_SEGMENT_H

#include "trend/trend.h"

struct dj_trend_centre;

/* Adds a copy of `head` as a segment. If there are too many segments, returns NULL and
 * sets err to DJ_E_LIMIT. */
struct dj_trend_segment *dj_trend_add_segment(struct dj_trend *trend,
                                              const struct dj_trend_segment *head,
                                              struct dj_error *err);
/* Removes the last segment if it has no points. Returns whether it was removed. */
bool dj_trend_remove_empty(struct dj_trend *trend);

/* Compares two segments for qsort() by project, flow, device, release, configuration and
 * metric. */
int dj_trend_compare_segments(const void *left, const void *right);

/* Sets segment->key to a hash of everything that identifies the segment. Equal segments
 * have the same key in every store. */
void dj_trend_set_segment_key(struct dj_trend_segment *segment, const char *device);

/* Appends the centre of a batch's runs as a point. */
void dj_trend_add_point(struct dj_trend_segment *segment,
                        const struct dj_trend_point *batch,
                        const struct dj_trend_centre *centre);

#endif
