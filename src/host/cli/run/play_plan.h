/* Plays a plan for `dejank run` and `dejank gate --rerun`, or prints what playing it
 * would do. */
#ifndef DEJANK_CLI_RUN_PLAY_PLAN_H
#define DEJANK_CLI_RUN_PLAY_PLAN_H

#include "cli/options.h"
#include "measure/batch.h"
#include "plan/device_range.h"
#include "store/store.h"

/* Options that apply to any plan. */
struct dj_play_options {
    const char *store; /* Value of --store, or NULL for the plan's store. */
    const char *junit; /* JUnit XML file for the tests of all runs, or NULL */
    bool resume;
    bool json_lines; /* Prints only events on stdout (docs/format/run-events.md). */
    /* Selection of traces, or DJ_TRACE_NONE for the plan's. */
    enum dj_trace_selection trace;
    int64_t extended; /* runs of each build up to which existing batches continue, or 0
                         for the plan's number */
    const char *const *flows; /* Names of the flows to play, or NULL for all. */
    size_t flow_count;
    bool silent; /* Prints no result on stdout. */
    /* If not NULL, receives the id of each build's batch. The plan must have one flow and
     * one device. An id is "" if the build has no batch with a usable run. */
    char (*batch_ids)[DJ_STORE_ID_BYTES];
    bool dry_run; /* Only prints what would run. */
    bool json;    /* With dry_run: prints JSON. */
};

/* Prepares the plan, and plays it or prints what playing it would do. Prints errors on
 * stderr before the first run. Returns an exit code. */
int dj_play_plan(struct dj_plan *plan, const struct dj_play_options *run);

/* Reads the file of a plan, and does the same as dj_play_plan(). */
int dj_play_plan_file(const char *file, const struct dj_play_options *run);

/* Plays a prepared plan, and shows its progress to a person or a script. Handles signals.
 * `store` is NULL for the default store. Returns an exit code. */
int dj_play_batch_plan(const struct dj_batch_plan *plan, const char *store,
                       const struct dj_play_options *run);

#endif
