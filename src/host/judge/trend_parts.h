/* The inside of trends. Private to the trend*.c files. */
#ifndef DEJANK_JUDGE_TREND_PARTS_H
#define DEJANK_JUDGE_TREND_PARTS_H

#include "judge/trend.h"

int dj_trend_no_memory(struct dj_error *err);

/* A copy that lives as long as the trend; NULL stays NULL. */
int dj_trend_keep(struct dj_trend *trend, const char *text, const char **kept,
                  struct dj_error *err);

/* A further segment, zeroed; NULL: err says why. */
struct dj_trend_segment *dj_trend_add_segment(struct dj_trend *trend,
                                              struct dj_error *err);
/* A further point, zeroed; NULL: err says why. */
struct dj_trend_point *dj_trend_add_point(struct dj_trend_segment *segment,
                                          struct dj_error *err);

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
int dj_trend_centre_of(const double *value, const double *of, size_t count, double factor,
                       struct dj_trend_centre *centre, struct dj_error *err);

/* Changes, once all points are there; blessings, once the changes are. */
int dj_trend_find_changes(struct dj_trend_segment *segment,
                          const struct dj_change_rules *rules, struct dj_error *err);
int dj_trend_bless(struct dj_trend *trend, struct dj_history *history,
                   struct dj_error *err);

#endif
