/* The segmentation of a series by means that costs least: Σ (y − its segment's mean)² +
 * penalty for each change, segments of at least `least` points (Killick, Fearnhead and
 * Eckley 2012). Heap: scratch only, freed before it returns; any thread. */
#ifndef DEJANK_STATS_PELT_H
#define DEJANK_STATS_PELT_H

#include <stddef.h>

/* Writes where segments but the first begin, ascending, into `begins`, which has room for
 * count / least numbers, and how many into *found. Exact: the best of all segmentations,
 * found in O(n²) at worst and about O(n²/16) steps on noise. Penalty ≥ 0, least ≥ 1,
 * numbers finite. DJ_E_NO_MEMORY. */
int dj_pelt(const double *values, size_t count, double penalty, size_t least,
            size_t *begins, size_t *found);

#endif
