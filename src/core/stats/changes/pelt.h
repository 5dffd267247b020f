/* Finds the segmentation of a series with the least cost: Σ (y − its segment's mean)²
 * + penalty per change, with segments of at least `least` points (Killick, Fearnhead
 * and Eckley 2012). Allocates scratch memory only; any thread. */
#ifndef DEJANK_STATS_CHANGES_PELT_H
#define DEJANK_STATS_CHANGES_PELT_H

#include <stddef.h>

/* Writes the starts of all segments but the first, ascending, into `begins`, which has
 * space for count / least numbers, and their number into *found. Exact: the best of
 * all segmentations, found in O(n²) at worst and about O(n²/16) steps on noise.
 * Penalty ≥ 0, least ≥ 1, numbers finite. Returns 0 or DJ_E_NO_MEMORY. */
int dj_pelt_find(const double *values, size_t count, double penalty, size_t least,
                 size_t *begins, size_t *found);

#endif
