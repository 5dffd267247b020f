/* Finds where the level of a history changed. A history has one number per batch in time
 * order, usually the logarithm of the center of the batch. Equal input gives equal
 * results. Allocates scratch memory and the returned changes. Safe in any thread.
 *
 * dj_change_points_find() limits single outliers and finds the best segmentation with
 * PELT (Killick, Fearnhead and Eckley 2012). The penalty of a change grows with the
 * correlation of the noise. A change is accepted only if it is large enough and if the
 * exact Mann–Whitney test of its two segments is significant. In tests with real
 * histories in random order, 2.3 % of the histories had a false alarm (with the rule of
 * Hunter, 12 to 21 %). 98 % of steps by 5 % were found.
 *
 * Correlated noise looks like a level that often moves a little. A change is reported
 * only if correlated noise cannot explain it. If neighbouring points correlate, the
 * result also has hints. A hint is a possible change between the reported changes. Hints
 * come from the best segmentation by Schwarz's criterion, under the assumption of
 * uncorrelated noise. A hint has at least DJ_HISTORY_LEAST points on both sides and p ≤
 * 0.05. A hint is no proof of a change: with ρ = 0.3, half of all histories of 120 points
 * without any change have a hint.
 *
 * A history of fewer than DJ_HISTORY_LEAST batches is an error. Compare its last batch
 * with the earlier ones instead. With strongly correlated noise (ρ ≥ 0.5) and at most 30
 * points, 18 to 20 % of the histories without a change have a false alarm. */
#ifndef DEJANK_STATS_CHANGE_POINTS_H
#define DEJANK_STATS_CHANGE_POINTS_H

#include "stats/change.h"

enum {
    DJ_HISTORY_LEAST = 15,  /* Smallest number of points of a history. */
    DJ_HISTORY_MAX = 10000, /* Largest number of points of a history. */
};

/* Parameters of the search. 0 in a field means its default. */
struct dj_change_rules {
    double alpha; /* Significance level of the test of each change. Default 0.01. */
    /* Smallest reported change as a fraction: 0.02 means a shift by ln 1.02. Default
     * 0.02. A change between two segments in which all numbers are equal is always
     * reported. */
    double least;
    double level; /* Level of the confidence intervals. Default 0.95. */
    /* Penalty of each change, in units of ln n times the variance of the noise. Default
     * 4. */
    double penalty;
};

/* Finds the changes. NULL for `rules` means the defaults. A history without changes is
 * not an error. Returns DJ_E_NO_DATA for fewer than DJ_HISTORY_LEAST points, DJ_E_INVALID
 * if a number is not finite, DJ_E_LIMIT for more than DJ_HISTORY_MAX points, DJ_E_USAGE
 * if a rule is out of range, or DJ_E_NO_MEMORY. After an error, *found has no changes. */
int dj_change_points_find(const double *values, size_t count,
                          const struct dj_change_rules *rules,
                          struct dj_change_points *found);

void dj_change_points_finish(struct dj_change_points *found);

#endif
