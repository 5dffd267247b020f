/*
 * A plan: one checked-in file that says which flows run on which devices with which
 * builds, how often, and what they are to reach (docs/format/plan.md). Read and checked
 * here; played by batch.h, for which cli puts drivers and devices to it.
 */
#ifndef DEJANK_PLAN_PLAN_H
#define DEJANK_PLAN_PLAN_H

#include "facts/device_class.h"
#include "gate/gate.h"
#include "measure/batch.h"
#include "plan/tree.h"

enum { DJ_PLAN_FLOWS = 100, DJ_PLAN_DEVICES = 100, DJ_PLAN_OBJECTIVES = 500 };

/* ---- devices ---- */

/* One line of the plan's devices: a selector, or a class of those that are there. */
struct dj_plan_device {
    const char *selector; /* NULL: of a class */
    struct dj_device_class class;
    int64_t most; /* of the class, at most so many; 0: all */
};

/* ---- flows ---- */

struct dj_plan_flow {
    const char *name;
    const char *kind;     /* "idle", "gesture", "instrument", "script" */
    const char *argument; /* the gestures' words, a flow's name, TEST[/RUNNER], or a file
                             (relative ones from the plan's folder); NULL: of idle */
    const char *test_class; /* of instrument: CLASS[#METHOD]; NULL: all */
    /* Of instrument: further arguments, name, value, …, NULL; NULL: none. */
    const char *const *arguments;
    const char *priority; /* "high", "normal", "low" */
    int64_t duration_ns;  /* 0: nobody said */
    int64_t runs;         /* 0: as the plan */
    size_t line;          /* where it stands */
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

/* "pass" → DJ_UNDECIDED_PASSES. False: `word` is none of them. */
bool dj_plan_undecided_find(const char *word, enum dj_plan_undecided *undecided);

/* What `dejank gate` is to hold a build against; nothing that nobody said is set. */
struct dj_plan_gate {
    struct dj_compare_gate gates[DJ_PLAN_GATES];
    size_t gate_count;
    double margin, alpha; /* 0: not said */
    bool has_baseline;
    struct dj_baseline_wish baseline;
    bool allow_new;
    enum dj_plan_undecided undecided;
    int64_t stale_ms; /* 0: not said */
    double looks[DJ_LOOKS_MAX];
    size_t look_count;
};

/* ---- the whole ---- */

struct dj_plan {
    /* Flows without makers, no devices; the rest as the plan says. Its strings are the
     * plan's. */
    struct dj_batch_plan batch;
    const char *store; /* NULL: not said */
    struct dj_plan_flow *flows;
    size_t flow_count;
    struct dj_plan_device *devices;
    size_t device_count;
    struct dj_objectives objectives;
    struct dj_plan_gate gate;

    /* The inside. */
    struct dj_plan_faults *faults; /* while it is being read */
    char *file, *folder;
    struct dj_tree tree;
    struct dj_text stored; /* batch.objectives: schema dejank.objectives/1 */
    void **owned;
    size_t owned_count;
};

/*
 * Reads a plan of `length` bytes; `file` is its name, for messages and for paths in it.
 * DJ_E_INVALID where anything is wrong: faults->lines tells all of it, each with line and
 * column and what was expected. The caller finishes both in every case (dj_text_finish
 * for the lines).
 */
int dj_plan_read(const char *file, const char *bytes, size_t length, struct dj_plan *plan,
                 struct dj_plan_faults *faults, struct dj_error *err);
void dj_plan_finish(struct dj_plan *plan);

/* How long a run of a flow takes, from start to start: the window, and what is around
 * it as the plan says it. An estimate. */
int64_t dj_plan_run_ns(const struct dj_plan *plan, const struct dj_plan_flow *flow);

#endif
