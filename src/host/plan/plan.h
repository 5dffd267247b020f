/* A plan is a checked-in file. The file says which flows run on which devices with which
 * builds, how often they run, and which objectives they must meet (docs/format/plan.md).
 * A flow is a user action whose frames are measured. This module reads and checks plans
 * and prepares them for measure/play.h, which runs them. */
#ifndef DEJANK_PLAN_PLAN_H
#define DEJANK_PLAN_PLAN_H

#include "facts/device_class.h"
#include "gate/gate.h"
#include "measure/batch.h"
#include "plan/tree.h"

enum { DJ_PLAN_FLOWS = 100, DJ_PLAN_DEVICES = 100, DJ_PLAN_OBJECTIVES = 500 };

/* A device of the plan: either a selector, or a class of connected devices. */
struct dj_plan_device {
    const char *selector; /* Selector of the device, or NULL for a class. */
    struct dj_device_class class;
    int64_t most; /* Largest number of devices of the class, or 0 for all. */
};

struct dj_plan_flow {
    const char *name;
    /* Kind of the driver: "idle", "gesture", "instrument" or "script". */
    const char *kind;
    /* The gestures for "gesture", TEST[/RUNNER] for "instrument", or the path of the
     * script relative to the plan's folder for "script". NULL for "idle". */
    const char *argument;
    /* The tests for "instrument" as CLASS[#METHOD], or NULL for all tests. */
    const char *test_class;
    /* Further arguments for "instrument": name, value, …, NULL. The pointer is NULL if
     * there are none. */
    const char *const *arguments;
    const char *priority; /* Priority: "high", "normal" or "low". */
    int64_t duration_ns;  /* Duration in ns, or 0 if not given. */
    int64_t runs;         /* Number of runs, or 0 to use the plan's number. */
    size_t line;          /* Line of the flow in the plan. */
};

enum { DJ_PLAN_GATES = 50 };

enum dj_plan_undecided {
    DJ_UNDECIDED_FAILS, /* If the gate is undecided, it ends with exit code 6. */
    DJ_UNDECIDED_PASSES,
    /* If the gate is undecided, more runs are measured. A look is a judgement after a
     * number of runs. At the last look, no more runs are added. */
    DJ_UNDECIDED_RERUNS
};

/* The words "fail", "pass" and "rerun", indexed by enum dj_plan_undecided. */
extern const char *const dj_plan_undecided_words[DJ_UNDECIDED_RERUNS + 1];

/* Finds one of these words. Returns false for any other word. */
bool dj_plan_undecided_find(const char *word, enum dj_plan_undecided *undecided);

/* Settings of `dejank gate`. Settings that are missing in the plan are zero. */
struct dj_plan_gate {
    struct dj_compare_gate gates[DJ_PLAN_GATES];
    size_t gate_count;
    double margin, alpha; /* The margin and alpha, or 0 if not given. */
    bool has_baseline;
    struct dj_baseline_option baseline;
    bool allow_new;
    enum dj_plan_undecided undecided;
    int64_t stale_ms; /* Largest age of the newest batch in ms, or 0 if not given. */
    double looks[DJ_LOOKS_MAX];
    size_t look_count;
};

struct dj_plan {
    /* The batch settings of the plan, without flows and devices. The plan owns the
     * texts. */
    struct dj_batch_plan batch;
    const char *store; /* Path or URL of the store, or NULL if not given. */
    struct dj_plan_flow *flows;
    size_t flow_count;
    struct dj_plan_device *devices;
    size_t device_count;
    struct dj_objectives objectives;
    struct dj_plan_gate gate;

    /* The following members are for use inside the module only. */
    /* The faults found so far. Set only while the plan is read. */
    struct dj_plan_faults *faults;
    char *file, *folder;
    struct dj_tree tree;
    /* The text to which batch.objectives refers, in the schema dejank.objectives/1. */
    struct dj_text stored;
    void **owned;
    size_t owned_count;
};

/* Reads a plan of `length` bytes. `file` is the path of the plan, which is used in
 * messages and to resolve relative paths. If anything is wrong, returns DJ_E_INVALID.
 * faults->lines then lists all faults with line, column and what was expected. In every
 * case the caller calls dj_plan_finish(), and dj_text_finish() for faults->lines. */
int dj_plan_read(const char *file, const char *bytes, size_t length, struct dj_plan *plan,
                 struct dj_plan_faults *faults, struct dj_error *err);
void dj_plan_finish(struct dj_plan *plan);

/* Estimates the time in ns from the start of one run of a flow to the start of the
 * next. */
int64_t dj_plan_run_ns(const struct dj_plan *plan, const struct dj_plan_flow *flow);

#endif
