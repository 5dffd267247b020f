/*
 * Objectives are targets of a flow on some devices. This module reads them and checks
 * whether the runs meet them. Objectives come from the JSON that plans store with each
 * batch (dejank.objectives/1, docs/format/plan.md) or from command-line texts
 * ("smooth_pct >= 98 % by 2027-03-31"). A flow without objectives never fails because of
 * an objective.
 *
 * Whether an objective is met is a statement about the app. The runs are a sample, and
 * the statistical unit is the run. α is the accepted risk (default 0.05).
 *
 *   median  At least half of all runs keep the bound. If k of n runs keep it, the
 *           objective is met if P(Bin(n, ½) ≥ k) ≤ α, and missed if P(Bin(n, ½) ≤ k) ≤ α.
 *           This is exact for any distribution. The two-sided interval is between order
 *           statistics. With fewer than 6 runs it has no bounds at 95 %.
 *   mean    For a share (janky_pct, …), frames are clustered by run: Σjanky/Σframes with
 *           the cluster-robust variance of its logarithm and Student's t with n − 1
 *           degrees of freedom (reference: stats, §3). For other metrics, Student's t of
 *           the runs' values.
 *   worst   No run breaks the bound. One run that breaks it is enough for a miss. If none
 *           of n runs breaks it, the interval gives the share of all runs that may still
 *           break it (Clopper–Pearson, one-sided: 1 − α^(1/n)).
 *
 * An objective that is neither met nor missed is undecided. An objective without any run
 * that has the metric is not measured.
 */
#ifndef DEJANK_GATE_OBJECTIVES_H
#define DEJANK_GATE_OBJECTIVES_H

#include "facts/device_class.h"
#include "memory/strings.h"
#include "stats/shift.h"
#include "store/browse.h"

enum {
    DJ_OBJECTIVES_MAX = 1000,
    DJ_OBJECTIVE_DATE_BYTES = 11 /* Size of "2027-03-31" with its NUL. */
};

enum dj_objective_statistic {
    DJ_OBJECTIVE_MEDIAN,
    DJ_OBJECTIVE_MEAN,
    DJ_OBJECTIVE_WORST,
    DJ_OBJECTIVE_STATISTICS
};

struct dj_objective {
    const char *metric_name; /* Name as the user wrote it: "smooth_pct". */
    enum dj_metric metric;
    bool smooth;   /* True if the value is 100 − the metric (janky_pct). */
    bool at_least; /* True for "at least the bound", false for "at most". */
    double bound;  /* The bound in the metric's own unit. */
    double goal;   /* The final target in the metric's unit, or NaN if there is none. */
    /* Deadline, as a day. After this day the goal is due, or the bound if there is no
     * goal. If the deadline is "", it is due now. */
    char by[DJ_OBJECTIVE_DATE_BYTES];
    enum dj_objective_statistic statistic;
    const char *flow; /* Name of the flow, or NULL for all flows. */
    /* A device selector or a device class, or NULL for all devices. */
    const char *devices;
    bool has_class;
    /* Definition of the class, valid if has_class is true. */
    struct dj_device_class class;
    const char *priority, *note; /* Priority and note in the plan, or NULL if unknown. */
};

/* A flow of a plan and its priority. */
struct dj_objective_flow {
    const char *name, *priority;
};

/* A list of objectives. Zero the struct before use. */
struct dj_objectives {
    struct dj_objective *objective;
    size_t count;
    struct dj_objective_flow *flow;
    size_t flow_count;
    struct dj_strings texts; /* Owns all texts of this struct. */
};

/* Appends the objectives in the JSON of a batch. NULL and "" contain none. Returns
 * DJ_E_INVALID if the JSON is invalid, or DJ_E_VERSION if it has another schema. On an
 * error nothing is appended. */
int dj_gate_objectives_read(const char *json, struct dj_objectives *objectives,
                            struct dj_error *err);

/* Parses an objective and appends it. The text is "METRIC <= BOUND [UNIT] [STATISTIC] [by
 * DATE]", where "≤", ">=" and "≥" are signs, too. Returns DJ_E_USAGE with a message about
 * the expected text. */
int dj_gate_objective_parse(const char *words, struct dj_objectives *objectives,
                            struct dj_error *err);

/* Appends an objective and copies its texts. Returns DJ_E_LIMIT if there are too many. */
int dj_gate_objectives_add(struct dj_objectives *objectives,
                           const struct dj_objective *objective, struct dj_error *err);

void dj_gate_objectives_finish(struct dj_objectives *objectives);

/* The metric of smooth frames in objectives. The store only has the janky frames. */
#define DJ_OBJECTIVE_SMOOTH "smooth_pct"

/* Sets the members `metric`, `smooth` and `metric_name`. A short name such as "p95" is
 * replaced by the full name. Returns false if there is no such metric. */
bool dj_gate_objective_set_metric(const char *name, struct dj_objective *objective);

/* Reads a bound with its unit and converts it to the metric's unit. For
 * frame_time_p95_ns, "16.7 ms" becomes 16 700 000. Returns false and sets *expected if
 * the unit does not fit the metric. */
bool dj_gate_objective_read_bound(const char *metric, const char *text, double *bound,
                                  const char **expected);

/* Returns whether the text is a day such as "2027-03-31". */
bool dj_gate_objective_is_date(const char *text);

/* Returns "median", "mean" or "worst". */
const char *dj_gate_statistic_name(enum dj_objective_statistic statistic);

/* Finds a statistic by its name. Returns false if there is none. */
bool dj_gate_statistic_find(const char *word, enum dj_objective_statistic *statistic);

/* Returns whether the objective applies to a flow on a device. `serial` is the device's
 * selector. */
bool dj_gate_objective_applies(const struct dj_objective *objective, const char *flow,
                               const char *serial, const struct dj_device_facts *facts);

struct dj_objective_result;

/* Appends "frame time p95 ≤ 16.7 ms (median of runs)". If `result` is not NULL, the text
 * names the metric that was assessed, which may be a substitute. */
void dj_gate_objective_format(struct dj_text *text, const struct dj_objective *objective,
                              const struct dj_objective_result *result);

/* Appends a value with the unit of its metric: "16.7 ms", "98 %". */
void dj_gate_objective_format_value(struct dj_text *text,
                                    const struct dj_objective *objective, double value);

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
    /* The metric that was assessed. It may be a substitute (see dj_metrics_choose()). */
    enum dj_metric metric;
    bool due;     /* True if the objective is due, so that missing it fails a gate. */
    double bound; /* The bound that was used: the objective's bound or its goal. */
    /* Number of runs that have the metric, and number of those runs that keep the
     * bound. */
    size_t runs, within_count;
    size_t lacking; /* Number of valid runs that lack the metric. */
    double value;   /* The statistic over the runs, or NaN if not measured. */
    /* Two-sided interval of the statistic at level 1 − α. An end of the interval that is
     * unknown is ±∞. For DJ_OBJECTIVE_WORST, `high` is the share of all runs, 0 … 1, that
     * may break the bound. */
    struct dj_bounds interval;
    /* One-sided p of two tests: that the objective is met only by chance, and that it is
     * missed only by chance. NaN if not tested. */
    double p_met, p_missed;
    /* Confidence that the objective is met, 1 − p_met, 0 … 1. For DJ_OBJECTIVE_WORST, the
     * confidence that a smaller share of runs than `interval.high` breaks the bound. NaN
     * if unknown. */
    double confidence;
    /* Distance from the value to the goal in the metric's unit. Above 0 if the goal is
     * not reached, NaN if there is no goal. */
    double goal_gap;
    /* Percentage of the counted frames that have no row, for metrics of frame rows. NaN
     * if unknown. */
    double unseen_pct;
};

/* Assesses an objective over the valid runs of a batch. `now_unix_ms` decides what is
 * due. `alpha` must be above 0 and below 0.5. An objective on the largest frame time is
 * met only if 99 % of the frames were seen. */
void dj_gate_objective_assess(const struct dj_objective *objective,
                              const struct dj_run_row *runs, size_t count, double alpha,
                              int64_t now_unix_ms, struct dj_objective_result *result);

/* Appends the reason for the result, such as "9 of 10 runs keep 16.7 ms; median 15.2 ms
 * [14.8, 15.9]". */
void dj_gate_objective_format_reason(struct dj_text *text,
                                     const struct dj_objective *objective,
                                     const struct dj_objective_result *result);

#endif
