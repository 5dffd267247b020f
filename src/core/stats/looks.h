/* Significance levels for a comparison that is tested several times while it runs and
 * stops early if a test is significant. A look is one of these tests, also called an
 * interim analysis. The probability of a false alarm over all looks together is alpha.
 * (Stopping at the first p < 0.05 after every run would have 20 % false alarms.) Uses
 * alpha spending (Lan and DeMets 1983) with the function of O'Brien and Fleming. Early
 * looks have very small levels, and the last look has nearly alpha, so little power is
 * lost. Allocates nothing. Safe in any thread.
 *
 * The levels assume a normally distributed statistic whose information grows in
 * proportion to the number of runs. They are computed by numerical integration (Armitage,
 * McPherson and Rowe 1969). The rank test keeps them: in simulations with alpha 5 % and
 * looks at 10, 15, 20 and 30 runs it had 4.8 % false alarms. */
#ifndef DEJANK_STATS_LOOKS_H
#define DEJANK_STATS_LOOKS_H

#include <stddef.h>

enum { DJ_LOOKS_MAX = 12 };

struct dj_looks {
    size_t count;
    double runs[DJ_LOOKS_MAX]; /* Number of runs per group at each look. */
    /* Two-sided level of each look. Stop if p ≤ level, and report the confidence interval
     * at 1 − level. */
    double level[DJ_LOOKS_MAX];
    /* Probability of a false alarm up to and including each look. */
    double spent[DJ_LOOKS_MAX];
};

/* Computes the levels for looks after runs[i] runs per group. The numbers must increase.
 * The last one is the maximum, at which the rest of alpha is spent. 0 < alpha < 0.5.
 * Returns DJ_E_USAGE if there are no looks or too many, if the numbers of runs do not
 * increase or are below 2, or if alpha is invalid. Takes about 1 ms per look. */
int dj_looks_compute(const double *runs, size_t count, double alpha,
                     struct dj_looks *looks);

#endif
