/* Compares two sides: every metric that both know, one verdict over the metrics that
 * gate, and warnings about the design of the measurement. */
#ifndef DEJANK_COMPARE_COMPARE_H
#define DEJANK_COMPARE_COMPARE_H

#include "base/text.h"
#include "compare/family.h"
#include "compare/side.h"

/* ---- metrics ---- */

/* A metric that can be compared. */
struct dj_compare_metric {
    const char *name;  /* "frame_time_p95": stable in JSON and options */
    const char *words; /* "p95 frame time" */
    const char *unit;  /* unit of displayed values: "ms", "%", "Hz" */
    double factor;     /* divide the stored unit by this; a share counts from 1 */
    enum dj_effect_kind kind;
    enum dj_metric value, of; /* `of`: the total of a share, else the number of frames */
    enum dj_metric value_else,
        of_else; /* replacements if a run lacks those; equal: no replacement */
    bool more_is_better;
    double quantile; /* as in effect.h */
    double margin;   /* the default */
    bool gates;      /* by default */
};

/* Returns the i-th metric in display order, or NULL after the last. */
const struct dj_compare_metric *dj_compare_metric(size_t i);
/* Finds a metric by its name, its column in the store ("frame_time_p95_ns") or its short
 * name ("p95", "jank"). Returns NULL if there is none. */
const struct dj_compare_metric *dj_compare_metric_find(const char *name);

/* Returns the metric that replaces this one if dj_metrics_choose() says so, or NULL. */
const struct dj_compare_metric *
dj_compare_metric_substitute(const struct dj_compare_metric *metric);

/* Returns whether more runs know `value_else` than `value`. Both sides then use it for
 * all runs, so one side is never counted differently from the other. b may be NULL. */
bool dj_compare_metric_needs_replacement(const struct dj_side *a, const struct dj_side *b,
                                         const struct dj_compare_metric *metric);

/* Returns one value per run of a metric, in the side's order, NaN if unknown. The caller
 * frees both arrays. */
void dj_compare_side_values(const struct dj_side *side,
                            const struct dj_compare_metric *metric, bool otherwise,
                            double **value, double **of);

/* ---- rules ---- */

struct dj_compare_gate {
    const struct dj_compare_metric *metric;
    double margin; /* a share; 0: the metric's own */
};

/* All zero: the defaults. */
struct dj_compare_rules {
    double alpha;  /* for the whole family; 0: 0.05 */
    double margin; /* for all metrics without their own; 0: each metric's default */
    const struct dj_compare_gate *gates;
    size_t gate_count; /* 0: those that gate by default */
    struct dj_store
        *history; /* store with earlier batches of a stored baseline; NULL: none */
};

/* ---- the comparison ---- */

enum dj_interleaving {
    DJ_ORDER_UNKNOWN, /* limits nothing */
    DJ_ORDER_INTERLEAVED,
    DJ_ORDER_APART /* known not to be interleaved */
};

struct dj_comparison_metric {
    const struct dj_compare_metric *metric;
    struct dj_family_member member; /* the comparison owns its arrays */
    struct dj_effect_past past;     /* the comparison owns its array */
    bool otherwise;                 /* see dj_compare_metric_needs_replacement() */
    const struct dj_compare_metric
        *replaced_metric; /* the metric it replaces; NULL: none */
};

/* The quantile shift: how far apart the sides are at quantile q of a run, for plots. It
 * uses frame times from the runs' histograms (exact to 0.55 %), or guide_total of other
 * tools' logs, of which the store knows four quantiles. */
enum { DJ_SHIFT_POINTS = 11 };
struct dj_shift_point {
    double q;
    double a_ns, b_ns; /* medians over the runs */
    double ratio;
    struct dj_bounds ci; /* simultaneous for all points, at level 1 − alpha */
};

struct dj_finding_change {
    enum dj_finding_id id;
    size_t runs_a, runs_b;   /* runs with the finding */
    size_t known_a, known_b; /* runs in which it could have been found */
    bool appeared, went; /* found in more than half of the runs of one side and in none of
                            the other */
};

/* Reasons to distrust a comparison. The ids are stable in JSON. */
enum dj_compare_warning_id {
    DJ_WARNING_FEW_RUNS,
    DJ_WARNING_NOT_INTERLEAVED,
    DJ_WARNING_DRIFT,
    DJ_WARNING_QUANTISED,
    DJ_WARNING_DEVICE_MIX,
    DJ_WARNING_RELEASE,
    DJ_WARNING_REFRESH,
    DJ_WARNING_UNITS,
    DJ_WARNING_PROJECT,
    DJ_WARNING_LEFT_OUT,
    DJ_WARNING_REFUSED,
    DJ_WARNING_DUPLICATE,
    DJ_WARNING_CLOCK,
    DJ_WARNING_OPPOSITE,
    DJ_WARNING_METRICS,
    DJ_WARNING_UNEQUAL,
    DJ_WARNING_DISTURBED,
    DJ_WARNING_COUNT
};

struct dj_compare_warning {
    enum dj_compare_warning_id id;
    char *text; /* a sentence with escaped names; owned */
};

const char *dj_compare_warning_name(
    enum dj_compare_warning_id id); /* Returns the id as text: "not-interleaved". */

/* Initialise it with zeros and call dj_compare_comparison_finish() in every case. It
 * points into its sides. */
struct dj_comparison {
    const struct dj_side *a, *b;
    double alpha;
    struct dj_comparison_metric
        *metrics; /* metrics that at least one side knows or that gate */
    size_t metric_count;
    size_t leading; /* index of the metric that the verdict names */
    struct dj_family_verdict overall;
    double runs_needed; /* per side, if inconclusive; NaN: unknown */
    enum dj_interleaving interleaving;
    size_t past_batches; /* earlier batches that replace interleaving; 0: none */
    struct dj_shift_point shift[DJ_SHIFT_POINTS];
    size_t shift_count;     /* 0: unknown */
    bool shift_guide_total; /* the shift is of guide_total */
    struct dj_finding_change findings[DJ_FINDING_COUNT];
    size_t finding_count;
    struct dj_compare_warning *warnings;
    size_t warning_count;
};

/*
 * Compares a and b. Returns DJ_E_NO_DATA if a side has no run that counts or no metric is
 * known on both sides. Returns DJ_E_USAGE if the rules are invalid or both sides share a
 * batch. A side with one run is no error: everything is then inconclusive.
 */
int dj_compare_sides(const struct dj_side *a, const struct dj_side *b,
                     const struct dj_compare_rules *rules,
                     struct dj_comparison *comparison, struct dj_error *err);
void dj_compare_comparison_finish(struct dj_comparison *comparison);

/* Finds out by group, order and clocks whether the runs of both sides were measured
 * interleaved. */
enum dj_interleaving dj_compare_find_interleaving(const struct dj_side *a,
                                                  const struct dj_side *b);

/* dj_compare_format_verdict() appends the verdict: "B renders slower: p95 frame time +14
 * %
 * [+9.0, +20], 10 against 10 runs, interleaved". dj_compare_format_effect() appends an
 * effect:
 * "+14 % [+9.0, +20]". */
void dj_compare_format_verdict(const struct dj_comparison *comparison,
                               struct dj_text *text);
void dj_compare_format_effect(const struct dj_effect *effect, struct dj_text *text);

/* Appends a ratio as a change in percent without the percent sign: "+14", "-0.31",
 * "+1083", "+∞". */
void dj_compare_format_change(struct dj_text *text, double ratio);

#endif
