/*
 * gate: the gate of a CI. Judges a candidate against its baseline on every flow and
 * device, and against its objectives, as one family of tests with one answer.
 *
 * Everything that can fail the gate is one family: each gated metric of each flow on each
 * device, and each tested objective that is due. Holm's method over their p keeps the
 * chance of failing an unchanged candidate at most alpha, however much is gated. A
 * required measurement that is missing on either side is named and is never a pass.
 */
#ifndef DEJANK_GATE_GATE_H
#define DEJANK_GATE_GATE_H

#include "compare/compare.h"
#include "gate/baseline.h"
#include "gate/objectives.h"
#include "gate/range.h"
#include "stats/looks.h"

enum dj_gate_answer {
    DJ_GATE_PASS,
    DJ_GATE_FAIL,         /* a regression, or a missed objective */
    DJ_GATE_NOT_MEASURED, /* nothing failed, but something was not measured or is too old
                           */
    DJ_GATE_UNDECIDED,    /* inconclusive, likely-regression, or an undecided objective */
    DJ_GATE_ANSWERS
};

/* Returns "pass", "fail", "not-measured" or "undecided", which are stable in JSON. */
const char *dj_gate_answer_name(enum dj_gate_answer answer);

struct dj_gate_rules {
    struct dj_cells_options cells;
    const char *project; /* NULL: the only one */
    double alpha;        /* for everything; 0: 0.05. In a series of looks: that look's */
    double margin;       /* for metrics without their own; 0: each metric's default */
    const struct dj_compare_gate *gates;
    size_t gate_count;                      /* 0: those that gate by default */
    const struct dj_objectives *objectives; /* NULL: none */
    bool only_these;  /* ignore the objectives stored with the batches */
    bool allow_new;   /* a cell that the baseline lacks is tracked instead of missing */
    int64_t stale_ms; /* largest age of the newest batch; 0: any */
    int64_t now_unix_ms;
};

/* An objective of a cell. */
struct dj_gate_objective {
    const struct dj_objective *objective;
    struct dj_objective_result result;
    bool gates;   /* it is due */
    double level; /* level in the family; NaN: not tested */
};

struct dj_gate_cell {
    const struct dj_cell_batches *batches;
    struct dj_side a, b; /* baseline, candidate */
    struct dj_comparison comparison;
    bool compared;                   /* both sides exist */
    enum dj_compare_verdict verdict; /* of its gated metrics, at the family's levels */
    struct dj_text missing; /* required measurements that are missing; empty: none */
    bool is_new;            /* the baseline lacks it, which is allowed */
    struct dj_device_facts facts;
    struct dj_objectives stored; /* of the candidate's batch */
    struct dj_gate_objective *objective;
    size_t objective_count;
    enum dj_gate_answer answer;
};

/* Returns the i-th metric of a cell's comparison that gates and is not refused for its
 * data, in the comparison's order. NULL after the last. */
const struct dj_comparison_metric *dj_gate_metric_at(const struct dj_gate_cell *cell,
                                                     size_t i);

/* A flow over all its devices. */
struct dj_gate_flow {
    const char *name;
    const char *priority; /* as in its plan; NULL: none */
    struct dj_range_summary range;
};

/* Initialise it with zeros. */
struct dj_gate {
    struct dj_catalogue catalogue;
    struct dj_cells cells;
    struct dj_gate_cell *cell; /* by flow, then device */
    size_t cell_count;
    struct dj_gate_flow *flow; /* flows that have cells, in their order */
    size_t flow_count;
    struct dj_objectives planned; /* objectives of the candidate's plan */
    enum dj_gate_answer answer;
    double alpha;
    size_t tests;                  /* tests in the family */
    size_t count[DJ_GATE_ANSWERS]; /* cells with each answer */
    bool stale;
    int64_t age_ms;     /* of the candidate's newest batch */
    double runs_needed; /* per side: the largest of the undecided comparisons; NaN:
                           unknown, or no number is enough for one of them */
};

/*
 * Judges the candidate. Errors as of dj_gate_catalogue_load() and dj_gate_cells_choose().
 * Unreadable stored objectives are DJ_E_INVALID. Finish the gate in every case.
 */
int dj_gate_judge(struct dj_store *store, const struct dj_gate_rules *rules,
                  struct dj_gate *gate, struct dj_error *err);
void dj_gate_finish(struct dj_gate *gate);

/* ---- reading options; false means an invalid text ---- */

/* Reads "5 %", "5%", "0.05" or "5" as a share above 0 and below 1. */
bool dj_gate_read_share(const char *text, double *share);

/* Reads "7d", "12h", "30m" or "45s" as ms, above 0. */
bool dj_gate_read_age(const char *text, int64_t *ms);

/* Reads "p95", "p95=5 %" or "jank=20%" with names that dj_compare_metric_find() knows. */
bool dj_gate_read_metric(const char *text, struct dj_compare_gate *gate);

/* Reads "10,15,20,30": rising numbers from 2 on. Sets *count to at most DJ_LOOKS_MAX. */
bool dj_gate_read_interim_levels(const char *text, double *runs, size_t *count);

/* ---- words ---- */

/* Appends one sentence: "undecided: 1 of 6 flows and devices; 10 tests at a risk of 5
 * %". */
void dj_gate_format(struct dj_text *text, const struct dj_gate *gate);

/* Appends why a cell does not pass, or how it does: "p95 frame time +14 % [+9, +20]". */
void dj_gate_format_cell(struct dj_text *text, const struct dj_gate_cell *cell);

#endif
