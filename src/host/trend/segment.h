/* Builds segments: adds, names and orders them, and appends points. */
#ifndef DEJANK_TREND_SEGMENT_H
#define DEJANK_TREND_SEGMENT_H

#include "trend/trend.h"

struct dj_trend_centre;

/* Adds a segment that copies `head`. Returns NULL with DJ_E_LIMIT if there are too many.
 */
struct dj_trend_segment *dj_trend_add_segment(struct dj_trend *trend,
                                              const struct dj_trend_segment *head,
                                              struct dj_error *err);
/* Removes the last segment if it has no point. Returns whether it did. */
bool dj_trend_remove_empty(struct dj_trend *trend);

/* Compares two segments for qsort(): by project, flow, device, release, configuration,
 * metric. */
int dj_trend_compare_segments(const void *left, const void *right);

/* Sets segment->key to a hash of everything that identifies the segment. It is the same
 * in every store. */
void dj_trend_set_segment_key(struct dj_trend_segment *segment, const char *device);

/* Appends a point: the batch with the centre of its runs. */
void dj_trend_add_point(struct dj_trend_segment *segment,
                        const struct dj_trend_point *batch,
                        const struct dj_trend_centre *centre);

#endif
