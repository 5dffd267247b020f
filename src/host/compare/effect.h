/*
 * Compares one metric of two sides, given one number per run in plain arrays: the
 * difference, its certainty, and the verdict. No I/O and no clock. The only randomness is
 * a permutation with a seed from its input.
 *
 * A ratio (frame times, frame rates) uses the Hodges–Lehmann estimate on logarithms, with
 * the exact inverted Mann–Whitney interval and p. If the sides have different sizes, p is
 * Brunner and Munzel's, by permutation. In that case, or if one side spreads more than
 * twice as much as the other, the interval is the wider of that one and Welch's. A share
 * (jank) uses counts clustered by run: the ratio of pooled rates with Welch's interval on
 * its logarithm. Its p is the larger of Welch's and that of permuted runs. With a stored
 * baseline, the spread between earlier batches replaces the spread within these.
 *
 * Verdict, with m = ln(1 + margin), [L, U] the interval of ln(ratio) at 1 − alpha, signs
 * turned so that more is worse, and [L', U'] that at 1 − 2 alpha:
 *   L > m regression; U < −m improvement; −m < L' and U' < m equivalent;
 *   0 outside [L, U] likely-regression or likely-improvement; else inconclusive.
 *
 * A verdict names a direction only if p agrees. A hard verdict (regression, improvement)
 * needs p of at most alpha / 30. Ranks of few runs never reach that. Then the sides must
 * not overlap, and p of Student's t for the spread of the runs must be at most alpha /
 * 25. If the spreads differ, it is Welch's t on the logarithms with the smaller side's
 * degrees of freedom. For a share it is the t of its interval. At most 0.1 % of unchanged
 * pairs are then called a regression, however much the runs spread. Otherwise the verdict
 * is a likely one.
 */
#ifndef DEJANK_COMPARE_EFFECT_H
#define DEJANK_COMPARE_EFFECT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "compare/verdict.h"
#include "stats/shift.h"

enum dj_effect_kind {
    DJ_EFFECT_RATIO, /* a positive number per run */
    DJ_EFFECT_SHARE  /* a count out of a total per run: `value` out of `of` */
};

/* Why a metric cannot be judged. Reasons before DJ_EFFECT_UNKNOWN make it inconclusive,
 * and more runs help. Reasons from DJ_EFFECT_UNKNOWN on lie in the data: the metric drops
 * out of a gate, which names it. */
enum dj_effect_refusal {
    DJ_EFFECT_NO_REFUSAL,
    DJ_EFFECT_FEW_RUNS, /* a side has fewer than two runs with the metric: point estimates
                           only */
    DJ_EFFECT_METRIC_MISSING_IN_RUNS, /* more than 10 % of a side's runs lack the metric
                                       */
    DJ_EFFECT_UNKNOWN,                /* no run of a side has the metric */
    DJ_EFFECT_NOT_POSITIVE,           /* values of zero or less have no ratio */
    DJ_EFFECT_QUANTISED,              /* more than half of the values are ties */
    DJ_EFFECT_FEW_FRAMES, /* its quantile rests on fewer than ten frames of a run */
    DJ_EFFECT_FEW_EVENTS, /* fewer than five events in all: no ratio of rates */
    DJ_EFFECT_REFUSALS
};

/* Returns "quantised" and the like, which are stable in JSON. NULL for
 * DJ_EFFECT_NO_REFUSAL. */
const char *dj_compare_refusal_name(enum dj_effect_refusal refusal);
/* Returns a clause for people: "more than half of the values are ties". */
const char *dj_compare_refusal_text(enum dj_effect_refusal refusal);
/* Returns whether the metric drops out of a gate instead of making it inconclusive. */
bool dj_compare_refusal_drops_out(enum dj_effect_refusal refusal);

/* One entry per run, in any order. A value that is not finite is unknown. */
struct dj_effect_side {
    const double *value; /* of a share: the count */
    const double *of;    /* of a share: the total; else the number of frames behind the
                            value, or NULL if unknown */
    size_t count;
};

/* Centres of earlier batches of the same device, flow and metric. They judge sides that
 * were not measured together. At least DJ_EFFECT_PAST_BATCHES_MIN are needed. */
struct dj_effect_past {
    const double *log_centre; /* ln of the value, or of a share's rate; finite */
    size_t count;
};

enum {
    DJ_EFFECT_PAST_BATCHES_MIN =
        8,                 /* with fewer batches a stored baseline proves nothing */
    DJ_EFFECT_RUNS_MIN = 5 /* per side; with fewer runs every result has a warning */
};

struct dj_effect_rules {
    enum dj_effect_kind kind;
    bool more_is_better;
    double margin;       /* > 0, as a share: 0.05; smaller changes do not matter */
    double alpha;        /* 0 < alpha < 0.5: two-sided, for the interval and p */
    double alpha_p;      /* largest p of a verdict with a direction; 0: alpha */
    double alpha_within; /* alpha of the intervals for equivalence; 0: alpha */
    double quantile; /* 0.95 if the value is a run's 95th percentile; 0: no quantile */
    bool apart;      /* the sides are known not to be measured together */
    bool likely_is_open; /* runs_needed is for a verdict that a gate accepts as final: any
                            except inconclusive and likely-regression */
    const struct dj_effect_past *past; /* used if the sides are apart; NULL: none */
};

struct dj_effect {
    enum dj_effect_refusal refusal;
    size_t n_a, n_b;       /* runs with the metric */
    double a, b;           /* median over runs; of a share the pooled rate 0 … 1 */
    double mean_a, mean_b; /* over runs; NaN: unknown */
    double ratio;        /* B / A from paired shifts, which is not b / a; NaN: unknown */
    double level;        /* of the interval: 1 − alpha */
    struct dj_bounds ci; /* of the ratio; 0 … infinity: nothing is known */
    struct dj_bounds inner; /* at 1 − 2 alpha, for equivalence */
    double p;               /* two-sided; NaN: there is none */
    double b_greater;       /* P(a run of B > one of A), ties count half; NaN: unknown */
    double standardised;    /* ln ratio / pooled Shamos spread, for ranking */
    double tie_share;       /* share of values that another run also has; 0 … 1 */
    double spread;          /* pooled spread of the logarithms */
    double past_spread;     /* spread of batch centres, if used; else NaN */
    double margin;          /* as in the rules */
    enum dj_compare_verdict verdict;
    bool capped; /* would be a hard verdict if the sides had been measured together */
    double runs_needed;  /* per side, to reach a verdict with 80 % probability at the
                            observed difference and spread. NaN: reached, or more runs do
                            not help; infinite: no number is enough */
    double runs_to_show; /* the same for a verdict that names a direction */
};

/*
 * Judges one metric. No numbers are an error: if `refusal` is set, the verdict is
 * inconclusive. Values that are equal in all runs are equivalent from
 * DJ_EFFECT_RUNS_MIN runs on. Returns DJ_E_USAGE if the rules are invalid.
 */
int dj_compare_compute_effect(const struct dj_effect_side *a,
                              const struct dj_effect_side *b,
                              const struct dj_effect_rules *rules,
                              struct dj_effect *effect, struct dj_error *err);

/* Judges the same sides at another alpha. Keeps p and everything that does not depend on
 * alpha from *effect, and recomputes intervals and verdict. */
int dj_compare_recompute_effect(const struct dj_effect_side *a,
                                const struct dj_effect_side *b,
                                const struct dj_effect_rules *rules,
                                struct dj_effect *effect, struct dj_error *err);

/* The share of `events` in `frames` clustered in runs: the ratio of the sums, and the
 * cluster-robust standard error of its logarithm. Adds ½ to the events like rate_ratio.h,
 * so that runs without an event have a logarithm too. */
struct dj_share {
    double events, frames; /* sums */
    double log;            /* ln((events + ½) / frames) */
    double error;          /* of `log`; undefined for one run */
};
struct dj_share dj_compare_compute_share(const double *events, const double *frames,
                                         size_t count);

/* Returns the centre of one batch for struct dj_effect_past: the Hodges–Lehmann centre of
 * the logarithms, or ln of the pooled rate. NaN: too little is known. */
double dj_compare_log_centre(const struct dj_effect_side *side, enum dj_effect_kind kind);

#endif
