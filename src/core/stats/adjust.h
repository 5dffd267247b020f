/* Corrects p values for multiple tests. The correction increases each p value so that it
 * can be compared with alpha like the p value of a single test.
 *
 * Holm (1979) limits the probability of any false alarm. Gates use it. Benjamini and
 * Hochberg (1995) limit the proportion of false alarms among all alarms, if the tests are
 * independent or positively dependent, like the percentiles of one run. Tables of many
 * metrics use it.
 *
 * adjusted[i] is the corrected p[i]. Both arrays may be the same. NaN in p means that the
 * test was not performed: adjusted[i] is then NaN, and the test does not increase the
 * other values. `count` may be 0. Returns DJ_E_INVALID if a p is outside 0 to 1, or
 * DJ_E_NO_MEMORY. After an error, `adjusted` is unchanged. Allocates scratch memory only.
 * Safe in any thread. */
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
