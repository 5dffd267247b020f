/* A request to gate a build: a plan and command-line options; options win. */
#ifndef DEJANK_PLAN_GATE_REQUEST_H
#define DEJANK_PLAN_GATE_REQUEST_H

#include "base/messages.h"
#include "plan/plan.h"

/* NULL, 0 and false: not given. */
struct dj_gate_options {
    const char *plan; /* the file that request->plan was read from; NULL: none */
    const char *candidate;
    const char *project, *flow, *device, *store;
    const char *baseline, *repository, *margin, *alpha, *stale, *undecided, *looks;
    bool nearest, allow_new, rerun;
    const char *const *metrics, *const *objectives;
    size_t metric_count, objective_count;
};

/* Zero it; finish it in every case. */
struct dj_gate_request {
    struct dj_gate_rules rules; /* point into the plan */
    struct dj_wanted_cell *wanted;
    struct dj_plan
        plan; /* of the file and the options; `file` NULL: only of the options */
    struct dj_text plan_bytes;
};

/* Completes a request with the options; request->plan has been read, or is zero. The
 * options must outlive the request. DJ_E_USAGE: an option's value is wrong. */
int dj_plan_gate_request_init(const struct dj_gate_options *options,
                              struct dj_gate_request *request, struct dj_error *err);

void dj_plan_gate_request_finish(struct dj_gate_request *request);

/* ---- more runs for an undecided gate ---- */

/*
 * Plans the looks: those of the request, else after 1, 1½, 2 and 3 times the planned
 * runs. *look: the last look that the runs of all builds have reached. DJ_E_USAGE: no
 * looks can be planned.
 */
int dj_plan_gate_interim_levels(const struct dj_gate_request *request,
                                const struct dj_gate *gate, struct dj_looks *looks,
                                size_t *look, struct dj_error *err);

/* Returns the plan's file that the candidate was measured with, NULL if the store does
 * not know one. The caller frees it. */
char *dj_plan_find_stored(struct dj_store *history, const struct dj_gate *gate);

/*
 * Returns the names of the flows that need more runs, *count of them. They point into
 * `gate`; the caller frees the array. NULL after a message: the builds of a flow were not
 * measured interleaved, so no runs can be added.
 */
const char **dj_plan_find_undecided_flows(const struct dj_gate *gate,
                                          const struct dj_messages *messages,
                                          size_t *count);

#endif
