/* Plays a plan for `dejank run` and `dejank gate --rerun`, or prints what playing it
 * would do. */
#ifndef DEJANK_CLI_RUN_PLAY_PLAN_H
#define DEJANK_CLI_RUN_PLAY_PLAN_H

#include "cli/options.h"
#include "measure/batch.h"
#include "plan/device_range.h"

/* Options that apply to any plan. */
struct dj_play_options {
    const char *store; /* --store, which wins over the plan's store; NULL: not given */
    const char *junit; /* file for the tests of all its runs, as JUnit XML; NULL: none */
    bool resume;
    bool json_lines; /* prints only events on stdout (docs/format/run-events.md) */
    enum dj_trace_selection trace; /* DJ_TRACE_NONE: as in the plan */
    int64_t extended; /* continues existing batches up to so many runs of each build; 0:
                         as in the plan */
    const char *const *flows; /* only these flows of the plan; NULL: all */
    size_t flow_count;
    bool silent;        /* prints no result on stdout */
    bool dry_run, json; /* prints what would be done; as JSON */
};

/* Prepares the plan, and plays it or prints what playing it would do. Prints errors on
 * stderr before the first run. Returns an exit code. */
int dj_play_plan(struct dj_plan *plan, const struct dj_play_options *run);

/* The same for the file of a plan. */
int dj_play_plan_file(const char *file, const struct dj_play_options *run);

/* Plays a prepared plan, and shows its progress to a person or a script. Handles signals.
 * `store` NULL: the default store. Returns an exit code. */
int dj_play_batch_plan(const struct dj_batch_plan *plan, const char *store,
                       const struct dj_play_options *run);

#endif
