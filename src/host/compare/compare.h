/* Two sides compared: every metric that both know, one verdict over those that gate, and
 * what speaks against trusting it. */
#ifndef DEJANK_COMPARE_COMPARE_H
#define DEJANK_COMPARE_COMPARE_H

#include "base/text.h"
#include "compare/family.h"
#include "compare/side.h"

/* ---- metrics ---- */

/* What is compared of runs. */
struct dj_compared {
    const char *name;  /* "frame_time_p95": a contract of JSON and options */
    const char *words; /* "p95 frame time" */
    const char *unit;  /* of values as they are shown: "ms", "%", "Hz" */
    double factor; /* from the store's unit (of a share from 1) to this, by division */
    enum dj_effect_kind kind;
    enum dj_metric value, of;           /* `of`: of a share, else the number of frames */
    enum dj_metric value_else, of_else; /* where a run lacks those; the same: nothing */
    bool more_is_better;
    double quantile; /* of effect.h */
    double margin;   /* the default */
    bool gates;      /* by default */
};

/* The i-th, in the order they are shown; NULL past the last. */
const struct dj_compared *dj_compared(size_t i);
/* By its name, by its column in the store ("frame_time_p95_ns"), or in short ("p95",
 * "jank"); NULL: there is none. */
const struct dj_compared *dj_compared_find(const char *name);

/* The metric that replaces this one where dj_metric_choose() says so; NULL: none. */
const struct dj_compared *dj_compared_substitute(const struct dj_compared *metric);

/* Whether more runs know `value_else` than `value`, so that all of both sides are taken
 * from there: one side is never counted in another way than the other. b may be NULL. */
bool dj_compared_else(const struct dj_side *a, const struct dj_side *b,
                      const struct dj_compared *metric);

/* A side's values of a metric: of each run one, in the side's order, NaN unknown. Both
 * arrays are the caller's to free. */
void dj_side_values(const struct dj_side *side, const struct dj_compared *metric,
                    bool otherwise, double **value, double **of);

/* ---- rules ---- */

struct dj_compare_gate {
    const struct dj_compared *metric;
    double margin; /* a share; 0: the metric's own */
};

/* All zero: the defaults. */
struct dj_compare_rules {
    double alpha;  /* of the whole family; 0: 0.05 */
    double margin; /* of all metrics that have no other; 0: each one's own */
    const struct dj_compare_gate *gates;
    size_t gate_count;          /* 0: those that gate by default */
    struct dj_history *history; /* where earlier batches of a stored baseline are looked
                                   up; NULL: nowhere */
};

/* ---- the comparison ---- */

enum dj_interleaving {
    DJ_ORDER_UNKNOWN, /* caps nothing */
    DJ_ORDER_INTERLEAVED,
    DJ_ORDER_APART /* known not to be interleaved */
};

struct dj_comparison_metric {
    const struct dj_compared *metric;
    struct dj_family_member member;       /* its arrays are the comparison's */
    struct dj_effect_past past;           /* its array is the comparison's */
    bool otherwise;                       /* see dj_compared_else() */
    const struct dj_compared *stands_for; /* it takes the place of; NULL: its own */
};

/* The quantile shift: how far quantile q of a run lies apart, for to look at. Of frame
 * times from the runs' histograms (0.55 % exact), of other tools' logs guide_total, of
 * which the store knows four. */
enum { DJ_SHIFT_POINTS = 11 };
struct dj_shift_point {
    double q;
    double a_ns, b_ns; /* medians over the runs */
    double ratio;
    struct dj_bounds ci; /* all of them together at 1 − alpha */
};

struct dj_finding_change {
    enum dj_finding_id id;
    size_t runs_a, runs_b;   /* in which it was found */
    size_t known_a, known_b; /* that could tell */
    bool appeared, went;     /* found in more than half the runs of one side, and in none
                                of the other */
};

/* What speaks against trusting a comparison. Ids are a contract of the JSON. */
enum dj_warning_id {
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

struct dj_warning {
    enum dj_warning_id id;
    char *text; /* a sentence, names in it escaped; owned */
};

const char *dj_warning_name(enum dj_warning_id id); /* "not-interleaved" */

/* Zero it; dj_comparison_finish() it in every case. It points into its sides. */
struct dj_comparison {
    const struct dj_side *a, *b;
    double alpha;
    struct dj_comparison_metric *metrics; /* those a side at least knows, or that gate */
    size_t metric_count;
    size_t leading; /* index of the metric that the verdict is of */
    struct dj_family_verdict overall;
    double runs_needed; /* per side, where it is inconclusive; NaN: unknown */
    enum dj_interleaving interleaving;
    size_t past_batches; /* earlier ones that stood in for interleaving; 0: none */
    struct dj_shift_point shift[DJ_SHIFT_POINTS];
    size_t shift_count;     /* 0: unknown */
    bool shift_guide_total; /* … of guide_total */
    struct dj_finding_change findings[DJ_FINDING_COUNT];
    size_t finding_count;
    struct dj_warning *warnings;
    size_t warning_count;
};

/*
 * Compares. DJ_E_NO_DATA: a side has no run that counts, or there is no metric both know;
 * DJ_E_USAGE: the rules make no sense, or both sides share a batch. One run on a side is
 * no error: all is inconclusive then.
 */
int dj_compare(const struct dj_side *a, const struct dj_side *b,
               const struct dj_compare_rules *rules, struct dj_comparison *comparison,
               struct dj_error *err);
void dj_comparison_finish(struct dj_comparison *comparison);

/* Whether two sides' runs were made in turn, by group, by order and by the clocks. */
enum dj_interleaving dj_compare_interleaving(const struct dj_side *a,
                                             const struct dj_side *b);

/* The verdict in words: "B renders slower: p95 frame time +14 % [+9.0, +20], 10 against
 * 10 runs, interleaved"; an effect in words: "+14 % [+9.0, +20]". */
void dj_comparison_words(const struct dj_comparison *comparison, struct dj_text *text);
void dj_effect_words(const struct dj_effect *effect, struct dj_text *text);

/* Appends a ratio as a change in percent, without the sign of percent: "+14", "-0.31",
 * "+1083", "+∞". */
void dj_change_words(struct dj_text *text, double ratio);

#endif
