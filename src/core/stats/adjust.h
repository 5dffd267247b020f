/* Multiple tests: increases p so that it can be compared with alpha like that of a
 * single test. Allocates scratch memory only; any thread.
 *
 * Holm (1979) limits the probability of any false alarm: for gates. Benjamini and
 * Hochberg (1995) limit the proportion of false alarms among all alarms, if the tests
 * are independent or positively dependent, like the percentiles of one run: for tables
 * to browse.
 *
 * adjusted[i] belongs to p[i]; both may be the same array. NaN in p is a test that was
 * not performed: it stays NaN and does not count. Returns DJ_E_INVALID for a p outside
 * 0 … 1, or DJ_E_NO_MEMORY; then nothing is written. count may be 0. */
#ifndef DEJANK_STATS_ADJUST_H
#define DEJANK_STATS_ADJUST_H

#include <stdbool.h>
#include <stddef.h>

int dj_adjust_holm(const double *p, size_t count, double *adjusted);
int dj_adjust_benjamini_hochberg(const double *p, size_t count, double *adjusted);

/* Performs Holm's method at `alpha`. level[i] becomes alpha divided by the number of
 * tests whose p is at least p[i], so equal p have equal levels. significant[i] becomes
 * whether p[i] and every smaller p are at most their levels. If p[i] is NaN, level[i] is
 * NaN and significant[i] is false. `p` and `level` must be different arrays. Returns the
 * same errors as the functions above. */
int dj_adjust_holm_levels(const double *p, size_t count, double alpha, double *level,
                          bool *significant);

#endif
