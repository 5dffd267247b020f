/*
 * Objectives: targets of a flow on some devices, and whether it meets them. They come
 * from the JSON that plans store with each batch (dejank.objectives/1,
 * docs/format/plan.md) or from words ("smooth_pct >= 98 % by 2027-03-31"). A flow without
 * objectives is only tracked.
 *
 * Whether an objective is met is a statement about the app, of which the runs are a
 * sample. The unit is the run. α is the accepted risk (default 0.05):
 *
 *   median  At least half of all runs keep the bound. If k of n runs did, it is met for
 *           P(Bin(n, ½) ≥ k) ≤ α and missed for P(Bin(n, ½) ≤ k) ≤ α. Exact, without any
 *           assumption on the distribution. The interval is that of order statistics,
 *           two-sided. With fewer than 6 runs it has no bounds at 95 %.
 *   mean    Of a share (janky_pct, …): frames clustered in runs, Σjanky/Σframes with the
 *           cluster-robust variance of its logarithm and Student's t with n − 1 degrees
 *           (reference: stats, §3). Else Student's t of the runs' values.
 *   worst   No run breaks the bound. A run that does is an observation, not a test. With
 *           none in n runs, the interval gives the share of all runs that may still do so
 *           (Clopper–Pearson, one-sided: 1 − α^(1/n)).
 *
 * An objective that is neither met nor missed is undecided. One without any measured run
 * is not measured, and never met.
 */
#ifndef DEJANK_GATE_OBJECTIVES_H
#define DEJANK_GATE_OBJECTIVES_H

#include "facts/device_class.h"
#include "memory/strings.h"
#include "stats/shift.h"
#include "store/browse.h"

enum {
    DJ_OBJECTIVES_MAX = 1000,
    DJ_OBJECTIVE_DATE_BYTES = 11 /* bytes of "2027-03-31" with its NUL */
};

enum dj_objective_statistic {
    DJ_OBJECTIVE_MEDIAN,
    DJ_OBJECTIVE_MEAN,
    DJ_OBJECTIVE_WORST,
    DJ_OBJECTIVE_STATISTICS
};

struct dj_objective {
    const char *metric_name; /* as written: "smooth_pct" */
    enum dj_metric metric;
    bool smooth;                      /* the value is 100 − metric (janky_pct) */
    bool at_least;                    /* else at most */
    double bound;                     /* in the metric's own unit */
    double goal;                      /* the final target; NaN: none */
    char by[DJ_OBJECTIVE_DATE_BYTES]; /* from the next day on the goal (else the bound) is
                                         due; "": now */
    enum dj_objective_statistic statistic;
    const char *flow;    /* NULL: all */
    const char *devices; /* a selector, or a class; NULL: all */
    bool has_class;
    struct dj_device_class class; /* the meaning of `devices` if it is a class */
    const char *priority, *note;  /* NULL: unknown */
};

/* What a plan says about one of its flows. */
struct dj_objective_flow {
    const char *name, *priority;
};

/* Initialise it with zeros. */
struct dj_objectives {
    struct dj_objective *objective;
    size_t count;
    struct dj_objective_flow *flow;
    size_t flow_count;
    struct dj_strings texts; /* owns all texts of the above */
};

/* Appends the objectives of a batch's JSON. NULL and "" have none. Returns DJ_E_INVALID
 * if the JSON is wrong, and appends nothing. Returns DJ_E_VERSION for another schema. */
int dj_gate_objectives_read(const char *json, struct dj_objectives *objectives,
                            struct dj_error *err);

/* Appends an objective in words: "METRIC <= BOUND [UNIT] [STATISTIC] [by DATE]", also
 * with "≤". Returns DJ_E_USAGE that says what was expected. */
int dj_gate_objective_parse(const char *words, struct dj_objectives *objectives,
                            struct dj_error *err);

/* Appends an objective and copies its texts. Returns DJ_E_LIMIT if there are too many. */
int dj_gate_objectives_add(struct dj_objectives *objectives,
                           const struct dj_objective *objective, struct dj_error *err);

void dj_gate_objectives_finish(struct dj_objectives *objectives);

/* Objectives speak of smooth frames. The store counts the janky ones. */
#define DJ_OBJECTIVE_SMOOTH "smooth_pct"

/* Sets metric, `smooth` and metric_name. metric_name is `name`, or the full name if
 * `name` is a short one such as "p95". Returns false if there is no such metric. */
bool dj_gate_objective_set_metric(const char *name, struct dj_objective *objective);

/* Reads a bound with its unit for the metric: "16.7 ms" of frame_time_p95_ns is 16 700
 * 000. Returns false and sets *expected if it does not fit. */
bool dj_gate_objective_read_bound(const char *metric, const char *text, double *bound,
                                  const char **expected);

/* Returns whether the text is a day such as "2027-03-31" (29 February is valid in every
 * year). */
bool dj_gate_objective_is_date(const char *text);

/* Returns "median", "mean" or "worst". */
const char *dj_gate_statistic_name(enum dj_objective_statistic statistic);

/* Finds a statistic by name: "worst" → DJ_OBJECTIVE_WORST. Returns false if there is
 * none. */
bool dj_gate_statistic_find(const char *word, enum dj_objective_statistic *statistic);

/* Returns whether the objective applies to this flow on this device. `serial` is the
 * device's selector. */
bool dj_gate_objective_applies(const struct dj_objective *objective, const char *flow,
                               const char *serial, const struct dj_device_facts *facts);

struct dj_objective_result;

/* Appends "frame time p95 ≤ 16.7 ms (median of runs)". With a result, it names the metric
 * that was assessed. */
void dj_gate_objective_format(struct dj_text *text, const struct dj_objective *objective,
                              const struct dj_objective_result *result);

/* Appends a value with the unit of its metric: "16.7 ms", "98 %". */
void dj_gate_objective_format_value(struct dj_text *text,
                                    const struct dj_objective *objective, double value);

/* ---- whether it is met ---- */

enum dj_objective_state {
    DJ_OBJECTIVE_MET,
    DJ_OBJECTIVE_MISSED,
    DJ_OBJECTIVE_UNDECIDED,
    DJ_OBJECTIVE_NOT_MEASURED,
    DJ_OBJECTIVE_STATES
};

/* Returns "met", "missed", "undecided" or "not-measured". */
const char *dj_gate_objective_state_name(enum dj_objective_state state);

struct dj_objective_result {
    enum dj_objective_state state;
    enum dj_metric metric;     /* the metric assessed: see dj_metrics_choose() */
    bool due;                  /* due now: missing it fails */
    double bound;              /* the bound used: the objective's bound or goal */
    size_t runs, within_count; /* runs that have the metric; those within the bound */
    size_t lacking;            /* runs that count and lack the metric */
    double value;              /* the statistic over the runs; NaN: not measured */
    struct dj_bounds
        interval; /* of the statistic, two-sided 1 − α; ±∞: no bound. Of worst: high is
                     the share of runs, 0 … 1, that may break it */
    double p_met, p_missed; /* one-sided; NaN: not tested */
    double confidence; /* that it is met, 1 − p_met, 0 … 1; of worst: that fewer runs than
                          `interval.high` break it; NaN: unknown */
    double goal_gap;   /* from value to goal, in the metric's unit; > 0: not reached; NaN:
                          no goal */
    double unseen_pct; /* for a metric of frame rows: counted frames without a row; NaN:
                          unknown */
};

/*
 * Assesses an objective over the runs of a batch that count. `now_unix_ms` decides what
 * is due. `alpha` is 0 < α < 0.5. A largest frame time is met only if 99 % of the frames
 * were seen.
 */
void dj_gate_objective_assess(const struct dj_objective *objective,
                              const struct dj_run_row *runs, size_t count, double alpha,
                              int64_t now_unix_ms, struct dj_objective_result *result);

/* Appends the reason: "9 of 10 runs within 16.7 ms; median 15.2 ms [14.8, 15.9]". */
void dj_gate_objective_format_reason(struct dj_text *text,
                                     const struct dj_objective *objective,
                                     const struct dj_objective_result *result);

#endif
