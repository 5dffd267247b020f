/*
 * Since when: where a history of batches changed its level. Input is one number per batch
 * in time order, usually the logarithm of the batch's centre. Deterministic. Heap:
 * scratch, and the changes that are handed out; any thread.
 *
 * dj_change_points_find() tames single outliers, finds the best segmentation by PELT
 * (Killick, Fearnhead and Eckley 2012) with a penalty that grows with the noise's own
 * memory, and keeps a change only if the ranks of its two neighbouring segments tell them
 * apart (exact Mann–Whitney) and it is large enough to matter. On permuted real histories
 * 2.3 % have a false alarm (Hunter's rule: 12–21 %); it finds 98 % of steps by 5 %.
 *
 * Noise that remembers itself and a level that moves a little now and then look the same.
 * A change is told only where it cannot be the first. Where neighbours go together there
 * are hints between the changes, for it may be the second: the best segmentation were the
 * noise without memory, by Schwarz's criterion, with DJ_HISTORY_LEAST points to either
 * side and p ≤ 0.05. A hint is no finding: at ρ 0.3 half of the histories of 120 points
 * without any change have one.
 *
 * Histories of fewer than DJ_HISTORY_LEAST batches are refused: hold a new batch against
 * the earlier ones instead. With noise that remembers itself (ρ ≥ 0.5) and n ≤ 30, 18–20
 * % still have a false alarm.
 */
#ifndef DEJANK_STATS_CHANGE_POINTS_H
#define DEJANK_STATS_CHANGE_POINTS_H

#include "stats/change.h"

enum {
    DJ_HISTORY_LEAST = 15,  /* points */
    DJ_HISTORY_MAX = 10000, /* points */
};

/* 0 in a number: the default. */
struct dj_change_rules {
    double alpha;   /* of each change's test; 0.01 */
    double least;   /* smallest change told, as a share: 0.02 is a shift by ln 1.02. One
                       between two segments without any spread is told whatever its size */
    double level;   /* of the intervals; 0.95 */
    double penalty; /* times ln n, per change; 4 */
};

/* rules: NULL for the defaults. A history without any change is no error. DJ_E_NO_DATA:
 * fewer than DJ_HISTORY_LEAST points. DJ_E_INVALID: a number is not
 * finite. DJ_E_LIMIT: more than DJ_HISTORY_MAX. DJ_E_USAGE: rules out of range.
 * DJ_E_NO_MEMORY. On error *found is empty. */
int dj_change_points_find(const double *values, size_t count,
                          const struct dj_change_rules *rules,
                          struct dj_change_points *found);

void dj_change_points_finish(struct dj_change_points *found);

#endif
