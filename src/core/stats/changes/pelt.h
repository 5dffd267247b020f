/* Finds the segmentation of a series with the least cost, with PELT (Killick,
 * Fearnhead and Eckley 2012). The cost is Σ (y − mean of its segment)² + penalty per
 * change. Each segment has at least `least` points. Allocates scratch memory only.
 * Safe in any thread. */
#ifndef DEJANK_STATS_CHANGES_PELT_H
#define DEJANK_STATS_CHANGES_PELT_H

#include <stddef.h>

/* Writes the index of the first point of each segment but the first into `begins`, in
 * ascending order, and the number of changes into *found. `begins` must have space for
 * count / least indices. The result is the best of all segmentations. Takes O(n²) at
 * worst and about n²/16 steps on pure noise. penalty ≥ 0, least ≥ 1, and all numbers must
 * be finite. Returns 0 or DJ_E_NO_MEMORY. */
int dj_pelt_find(const double *values, size_t count, double penalty, size_t least,
                 size_t *begins, size_t *found);

#endif
