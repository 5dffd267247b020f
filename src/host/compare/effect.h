/*
 * One metric of two sides, from plain arrays of one number per run: how far they lie
 * apart, how surely, and what that amounts to. No I/O, no clock, no chance but a
 * permutation seeded by its input.
 *
 * A ratio (frame times, rates of frames): by Hodges and Lehmann on the logarithms, with
 * the exact inverted Mann–Whitney interval and p. Where the sides are of unequal size, p
 * is Brunner and Munzel's, permuted; there, and where one side spreads more than twice as
 * much as the other, the interval is the wider of that one and Welch's.
 * A share (jank): counts clustered by run, the ratio of pooled rates with Welch's
 * interval on its logarithm, p of that and of the runs' permutations, whichever is
 * larger. With a stored baseline the spread between earlier batches takes the place of
 * that within these.
 *
 * Verdict, with m = ln(1 + margin), [L, U] the interval of ln(ratio) at 1 − alpha, signs
 * turned so that more is worse, and [L', U'] that at 1 − 2 alpha:
 *   L > m regression; U < −m improvement; −m < L' and U' < m equivalent;
 *   0 outside [L, U] likely-regression or likely-improvement; else inconclusive.
 * A direction is told only where p agrees; a hard verdict (regression, improvement) only
 * where p is at most alpha / 30, or, since ranks of few runs never tell so much, where
 * the sides do not overlap and Student's t of the runs' spread is at most alpha / 25
 * (Welch's on the logarithms, with the smaller side's degrees of freedom where spreads
 * are unequal; of a share that of its interval). A tenth of a percent of nothing at most
 * is called a regression then, however far runs spread. Else it is likely.
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
    DJ_EFFECT_SHARE  /* so many of so many per run: value of `of` */
};

/* Why a metric cannot be judged. Those from DJ_EFFECT_UNKNOWN on lie in the data, and it
 * drops out of a gate, named; before them it is inconclusive, and more runs help. */
enum dj_effect_refusal {
    DJ_EFFECT_FINE,
    DJ_EFFECT_FEW_RUNS,     /* fewer than two on a side know it: point estimates only */
    DJ_EFFECT_RUNS_LACK_IT, /* more than one run in ten of a side does not know it */
    DJ_EFFECT_UNKNOWN,      /* no run of a side knows it */
    DJ_EFFECT_NOT_POSITIVE, /* zeros or less, of which there is no ratio */
    DJ_EFFECT_QUANTISED,    /* more than half of the runs' values are ties */
    DJ_EFFECT_FEW_FRAMES,   /* its quantile stands on fewer than ten frames of a run */
    DJ_EFFECT_FEW_EVENTS,   /* fewer than five in all: no ratio of rates */
    DJ_EFFECT_REFUSALS
};

/* "quantised": a contract of the JSON; NULL of DJ_EFFECT_FINE. */
const char *dj_effect_refusal_name(enum dj_effect_refusal refusal);
/* One clause for people: "more than half of the values are ties". */
const char *dj_effect_refusal_about(enum dj_effect_refusal refusal);
/* Whether it drops out of a gate, and does not make that inconclusive. */
bool dj_effect_drops_out(enum dj_effect_refusal refusal);

/* A run each, in any order. Not finite: the run does not know it. */
struct dj_effect_side {
    const double *value; /* of a share: how many */
    const double *of;    /* of a share: of how many; else of how many frames the value is,
                            or NULL: nobody knows */
    size_t count;
};

/* Centres of earlier batches of the same device, flow and metric: what a side that was
 * not measured together with the other is judged by (8 are needed). */
struct dj_effect_past {
    const double *log_centre; /* ln, or of a share ln of its rate; finite */
    size_t count;
};

enum {
    DJ_PAST_LEAST = 8,       /* batches without which a stored baseline proves nothing */
    DJ_EFFECT_RUNS_LEAST = 5 /* on a side; below, everything comes with a warning */
};

struct dj_effect_rules {
    enum dj_effect_kind kind;
    bool more_is_better;
    double margin;       /* > 0, as a share: 0.05; what does not matter */
    double alpha;        /* 0 < alpha < 0.5: two-sided, of the interval and of p */
    double alpha_p;      /* what p must not exceed for a direction to be told; 0: alpha */
    double alpha_within; /* of the intervals that equivalence is judged by; 0: alpha */
    double quantile; /* 0.95 where the value is a run's 95th percentile; 0: it is none */
    bool apart;      /* the sides are known not to have been measured together */
    bool likely_is_open; /* runs_needed is for a verdict that a gate accepts as settled:
                            any except inconclusive and likely-regression */
    const struct dj_effect_past *past; /* used where they are apart; NULL: none */
};

struct dj_effect {
    enum dj_effect_refusal refusal;
    size_t n_a, n_b;        /* runs that know it */
    double a, b;            /* median over runs; of a share the pooled rate 0 … 1 */
    double mean_a, mean_b;  /* over runs; NaN: unknown */
    double ratio;           /* B / A; NaN: unknown. Not b / a: of paired shifts */
    double level;           /* of the interval: 1 − alpha */
    struct dj_bounds ci;    /* of the ratio; 0 … infinity: nothing is known */
    struct dj_bounds inner; /* at 1 − 2 alpha: what equivalence was judged by */
    double p;               /* two-sided; NaN: there is none */
    double b_greater;       /* P(a run of B > one of A), ties half; NaN: unknown */
    double standardised;    /* ln ratio over the pooled Shamos spread: for ranking */
    double tie_share;       /* of values that another run has, too; 0 … 1 */
    double spread;          /* pooled, of the logarithms */
    double past_spread;     /* … of batch centres, where it was used; else NaN */
    double margin;          /* as in the rules */
    enum dj_judgement verdict;
    bool capped;        /* it would be a hard one, had the sides been measured together */
    double runs_needed; /* per side, that settle the verdict with 80 % probability if the
                           difference and the spread are as observed. NaN: it is settled,
                           or more runs do not help; infinite: no number is enough */
    double runs_to_show; /* the same for a verdict that names a direction */
};

/*
 * Judges one metric. Whatever the numbers are this is no error: see `refusal`, with which
 * the verdict is inconclusive. Values that are all the same on both sides are equivalent
 * from DJ_EFFECT_RUNS_LEAST runs on. DJ_E_USAGE where the rules make no sense.
 */
int dj_effect_of(const struct dj_effect_side *a, const struct dj_effect_side *b,
                 const struct dj_effect_rules *rules, struct dj_effect *effect,
                 struct dj_error *err);

/* The same sides at another alpha: p and whatever does not hang on alpha is taken from
 * *effect, intervals and verdict are made anew. */
int dj_effect_again(const struct dj_effect_side *a, const struct dj_effect_side *b,
                    const struct dj_effect_rules *rules, struct dj_effect *effect,
                    struct dj_error *err);

/* The share of `events` of `frames`, which are clustered in runs: the ratio of the sums,
 * and of its logarithm the cluster-robust standard error. The ½ that is added to the
 * events is rate_ratio.h's: runs without an event have a logarithm, too. */
struct dj_share {
    double events, frames; /* sums */
    double log;            /* ln((events + ½) / frames) */
    double error;          /* of `log`; means nothing of one run */
};
struct dj_share dj_share_of(const double *events, const double *frames, size_t count);

/* The centre of one batch as struct dj_effect_past wants it: the Hodges–Lehmann centre of
 * the logarithms, or ln of the pooled rate. NaN: too little is known. */
double dj_effect_log_centre(const struct dj_effect_side *side, enum dj_effect_kind kind);

#endif
