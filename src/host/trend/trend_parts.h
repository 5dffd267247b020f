/* The inside of trends. Private to the trend*.c files. */
#ifndef DEJANK_TREND_TREND_PARTS_H
#define DEJANK_TREND_TREND_PARTS_H

#include "trend/trend.h"

/* A further segment, as its head has it; NULL: DJ_E_LIMIT. */
struct dj_trend_segment *dj_trend_add_segment(struct dj_trend *trend,
                                              const struct dj_trend_segment *head,
                                              struct dj_error *err);
/* Removes it if it has no point. False: it has some. */
bool dj_trend_drop_empty(struct dj_trend *trend);

/* Their order: by project, flow, device, release, configuration, metric. */
int dj_trend_compare_segments(const void *left, const void *right);

/* The segment's name: of all that makes it, the same in every store. */
void dj_trend_name_segment(struct dj_trend_segment *segment, const char *device);

/* The centre of a batch's runs; values of which `of` says how many of what, or NULL. In
 * the unit of `factor` (by division). value is NaN where there is none. */
struct dj_trend_centre {
    double value, log;
    struct dj_bounds ci;
    size_t runs;
    bool linear; /* there is no logarithm of it */
};
void dj_trend_centre_of(const double *value, const double *of, size_t count,
                        double factor, struct dj_trend_centre *centre);

/* A further point: of the batch, with the centre of its runs. */
void dj_trend_add_point(struct dj_trend_segment *segment,
                        const struct dj_trend_point *batch,
                        const struct dj_trend_centre *centre);

/* Changes, once all points are there; blessings, once the changes are. */
int dj_trend_find_changes(struct dj_trend_segment *segment,
                          const struct dj_change_rules *rules, struct dj_error *err);
int dj_trend_bless(struct dj_trend *trend, struct dj_history *history,
                   struct dj_error *err);

#endif
