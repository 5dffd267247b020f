/*
 * Objectives: what a flow is to reach on which devices, and whether it does. They come
 * from the JSON that plans store with each batch (dejank.objectives/1,
 * docs/format/plan.md) or from words ("smooth_pct >= 98 % by 2027-03-31"). Without
 * objectives a flow is tracked only.
 *
 * Whether one is met is a statement about the app, of which the runs are a sample. The
 * run is the unit; with α the risk that is taken (0.05 unless told):
 *
 *   median  Half of all runs, at least, keep the bound. k of n runs did: met where
 *           P(Bin(n, ½) ≥ k) ≤ α, missed where P(Bin(n, ½) ≤ k) ≤ α. Exact, without any
 *           assumption on the distribution. The interval is that of order statistics,
 *           two-sided; with fewer than 6 runs it has no bounds at 95 %.
 *   mean    Of a share (janky_pct, …): frames clustered in runs, Σjanky/Σframes with the
 *           cluster-robust variance of its logarithm and Student's t with n − 1 degrees
 *           (reference: stats, §3). Of all else: Student's t of the runs' values.
 *   worst   No run breaks the bound. One that does is an observation, and no test; of
 * none in n runs the interval says which share of all runs may yet do (Clopper–Pearson,
 * one-sided: 1 − α^(1/n)).
 *
 * Neither met nor missed is undecided. What no run has is not measured: never met.
 */
#ifndef DEJANK_GATE_OBJECTIVES_H
#define DEJANK_GATE_OBJECTIVES_H

#include "facts/device_class.h"
#include "memory/strings.h"
#include "stats/shift.h"
#include "store/browse.h"

enum { DJ_OBJECTIVES_MOST = 1000, DJ_DATE = 11 /* "2027-03-31" */ };

enum dj_objective_statistic {
    DJ_OBJECTIVE_MEDIAN,
    DJ_OBJECTIVE_MEAN,
    DJ_OBJECTIVE_WORST,
    DJ_OBJECTIVE_STATISTICS
};

struct dj_objective {
    const char *metric_name; /* as written: "smooth_pct" */
    enum dj_metric metric;
    bool smooth;   /* 100 − metric, which is janky_pct */
    bool at_least; /* else at most */
    double bound;  /* in the metric's own unit */
    double goal;   /* where it is to get to; NaN: nowhere else */
    char
        by[DJ_DATE]; /* from the day after it on the goal (without one: the bound) is due;
                        "": now */
    enum dj_objective_statistic statistic;
    const char *flow;    /* NULL: all */
    const char *devices; /* a selector, or a class; NULL: all */
    bool has_class;
    struct dj_device_class class; /* what `devices` means, if it is a class */
    const char *priority, *note;  /* NULL: nothing was said */
};

/* What a plan said of one of its flows. */
struct dj_objective_flow {
    const char *name, *priority;
};

/* Zero it. */
struct dj_objectives {
    struct dj_objective *objective;
    size_t count;
    struct dj_objective_flow *flow;
    size_t flow_count;
    struct dj_strings texts; /* all that the above point to */
};

/* Appends those of a batch's JSON; NULL or "" holds none. DJ_E_INVALID says what is
 * wrong and nothing is appended; DJ_E_VERSION of another schema. */
int dj_objectives_read(const char *json, struct dj_objectives *objectives,
                       struct dj_error *err);

/* Appends one in words: "METRIC <= BOUND [UNIT] [STATISTIC] [by DATE]", "≤" too.
 * DJ_E_USAGE says what was expected. */
int dj_objective_parse(const char *words, struct dj_objectives *objectives,
                       struct dj_error *err);

/* Appends one; its texts are copied. DJ_E_LIMIT. */
int dj_objectives_add(struct dj_objectives *objectives,
                      const struct dj_objective *objective, struct dj_error *err);

void dj_objectives_finish(struct dj_objectives *objectives);

/* The guide speaks of smooth frames; the store has the janky ones. */
#define DJ_OBJECTIVE_SMOOTH "smooth_pct"

/* Sets metric, `smooth` and metric_name, which is `name` unless that is a short one such
 * as "p95". False: there is no such metric. */
bool dj_objective_metric(const char *name, struct dj_objective *objective);

/* A bound with its unit as the metric's name asks for it: "16.7 ms" of
 * frame_time_p95_ns is 16 700 000. False, and what was expected. */
bool dj_objective_bound_read(const char *metric, const char *text, double *bound,
                             const char **expected);

/* "2027-03-31": a day that there is (29 February in every year). */
bool dj_objective_date(const char *text);

/* "median", "mean", "worst". */
const char *dj_objective_statistic_name(enum dj_objective_statistic statistic);

/* "worst" → DJ_OBJECTIVE_WORST. False: no statistic has that name. */
bool dj_objective_statistic_find(const char *word,
                                 enum dj_objective_statistic *statistic);

/* Whether it is one of this flow on this device. `serial` is the device's selector. */
bool dj_objective_applies(const struct dj_objective *objective, const char *flow,
                          const char *serial, const struct dj_device_facts *facts);

struct dj_objective_result;

/* Appends "frame time p95 ≤ 16.7 ms (median of runs)", with the metric that was assessed
 * where there is a result. */
void dj_objective_words(struct dj_text *text, const struct dj_objective *objective,
                        const struct dj_objective_result *result);

/* Appends a value of its metric with its unit: "16.7 ms", "98 %". */
void dj_objective_value(struct dj_text *text, const struct dj_objective *objective,
                        double value);

/* ---- whether it is met ---- */

enum dj_objective_state {
    DJ_OBJECTIVE_MET,
    DJ_OBJECTIVE_MISSED,
    DJ_OBJECTIVE_UNDECIDED,
    DJ_OBJECTIVE_NOT_MEASURED,
    DJ_OBJECTIVE_STATES
};

/* "met", "missed", "undecided", "not-measured". */
const char *dj_objective_state_name(enum dj_objective_state state);

struct dj_objective_result {
    enum dj_objective_state state;
    enum dj_metric metric; /* that was assessed: see dj_metric_choose() */
    bool due;              /* it is to be reached by now: missing it fails */
    double bound;          /* that was held against it: the objective's bound or goal */
    size_t runs, kept;     /* runs that have the metric; of these: within the bound */
    size_t lacking;        /* runs that count and lack it */
    double value;          /* the statistic over the runs; NaN: not measured */
    struct dj_bounds interval; /* of the statistic, two-sided 1 − α; ±∞: no bound.
                                    Of worst: high is the share of runs, 0 … 1, that may
                                    break it */
    double p_met, p_missed;    /* one-sided; NaN where nothing is tested */
    double confidence; /* that it is met, 1 − p_met, 0 … 1; of worst: that fewer than
                          `interval.high` break it; NaN: unknown */
    double goal_gap;   /* from value to goal, in the metric's unit, > 0: not there yet;
                          NaN: no goal */
    double unseen_pct; /* frames that were counted and are in no row, of a metric of
                          rows; NaN: unknown */
};

/*
 * Assesses one over the runs of a batch, of which only those that count are looked at.
 * `now_unix_ms` decides what is due, `alpha` is 0 < α < 0.5. A largest frame time is only
 * met where 99 % of the frames were seen.
 */
void dj_objective_assess(const struct dj_objective *objective,
                         const struct dj_run_row *runs, size_t count, double alpha,
                         int64_t now_unix_ms, struct dj_objective_result *result);

/* Appends why, in a sentence: "9 of 10 runs within 16.7 ms; median 15.2 ms [14.8, 15.9]".
 */
void dj_objective_reason(struct dj_text *text, const struct dj_objective *objective,
                         const struct dj_objective_result *result);

#endif
