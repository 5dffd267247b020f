/*
 * Compares the rates of events in two groups of runs, if events are not independent: the
 * rates of janky frames. Frames of one run depend on each other. A test that ignores this
 * has up to 55 % false alarms, so this test treats a run as the unit. The estimate is the
 * ratio of the pooled rates. Its variance comes from the differences between runs
 * (linearised), but is at least the variance of a Poisson distribution. The confidence
 * interval uses Student's t with Satterthwaite's degrees of freedom. Allocates scratch
 * memory only. Safe in any thread.
 *
 * For each group with J_i events and F_i frames in run i:
 *
 *   r = ΣJ / ΣF,  J⁺ = ΣJ + ½,  v = n/(n−1) Σ(J_i − r F_i)² / J⁺², at least 1 / J⁺
 *   ln RR = ln(J⁺_B / ΣF_B) − ln(J⁺_A / ΣF_A) ± t √(v_A + v_B)
 */
#ifndef DEJANK_STATS_RATE_RATIO_H
#define DEJANK_STATS_RATE_RATIO_H

#include <stdbool.h>

#include "stats/shift.h"

/* Counts of one group of runs. All counts are integers below 2^53. */
struct dj_counts {
    /* Number of events in each run. Not larger than the number of frames, unless a frame
     * can have several events. */
    const double *events;
    const double *frames; /* Number of frames in each run, at least 1. */
    size_t runs;
};

/* Least number of events of both groups together for which a ratio is reported. */
enum { DJ_RATE_EVENTS_LEAST = 5 };

struct dj_rate_ratio {
    double rate_a, rate_b; /* Events per frame, ΣJ / ΣF. */
    /* Logarithm of the ratio of the rates, with ½ added to the events. Valid only if
     * `few` is false. */
    double log_ratio;
    struct dj_bounds bounds; /* Confidence interval of log_ratio. */
    double df;
    double p;      /* Two-sided p for the hypothesis that the ratio is 1. */
    double events; /* Number of events of both groups together. */
    /* Whether there are fewer than DJ_RATE_EVENTS_LEAST events. If so, report
     * `difference` instead of the ratio. */
    bool few;
    double difference; /* rate_b − rate_a, per frame. */
    /* Approximate upper bound of the rate of a group without events, 3 / ΣF at 95 %,
     * which assumes that runs do not differ. NaN if the group has events. */
    double bound_a, bound_b;
};

/* Compares the rates. 0 < level < 1, and both groups have at least 2 runs. The order of
 * the runs does not change the result. Swapping the groups negates log_ratio and does not
 * change p. Returns DJ_E_NO_DATA if a group has fewer runs, DJ_E_INVALID if a count is
 * negative or not finite or a run has no frames, DJ_E_USAGE for an invalid level, or
 * DJ_E_NO_MEMORY. */
int dj_rate_ratio(const struct dj_counts *a, const struct dj_counts *b, double level,
                  struct dj_rate_ratio *result);

/* Computes a p value whose rate of false alarms is at most its level. (The p of
 * dj_rate_ratio() has 6 to 8 % false alarms at 5 % if there are few or short runs.) The
 * result is the larger of that p and a permutation p. The permutation p is the proportion
 * of all divisions of the runs into two groups in which the studentised difference is at
 * least as large as the observed one. All divisions are tested, or DJ_PERMUTATIONS drawn
 * ones if there are more. If no other drawn division is as extreme as the observed one,
 * the permutation p is at most 2 / C(n + m, n). The order of the runs and swapping the
 * groups do not change p. Errors are those of dj_rate_ratio(). Takes 2 ms for 20 and 20
 * runs. */
int dj_rate_ratio_compute_permuted(const struct dj_counts *a, const struct dj_counts *b,
                                   double *p);

#endif
