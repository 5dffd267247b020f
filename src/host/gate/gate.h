/*
 * gate: judges a candidate build for CI. It compares the candidate with its baseline on
 * every flow and device, checks its objectives, and gives one answer.
 *
 * Everything that can fail the gate is one family of tests: each gated metric of each
 * flow on each device, and each objective that is due and can be tested. Holm's method
 * limits the chance of failing an unchanged candidate to alpha, however many tests there
 * are. If a required measurement is missing on either side, the gate reports the
 * measurement and does not pass.
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
    DJ_GATE_FAIL, /* A metric regressed or an objective was missed. */
    /* Nothing failed, but something was not measured or is too old. */
    DJ_GATE_NOT_MEASURED,
    /* A metric is inconclusive or likely-regression, or an objective is undecided. */
    DJ_GATE_UNDECIDED,
    DJ_GATE_ANSWERS
};

/* Returns the name in JSON: "pass", "fail", "not-measured" or "undecided". */
const char *dj_gate_answer_name(enum dj_gate_answer answer);

struct dj_gate_rules {
    struct dj_cells_options cells;
    const char *project; /* Name of the project, or NULL if the store has only one. */
    /* Accepted probability of at least one false alarm among all tests, or 0 for 0.05. If
     * the gate looks at the runs several times, this is the alpha of the current look. */
    double alpha;
    /* Margin of metrics without a margin of their own, or 0 for each metric's default. */
    double margin;
    const struct dj_compare_gate *gates;
    /* Number of gated metrics, or 0 for the metrics that gate by default. */
    size_t gate_count;
    /* Further objectives, or NULL if there are none. */
    const struct dj_objectives *objectives;
    /* True to ignore the objectives that are stored with the batches. */
    bool only_these;
    bool allow_new;   /* True if cells may lack a baseline. */
    int64_t stale_ms; /* Largest age of the newest batch in ms, or 0 for any age. */
    int64_t now_unix_ms;
};

/* An objective of a cell with its result. */
struct dj_gate_objective {
    const struct dj_objective *objective;
    struct dj_objective_result result;
    bool gates; /* True if the objective is due. */
    /* Alpha at which the family judged the objective, or NaN if the objective was not
     * tested. */
    double level;
};

struct dj_gate_cell {
    const struct dj_cell_batches *batches;
    struct dj_side a, b; /* Side A is the baseline, side B is the candidate. */
    struct dj_comparison comparison;
    bool compared; /* True if both sides have runs. */
    /* Verdict of the gated metrics at the levels of the family. */
    enum dj_compare_verdict verdict;
    /* Text about required measurements that are missing, or empty if none is. */
    struct dj_text missing;
    bool is_new; /* True if the cell has no baseline and the rules allow this. */
    struct dj_device_facts facts;
    struct dj_objectives stored; /* Objectives stored with the candidate's batch. */
    struct dj_gate_objective *objective;
    size_t objective_count;
    enum dj_gate_answer answer;
};

/* Returns the i-th metric of a cell's comparison that takes part in the gate, in the
 * comparison's order. Metrics that were refused because of their data are skipped.
 * Returns NULL after the last. */
const struct dj_comparison_metric *dj_gate_metric_at(const struct dj_gate_cell *cell,
                                                     size_t i);

/* A flow on all its devices. */
struct dj_gate_flow {
    const char *name;
    /* Priority of the flow in its plan, or NULL if there is none. */
    const char *priority;
    struct dj_range_summary range;
};

/* The result of a gate. Zero the struct before use. */
struct dj_gate {
    struct dj_catalogue catalogue;
    struct dj_cells cells;
    struct dj_gate_cell *cell; /* The cells, sorted by flow and then by device. */
    size_t cell_count;
    struct dj_gate_flow *flow; /* Flows that have cells, in the order of the cells. */
    size_t flow_count;
    struct dj_objectives planned; /* Objectives of the candidate's plan. */
    enum dj_gate_answer answer;
    double alpha;
    size_t tests;                  /* Number of tests in the family. */
    size_t count[DJ_GATE_ANSWERS]; /* Number of cells with each answer. */
    bool stale;
    int64_t age_ms; /* Age of the candidate's newest batch in ms. */
    /* Number of runs per build that would decide all comparisons. NaN if it is unknown or
     * if no number is enough for one of the comparisons. */
    double runs_needed;
};

/* Judges the candidate. Returns the errors of dj_gate_catalogue_load() and
 * dj_gate_cells_choose(), and DJ_E_INVALID for stored objectives that cannot be read.
 * Call dj_gate_finish() in every case. */
int dj_gate_judge(struct dj_store *store, const struct dj_gate_rules *rules,
                  struct dj_gate *gate, struct dj_error *err);
void dj_gate_finish(struct dj_gate *gate);

/* Reads "5 %", "5%", "0.05" or "5" as a share above 0 and below 1. This and the following
 * functions return false if the text is invalid. */
bool dj_gate_read_share(const char *text, double *share);

/* Reads "7d", "12h", "30m" or "45s" as ms, above 0. */
bool dj_gate_read_age(const char *text, int64_t *ms);

/* Reads "p95", "p95=5 %" or "jank=20%" with names that dj_compare_metric_find() knows. */
bool dj_gate_read_metric(const char *text, struct dj_compare_gate *gate);

/* Reads the numbers of runs after which the gate looks at the results: "10,15,20,30". The
 * numbers are in ascending order and at least 2. Sets *count to at most DJ_LOOKS_MAX. */
bool dj_gate_read_interim_levels(const char *text, double *runs, size_t *count);

/* Appends one sentence: "undecided: 1 of 6 flows on devices; 10 tests at a risk of 5
 * %". */
void dj_gate_format(struct dj_text *text, const struct dj_gate *gate);

/* Appends the reason for the answer of a cell: "p95 frame time +14 % (98.3 % CI +9.0 …
 * +20 %)". */
void dj_gate_format_cell(struct dj_text *text, const struct dj_gate_cell *cell);

#endif
