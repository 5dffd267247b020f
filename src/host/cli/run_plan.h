/* `dejank run PLAN.yaml`: a plan's file, the devices it comes to, and playing or showing
 * it. */
#ifndef DEJANK_CLI_RUN_PLAN_H
#define DEJANK_CLI_RUN_PLAN_H

#include "cli/run_batch.h"
#include "measure/plan.h"

struct dj_plan_run {
    const char *file;
    const char *store; /* --store: wins over the plan's; NULL: not said */
    const char *junit; /* write the tests of all its runs there; NULL: do not */
    bool resume, json_lines;
    enum dj_trace_wish trace; /* DJ_TRACE_NONE: as the plan says */
    int64_t extended; /* runs of each build to get to, in batches that are there; 0: as
                         the plan says */
    const char *const *flows; /* only these of the plan's; NULL: all */
    size_t flow_count;
    bool silent;        /* no sums on stdout */
    bool dry_run, json; /* show what would be done; as JSON */
};

/* Reads the plan, finds its devices, and plays it or says what playing it would be. What
 * is wrong is on stderr; an exit code. */
int dj_run_plan(const struct dj_plan_run *run);

/* ---- the devices of a plan ---- */

struct dj_range_device {
    char *name;
    const char *of; /* the selector or class of the plan that it is there for */
    bool reachable;
    char why[240]; /* it is not */
    struct dj_device_facts facts;
};

struct dj_range {
    struct dj_range_device *device;
    size_t count;
    const struct dj_plan_device **unmatched; /* classes that no device is of */
    size_t unmatched_count;
};

/* Finds them: of a class those that adb has now, asked for their facts; with `ask` all
 * are asked. A device that cannot be reached stays in it. Finish it in every case. */
int dj_range_find(const struct dj_plan *plan, bool ask, struct dj_range *range,
                  struct dj_error *err);
void dj_range_finish(struct dj_range *range);

/* ---- what would be done ---- */

/* As a page for people, or schema dejank.plan/1. */
void dj_dry_run_page(struct dj_text *text, const struct dj_plan *plan,
                     const struct dj_range *range);
void dj_dry_run_json(struct dj_text *text, const struct dj_plan *plan,
                     const struct dj_range *range);

enum { DJ_LACKS_MOST = 12, DJ_LACK_TEXT = 160 };

/* What a range of devices lacks of what the guide asks for, as sentences; how many. */
size_t dj_range_lacks(const struct dj_range *range,
                      char lacks[DJ_LACKS_MOST][DJ_LACK_TEXT]);

#endif
