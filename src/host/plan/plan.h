/* A plan: a checked-in file that says which flows run on which devices with which
 * builds, how often, and which objectives they must meet (docs/format/plan.md). This
 * module reads and checks plans and prepares them. measure/play.h plays them. */
#ifndef DEJANK_PLAN_PLAN_H
#define DEJANK_PLAN_PLAN_H

#include "facts/device_class.h"
#include "gate/gate.h"
#include "measure/batch.h"
#include "plan/tree.h"

enum { DJ_PLAN_FLOWS = 100, DJ_PLAN_DEVICES = 100, DJ_PLAN_OBJECTIVES = 500 };

/* ---- devices ---- */

/* One item of the plan's devices: a selector, or a class of the connected devices. */
struct dj_plan_device {
    const char *selector; /* NULL: a class */
    struct dj_device_class class;
    int64_t most; /* maximum number of devices of the class; 0: all */
};

/* ---- flows ---- */

struct dj_plan_flow {
    const char *name;
    const char *kind;       /* "idle", "gesture", "instrument", "script" */
    const char *argument;   /* the gestures, a flow's name, TEST[/RUNNER], or a file
                             * (relative to the plan's folder); NULL for idle */
    const char *test_class; /* for instrument: CLASS[#METHOD]; NULL: all */
    /* For instrument: further arguments: name, value, …, NULL; NULL: none. */
    const char *const *arguments;
    const char *priority; /* "high", "normal", "low" */
    int64_t duration_ns;  /* 0: not given */
    int64_t runs;         /* 0: use the plan's number */
    size_t line;          /* line in the plan */
};

/* ---- the gate ---- */

enum { DJ_PLAN_GATES = 50 };

enum dj_plan_undecided {
    DJ_UNDECIDED_FAILS, /* exit code 6 */
    DJ_UNDECIDED_PASSES,
    DJ_UNDECIDED_RERUNS /* more runs, up to the last look */
};

/* "fail", "pass", "rerun". */
extern const char *const dj_plan_undecided_words[DJ_UNDECIDED_RERUNS + 1];

/* Reads one of these words. Returns false for any other word. */
bool dj_plan_undecided_find(const char *word, enum dj_plan_undecided *undecided);

/* The settings of `dejank gate`. Settings that the plan does not give are zero. */
struct dj_plan_gate {
    struct dj_compare_gate gates[DJ_PLAN_GATES];
    size_t gate_count;
    double margin, alpha; /* 0: not given */
    bool has_baseline;
    struct dj_baseline_option baseline;
    bool allow_new;
    enum dj_plan_undecided undecided;
    int64_t stale_ms; /* 0: not given */
    double looks[DJ_LOOKS_MAX];
    size_t look_count;
};

/* ---- the whole plan ---- */

struct dj_plan {
    /* The plan's settings, without drivers and devices. The plan owns its strings. */
    struct dj_batch_plan batch;
    const char *store; /* NULL: not given */
    struct dj_plan_flow *flows;
    size_t flow_count;
    struct dj_plan_device *devices;
    size_t device_count;
    struct dj_objectives objectives;
    struct dj_plan_gate gate;

    /* Private fields. */
    struct dj_plan_faults *faults; /* while the plan is read */
    char *file, *folder;
    struct dj_tree tree;
    struct dj_text stored; /* batch.objectives: schema dejank.objectives/1 */
    void **owned;
    size_t owned_count;
};

/* Reads a plan of `length` bytes. `file` is its name, for messages and relative paths.
 * Returns DJ_E_INVALID if anything is wrong: faults->lines then lists all faults, each
 * with line, column and what was expected. The caller finishes both in any case
 * (dj_text_finish() for the lines). */
int dj_plan_read(const char *file, const char *bytes, size_t length, struct dj_plan *plan,
                 struct dj_plan_faults *faults, struct dj_error *err);
void dj_plan_finish(struct dj_plan *plan);

/* Estimates the time of one run of a flow, from start to start: the window and the
 * time around it that the plan sets. */
int64_t dj_plan_run_ns(const struct dj_plan *plan, const struct dj_plan_flow *flow);

#endif
