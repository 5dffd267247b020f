/*
 * Compares one metric of two sides, A and B, given one number per run. Computes the
 * difference, its certainty and the verdict. Pure: no I/O and no clock. The only
 * randomness is a permutation with a seed computed from the input.
 *
 * The estimate depends on the kind of the metric:
 *   Ratio (frame times, frame rates): the Hodges–Lehmann estimate on logarithms, with the
 *   exact inverted Mann–Whitney interval and p. If the sides have different sizes, p is
 *   Brunner and Munzel's, by permutation. In this case, and if one side spreads more than
 *   twice as much as the other, Welch's interval is used if it is wider than the
 *   Mann–Whitney interval.
 *   Share (jank): counts clustered by run. The ratio of the pooled rates has Welch's
 *   interval on its logarithm. The p of a share is the larger of Welch's p and the p of
 *   permuted runs.
 * With a stored baseline, the spread between earlier batches replaces the spread of
 * runs.
 *
 * The verdict: m = ln(1 + margin), [L, U] is the interval of ln(ratio) at level 1 −
 * alpha, [L', U'] the interval at level 1 − 2 alpha. Signs are such that more is
 * worse.
 *   L > m: regression. U < −m: improvement. −m < L' and U' < m: equivalent.
 *   0 outside [L, U]: likely-regression or likely-improvement. Otherwise: inconclusive.
 *
 * A verdict names a direction only if p is at most alpha, too. A hard verdict (regression
 * or improvement) needs p of at most alpha / 30. The ranks of few runs never give such a
 * p. A hard verdict then needs sides that do not overlap, and a t test with p of at most
 * alpha / 25. The t test is Student's, with the spread of the runs. If the spreads
 * differ, it is Welch's t test on the logarithms with the degrees of freedom of the
 * smaller side. For a share, it uses the t of the interval. With these rules at most 0.1
 * % of unchanged pairs are called a regression, however much the runs spread. If p is too
 * large for a hard verdict, the verdict is likely-regression or likely-improvement.
 */
#ifndef DEJANK_COMPARE_EFFECT_H
#define DEJANK_COMPARE_EFFECT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "compare/verdict.h"
#include "stats/shift.h"
#include "stats/weighted_mean.h"

enum dj_effect_kind {
    DJ_EFFECT_RATIO, /* Ratio: each run has a positive number. */
    DJ_EFFECT_SHARE  /* Share: each run has a count (`value`) and a total (`of`). */
};

/* The reason why a metric cannot be judged. For the reasons before DJ_EFFECT_UNKNOWN, the
 * verdict is inconclusive, and more runs help. The other reasons are properties of the
 * data. A gate then ignores the metric and reports the reason. */
enum dj_effect_refusal {
    DJ_EFFECT_NO_REFUSAL,
    /* A side has fewer than two runs with the metric. Only the point estimates are
     * valid. */
    DJ_EFFECT_FEW_RUNS,
    /* More than 10 % of a side's runs lack the metric. */
    DJ_EFFECT_METRIC_MISSING_IN_RUNS,
    DJ_EFFECT_UNKNOWN,      /* No run of a side has the metric. */
    DJ_EFFECT_NOT_POSITIVE, /* A value is zero or negative, so there is no ratio. */
    /* More than half of the values are ties, that is, equal to another run's value. */
    DJ_EFFECT_QUANTISED,
    /* A run has fewer than ten frames beyond the metric's quantile. */
    DJ_EFFECT_FEW_FRAMES,
    /* All runs together have fewer than five events, too few for a ratio of rates. */
    DJ_EFFECT_FEW_EVENTS,
    /* In a fleet, too few device models have the metric in both versions. */
    DJ_EFFECT_FEW_MODELS,
    /* The percentile is in the first bucket of the histogram, which is too wide. */
    DJ_EFFECT_FIRST_BUCKET,
    DJ_EFFECT_REFUSALS
};

/* Returns the name in JSON, such as "quantised", or NULL for DJ_EFFECT_NO_REFUSAL. */
const char *dj_compare_refusal_name(enum dj_effect_refusal refusal);
/* Returns the reason as a clause for people: "more than half of the values are ties". */
const char *dj_compare_refusal_text(enum dj_effect_refusal refusal);
/* Returns whether a gate ignores the metric. If false, the metric makes the gate
 * inconclusive. */
bool dj_compare_refusal_drops_out(enum dj_effect_refusal refusal);

/* The values of one side: one element per run, in any order. A value that is not finite
 * is unknown. */
struct dj_effect_side {
    const double *value; /* The value of each run, or the count of a share. */
    /* The total of a share. For a ratio, the number of frames from which the value was
     * computed, or NULL if unknown. */
    const double *of;
    size_t count;
};

/* Centres of earlier batches of the same device, flow and metric. Their spread is used to
 * judge sides that were not measured together. At least DJ_EFFECT_PAST_BATCHES_MIN
 * centres are needed. */
struct dj_effect_past {
    /* The natural logarithms of the values, or of a share's rates. All are finite. */
    const double *log_centre;
    size_t count;
};

enum {
    /* Minimum number of earlier batches for an estimate of the spread between batches. */
    DJ_EFFECT_PAST_BATCHES_MIN = 8,
    /* Minimum number of runs per side. With fewer runs, every result has a warning. */
    DJ_EFFECT_RUNS_MIN = 5
};

/* A value of alpha_p that forbids a direction, because no p is so small. */
extern const double DJ_EFFECT_NO_DIRECTION;

struct dj_effect_rules {
    enum dj_effect_kind kind;
    bool more_is_better;
    /* Largest change that does not matter, as a share such as 0.05. Must be above 0. */
    double margin;
    /* Two-sided error probability of the interval and of p. Must be above 0 and below
     * 0.5. */
    double alpha;
    double alpha_p; /* Largest p of a verdict with a direction, or 0 for alpha. */
    /* Alpha of the intervals that decide equivalence, or 0 for alpha. */
    double alpha_within;
    /* 0.95 if the value is a run's 95th percentile, or 0 if the value is no quantile. */
    double quantile;
    bool apart; /* True if the sides are known not to have been measured together. */
    /* True if runs_needed is the number for a verdict that a gate accepts as final. A
     * gate accepts all verdicts except inconclusive and likely-regression. */
    bool likely_is_open;
    /* The earlier batches, used only if `apart` is true. NULL if there are none. */
    const struct dj_effect_past *past;
};

struct dj_effect {
    enum dj_effect_refusal refusal;
    size_t n_a, n_b; /* Numbers of runs with the metric. */
    double a, b;     /* Medians of the runs. For a share, the pooled rates, 0 … 1. */
    double mean_a, mean_b; /* Means of the runs, or NaN if unknown. */
    /* B / A estimated from the shifts of all pairs of runs, or NaN if unknown. This
     * estimate usually differs from b / a. */
    double ratio;
    double level; /* Confidence level of `ci`: 1 − alpha. */
    /* Confidence interval of the ratio. It is 0 … infinity if nothing is known. */
    struct dj_bounds ci;
    /* Confidence interval at level 1 − 2 alpha, for equivalence. */
    struct dj_bounds inner;
    double p; /* Two-sided p, or NaN if there was no test. */
    /* Probability that a run of B is greater than a run of A. Equal runs count half. NaN
     * if unknown. */
    double b_greater;
    /* ln(ratio) divided by the pooled Shamos spread. It is used to sort metrics by the
     * size of their change. */
    double standardised;
    double tie_share; /* Share of values that another run also has, 0 … 1. */
    double spread;    /* Pooled spread of the logarithms. */
    /* Spread of the earlier batches' centres if it was used, or NaN. */
    double past_spread;
    double margin; /* Copy of the margin in the rules. */
    enum dj_compare_verdict verdict;
    /* True if a hard verdict was turned into a likely one, because the sides were not
     * measured together. */
    bool capped;
    /* Number of runs per side that reach a verdict with 80 % probability, given the
     * observed difference and spread. NaN if the verdict is reached or more runs do not
     * help. Infinite if no number of runs is enough. */
    double runs_needed;
    /* Number of runs per side for a verdict that names a direction. Special values are as
     * in runs_needed. */
    double runs_to_show;
};

/* Judges one metric. Too few or unsuitable numbers are no error: `refusal` is then set
 * and the verdict is inconclusive. If all runs have the same value and each side has
 * DJ_EFFECT_RUNS_MIN runs, the verdict is equivalent. Returns DJ_E_USAGE if the rules are
 * invalid. */
int dj_compare_compute_effect(const struct dj_effect_side *a,
                              const struct dj_effect_side *b,
                              const struct dj_effect_rules *rules,
                              struct dj_effect *effect, struct dj_error *err);

/* Judges the same sides again at another alpha. *effect must come from
 * dj_compare_compute_effect(). Keeps p and everything else that does not depend on alpha,
 * and recomputes the intervals and the verdict. */
int dj_compare_recompute_effect(const struct dj_effect_side *a,
                                const struct dj_effect_side *b,
                                const struct dj_effect_rules *rules,
                                struct dj_effect *effect, struct dj_error *err);

/* An estimate of ln(B / A) that was computed elsewhere, for example from a fleet. */
struct dj_effect_estimate {
    /* If this is a refusal, only the members after `log_ratio` are used. */
    enum dj_effect_refusal refusal;
    struct dj_weighted_mean log_ratio;
    double a, b;     /* Values of the sides, as in struct dj_effect. */
    size_t n_a, n_b; /* Numbers of independent units on each side. */
};

/* Judges an estimate by the rules above with Student's t, which has the degrees of
 * freedom of the estimate. A hard verdict needs p of at most alpha / 30. Returns
 * DJ_E_USAGE if the rules are invalid. */
int dj_compare_judge_estimate(const struct dj_effect_estimate *estimate,
                              const struct dj_effect_rules *rules,
                              struct dj_effect *effect, struct dj_error *err);

/* A share computed from the events and frames of several runs. The standard error is
 * cluster-robust, because frames of one run are not independent. ½ is added to the
 * events, as in rate_ratio.h, so that the logarithm exists if there are no events. */
struct dj_share {
    double events, frames; /* Sums over all runs of the side. */
    double log;            /* Logarithm of the rate: ln((events + ½) / frames). */
    double error;          /* Standard error of `log`. Undefined for one run. */
};
struct dj_share dj_compare_compute_share(const double *events, const double *frames,
                                         size_t count);

/* Returns the centre of one earlier batch (struct dj_effect_past). For a ratio, the
 * centre is the Hodges–Lehmann centre of the logarithms. For a share, the centre is
 * ln((events + ½) / frames) of all runs together. Returns NaN if too little is known. */
double dj_compare_log_centre(const struct dj_effect_side *side, enum dj_effect_kind kind);

#endif
