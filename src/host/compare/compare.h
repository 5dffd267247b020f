/* Compares two sides, A and B. A side is a set of runs, for example the runs of one
 * build. For each metric that both sides know, this module computes the change from A to
 * B. The module combines the metrics that gate into one verdict. A metric gates if it
 * takes part in the verdict. The module also adds warnings about flaws of the
 * measurement. */
#ifndef DEJANK_COMPARE_COMPARE_H
#define DEJANK_COMPARE_COMPARE_H

#include "base/text.h"
#include "compare/family.h"
#include "compare/side.h"

/* A metric that can be compared. The fields `value`, `of` and their replacements name
 * columns of struct dj_metrics. */
struct dj_compare_metric {
    const char *name;  /* Stable name in JSON and options: "frame_time_p95". */
    const char *words; /* Name for people: "p95 frame time". */
    const char *unit;  /* Unit of displayed values: "ms", "%" or "Hz". */
    /* The displayed value is the stored value divided by this factor. A share is stored
     * as 0 … 1. */
    double factor;
    enum dj_effect_kind kind;
    /* `value` is the column with the value, or with the count of a share. `of` is the
     * column with the total of a share. For other metrics, `of` is the number of
     * frames. */
    enum dj_metric value, of;
    /* Replacements of `value` and `of` for dj_compare_metric_needs_replacement(). If
     * there are none, these fields equal `value` and `of`. */
    enum dj_metric replacement_value, replacement_of;
    bool more_is_better;
    /* Quantile of the value within a run: 0.95 if the value is a run's 95th percentile,
     * or 0 if the value is no quantile. */
    double quantile;
    /* Default margin as a share, such as 0.05. Changes below the margin do not matter. */
    double margin;
    bool gates; /* True if the metric gates by default. */
    /* True if the metric is compared only if the caller requests it. Otherwise it would
     * change the adjusted p of all others. */
    bool on_request;
    /* True if the metric can replace the usual ones: if neither side knows frame times or
     * jank, because only the presents of the frames are known, the metric is compared and
     * gates. */
    bool for_presents;
};

enum { DJ_COMPARE_METRICS_MAX = 96 }; /* Maximum number of metrics. */

/* Returns the i-th metric in display order, or NULL after the last. */
const struct dj_compare_metric *dj_compare_metric(size_t i);
/* Finds a metric by its name, its column in the store ("frame_time_p95_ns") or its short
 * name ("p95", "jank"). Returns NULL if there is none. */
const struct dj_compare_metric *dj_compare_metric_find(const char *name);

/* Returns the metric that dj_metrics_choose() may use in place of `metric`, or NULL if
 * there is none. */
const struct dj_compare_metric *
dj_compare_metric_substitute(const struct dj_compare_metric *metric);

/* Returns whether the replacement columns are known in more runs of both sides than the
 * original columns. If so, the caller uses the replacement for all runs, so that both
 * sides are counted in the same way. b may be NULL. */
bool dj_compare_metric_needs_replacement(const struct dj_side *a, const struct dj_side *b,
                                         const struct dj_compare_metric *metric);

/* Allocates two arrays with one element per run, in the side's order: the values of a
 * metric and their totals. Unknown values are NaN. If uses_replacement is true, reads the
 * replacement columns. The caller frees both arrays. */
void dj_compare_side_values(const struct dj_side *side,
                            const struct dj_compare_metric *metric, bool uses_replacement,
                            double **value, double **of);

struct dj_compare_gate {
    const struct dj_compare_metric *metric;
    double margin; /* Margin as a share, or 0 for the metric's default margin. */
};

/* Rules of a comparison. If all members are zero, the defaults apply. */
struct dj_compare_rules {
    /* Accepted probability of at least one false alarm among all gating metrics, or 0 for
     * 0.05. */
    double alpha;
    /* Margin of all metrics without a margin of their own, or 0 for each metric's
     * default. */
    double margin;
    const struct dj_compare_gate *gates;
    /* Number of gating metrics, or 0 for the metrics that gate by default. */
    size_t gate_count;
    /* Store with earlier batches for a comparison with a stored baseline, or NULL if
     * there is none. */
    struct dj_store *history;
};

enum dj_interleaving {
    /* The order of the runs is unknown. This does not limit the verdict. */
    DJ_ORDER_UNKNOWN,
    DJ_ORDER_INTERLEAVED,
    /* The sides are known to have been measured separately, not interleaved. */
    DJ_ORDER_APART
};

struct dj_comparison_metric {
    const struct dj_compare_metric *metric;
    /* The comparison owns the arrays in this struct. */
    struct dj_family_member member;
    /* Centres of earlier batches. The comparison owns the array. */
    struct dj_effect_past past;
    /* True if the values come from the replacement columns of the metric. */
    bool uses_replacement;
    /* The gating metric for which this metric is a substitute, or NULL if there is
     * none. */
    const struct dj_compare_metric *replaced_metric;
};

enum { DJ_SHIFT_POINTS = 11 };

/* A point of the quantile shift, which plots how far apart the sides are at quantile q of
 * a run. The shift is computed from the frame times in the runs' histograms (exact to
 * 0.55 %). For logs of other tools, the shift is computed from guide_total, and the store
 * knows only four quantiles of guide_total. */
struct dj_shift_point {
    double q;
    double a_ns, b_ns; /* Medians of the runs' quantiles. */
    double ratio;
    /* Confidence interval of the ratio. The intervals of all points together contain the
     * true ratios with probability 1 − alpha. */
    struct dj_bounds ci;
};

struct dj_finding_change {
    enum dj_finding_id id;
    size_t runs_a, runs_b;   /* Number of runs with the finding. */
    size_t known_a, known_b; /* Number of runs that were checked for the finding. */
    /* `appeared` is true if no checked run of A and more than half of the checked runs of
     * B have the finding. `went` is true in the reverse case. */
    bool appeared, went;
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
    /* Text for people: a sentence in which names are escaped. The comparison owns the
     * text. */
    char *text;
};

/* Returns the name in JSON: "not-interleaved". */
const char *dj_compare_warning_name(enum dj_compare_warning_id id);

/* The result of a comparison. Initialise it with zeros and call
 * dj_compare_comparison_finish() in every case. The sides must outlive the comparison. */
struct dj_comparison {
    const struct dj_side *a, *b;
    double alpha;
    /* Metrics that gate or that at least one side knows. */
    struct dj_comparison_metric *metrics;
    size_t metric_count;
    size_t leading; /* Index of the metric that the verdict names. */
    struct dj_family_verdict overall;
    /* Number of runs per side that would decide an inconclusive comparison, or NaN if
     * unknown. */
    double runs_needed;
    enum dj_interleaving interleaving;
    /* Number of earlier batches of sides that were not interleaved. They are used to
     * judge the sides if there are at least DJ_EFFECT_PAST_BATCHES_MIN. */
    size_t past_batches;
    struct dj_shift_point shift[DJ_SHIFT_POINTS];
    /* Number of points in `shift`, or 0 if the shift is unknown. */
    size_t shift_count;
    /* True if the shift is computed from guide_total, false if from frame times. */
    bool shift_guide_total;
    struct dj_finding_change findings[DJ_FINDING_COUNT];
    size_t finding_count;
    struct dj_compare_warning *warnings;
    size_t warning_count;
};

/* Compares a and b. Returns DJ_E_NO_DATA if a side has no valid run or no metric is known
 * on both sides. Returns DJ_E_USAGE if the rules are invalid or both sides contain the
 * same batch. A side with one run is no error, but the verdict is then inconclusive. */
int dj_compare_sides(const struct dj_side *a, const struct dj_side *b,
                     const struct dj_compare_rules *rules,
                     struct dj_comparison *comparison, struct dj_error *err);
void dj_compare_comparison_finish(struct dj_comparison *comparison);

/* Determines whether the runs of both sides were measured interleaved. Uses the groups of
 * the batches and the order and times of the runs. */
enum dj_interleaving dj_compare_find_interleaving(const struct dj_side *a,
                                                  const struct dj_side *b);

/*
 * dj_compare_format_verdict() appends the verdict:
 * "B renders slower: p95 frame time +14 % (98.3 % CI +9.0 … +20 %), 10 vs 10 runs,
 * interleaved".
 * dj_compare_format_effect() appends an effect: "+14 % (98.3 % CI +9.0 … +20 %)".
 */
void dj_compare_format_verdict(const struct dj_comparison *comparison,
                               struct dj_text *text);
void dj_compare_format_effect(const struct dj_effect *effect, struct dj_text *text);

/* Appends a ratio as a change in percent without the percent sign: "+14", "-0.31",
 * "+1083" or "+∞". */
void dj_compare_format_change(struct dj_text *text, double ratio);

#endif
