/*
 * The gate of a CI: a candidate against its baseline on every flow and device, and
 * against its objectives, as one family of tests, with one answer.
 *
 * All that can make it fail — each gated metric of each flow on each device, and each
 * objective that is due and tested — is one family: Holm over their p, so that the chance
 * of failing a candidate that changed nothing is at most alpha however much is gated.
 * What should have been measured and was not, on either side, fails to measure: it is
 * named, and never a pass.
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
    DJ_GATE_FAIL,         /* a regression, or an objective missed */
    DJ_GATE_NOT_MEASURED, /* nothing failed, but not all was measured, or it is old */
    DJ_GATE_UNDECIDED,    /* inconclusive, likely-regression, or an objective undecided */
    DJ_GATE_ANSWERS
};

/* "pass", "fail", "not-measured", "undecided": a contract of the JSON. */
const char *dj_gate_answer_name(enum dj_gate_answer answer);

struct dj_gate_rules {
    struct dj_cells_wish cells;
    const char *project; /* NULL: the only one */
    double alpha;        /* of everything; 0: 0.05. At a look of several: that look's */
    double margin;       /* of metrics that have no other; 0: each one's own */
    const struct dj_compare_gate *gates;
    size_t gate_count;                      /* 0: those that gate by default */
    const struct dj_objectives *objectives; /* NULL: none */
    bool only_these;  /* objectives: those stored with the batches are not looked at */
    bool allow_new;   /* a cell the baseline lacks is tracked, not a failure to measure */
    int64_t stale_ms; /* the newest batch may be so old; 0: whatever it is */
    int64_t now_unix_ms;
};

/* An objective of a cell. */
struct dj_gate_objective {
    const struct dj_objective *objective;
    struct dj_objective_result result;
    bool gates;   /* it is due */
    double level; /* that was left to it in the family; NaN: it was no test */
};

struct dj_gate_cell {
    const struct dj_cell_batches *batches;
    struct dj_side a, b; /* baseline, candidate */
    struct dj_comparison comparison;
    bool compared;             /* both sides are there */
    enum dj_judgement verdict; /* of its gated metrics, at the family's levels */
    struct dj_text missing;    /* what was to be measured and was not; empty: nothing */
    bool is_new;               /* the baseline lacks it, which is allowed */
    struct dj_device_facts facts;
    struct dj_objectives stored; /* of the candidate's batch */
    struct dj_gate_objective *objective;
    size_t objective_count;
    enum dj_gate_answer answer;
};

/* Metrics of a cell's comparison that gate, and are not refused for their data, by the
 * order of the comparison; NULL past the last. */
const struct dj_comparison_metric *dj_gate_metric(const struct dj_gate_cell *cell,
                                                  size_t i);

/* A flow over the range of devices. */
struct dj_gate_flow {
    const char *name;
    const char *priority; /* as its plan says; NULL */
    struct dj_range_summary range;
};

/* Zero it. */
struct dj_gate {
    struct dj_catalogue catalogue;
    struct dj_cells cells;
    struct dj_gate_cell *cell; /* by flow, then device */
    size_t cell_count;
    struct dj_gate_flow *flow; /* those with cells, in their order */
    size_t flow_count;
    struct dj_objectives planned; /* what the candidate's plan asks for */
    enum dj_gate_answer answer;
    double alpha;
    size_t tests;                  /* of the family */
    size_t count[DJ_GATE_ANSWERS]; /* cells of each answer */
    bool stale;
    int64_t age_ms;     /* of the newest batch of the candidate */
    double runs_needed; /* per side: the largest of the undecided comparisons; NaN:
                           unknown, or no number is enough for one of them */
};

/*
 * Judges. Errors: as of dj_catalogue_load() and dj_cells_choose(); objectives in the
 * store that cannot be read are DJ_E_INVALID. Finish the gate in every case.
 */
int dj_gate_judge(struct dj_history *history, const struct dj_gate_rules *rules,
                  struct dj_gate *gate, struct dj_error *err);
void dj_gate_finish(struct dj_gate *gate);

/* ---- reading what a person asks for; false: it is none of these ---- */

/* "5 %", "5%", "0.05", "5": a share, greater than 0 and below 1. */
bool dj_gate_share_read(const char *text, double *share);

/* "7d", "12h", "30m", "45s": more than nothing, in ms. */
bool dj_gate_age_read(const char *text, int64_t *ms);

/* "p95", "p95=5 %", "jank=20%": names as dj_compared_find() knows them. */
bool dj_gate_metric_read(const char *text, struct dj_compare_gate *gate);

/* "10,15,20,30": rising, from 2 on; *count is at most DJ_LOOKS_MAX. */
bool dj_gate_looks_read(const char *text, double *runs, size_t *count);

/* ---- words ---- */

/* One sentence: "undecided: 1 of 6 flows and devices; 10 tests at a risk of 5 %". */
void dj_gate_words(struct dj_text *text, const struct dj_gate *gate);

/* Appends why a cell is not passed, or how it does: "p95 frame time +14 % [+9, +20]". */
void dj_gate_cell_words(struct dj_text *text, const struct dj_gate_cell *cell);

#endif
