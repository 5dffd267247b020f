/* `dejank run` and `dejank gate --rerun`: playing a plan, or showing what would be
 * played. */
#ifndef DEJANK_CLI_RUN_PLAN_H
#define DEJANK_CLI_RUN_PLAN_H

#include "cli/options.h"
#include "measure/batch.h"
#include "plan/range.h"

/* What is said besides a plan. */
struct dj_plan_run {
    const char *store; /* --store: wins over the plan's; NULL: not said */
    const char *junit; /* write the tests of all its runs there; NULL: do not */
    bool resume;
    bool json_lines; /* events on stdout (docs/format/run-events.md), nothing else */
    enum dj_trace_wish trace; /* DJ_TRACE_NONE: as the plan says */
    int64_t extended; /* runs of each build to get to, in batches that are there; 0: as
                         the plan says */
    const char *const *flows; /* only these of the plan's; NULL: all */
    size_t flow_count;
    bool silent;        /* no sums on stdout */
    bool dry_run, json; /* show what would be done; as JSON */
};

/* Makes the plan ready, and plays it or shows what playing it would be. Prints what is
 * wrong on stderr, before anything is begun; returns an exit code. */
int dj_run_plan(struct dj_plan *plan, const struct dj_plan_run *run);

/* The same of a plan's file. */
int dj_run_plan_file(const char *file, const struct dj_plan_run *run);

/* Plays a plan that is ready, in front of a person or a script: the store (NULL: the
 * default), signals, progress, what came of it. Returns an exit code. */
int dj_run_batch(const struct dj_batch_plan *plan, const char *store,
                 const struct dj_plan_run *run);

#endif
