/* Finds where a history of batches changed its level. The input is one number per
 * batch in time order, usually the logarithm of the batch's center. Deterministic.
 * Allocates scratch memory and the returned changes; any thread.
 *
 * dj_change_points_find() limits single outliers and finds the best segmentation with
 * PELT (Killick, Fearnhead and Eckley 2012), with a penalty that grows with the
 * correlation of the noise. It accepts a change only if the ranks of its two
 * neighbouring segments differ significantly (exact Mann–Whitney) and the change is
 * large enough. On permuted real histories 2.3 % have a false alarm (Hunter's rule:
 * 12–21 %); it finds 98 % of steps by 5 %.
 *
 * Correlated noise and a level that moves a little from time to time look the same. A
 * change is reported only if correlated noise cannot explain it. If neighbours
 * correlate, there are hints between the changes: the best segmentation under the
 * assumption of uncorrelated noise, by Schwarz's criterion, with DJ_HISTORY_LEAST
 * points on both sides and p ≤ 0.05. A hint is not a finding: with ρ 0.3, half of the
 * histories of 120 points without any change have one.
 *
 * Histories of fewer than DJ_HISTORY_LEAST batches are rejected: compare a new batch
 * with the earlier ones instead. With correlated noise (ρ ≥ 0.5) and n ≤ 30, 18–20 %
 * still have a false alarm. */
#ifndef DEJANK_STATS_CHANGE_POINTS_H
#define DEJANK_STATS_CHANGE_POINTS_H

#include "stats/change.h"

enum {
    DJ_HISTORY_LEAST = 15,  /* points */
    DJ_HISTORY_MAX = 10000, /* points */
};

/* 0 in a field means the default. */
struct dj_change_rules {
    double alpha; /* for the test of each change; 0.01 */
    double least; /* smallest reported change, as a fraction: 0.02 is a shift by ln 1.02.
                     A change between two segments without any spread is reported at any
                     size */
    double level; /* of the confidence intervals; 0.95 */
    double penalty; /* times ln n, per change; 4 */
};

/* Finds the changes. rules: NULL for the defaults. A history without changes is not an
 * error. Returns DJ_E_NO_DATA for fewer than DJ_HISTORY_LEAST points, DJ_E_INVALID if
 * a number is not finite, DJ_E_LIMIT for more than DJ_HISTORY_MAX, DJ_E_USAGE for
 * rules out of range, or DJ_E_NO_MEMORY. After an error *found is empty. */
int dj_change_points_find(const double *values, size_t count,
                          const struct dj_change_rules *rules,
                          struct dj_change_points *found);

void dj_change_points_finish(struct dj_change_points *found);

#endif
