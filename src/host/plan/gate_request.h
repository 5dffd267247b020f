/* A request to gate a build, combined from a plan and command-line options. Options have
 * precedence over the plan. */
#ifndef DEJANK_PLAN_GATE_REQUEST_H
#define DEJANK_PLAN_GATE_REQUEST_H

#include "base/messages.h"
#include "plan/plan.h"

/* Command-line options. Members that are NULL, 0 or false were not given. */
struct dj_gate_options {
    /* Path of the file from which request->plan was read, or NULL if there is none. */
    const char *plan;
    const char *candidate;
    const char *project, *flow, *device, *store;
    const char *baseline, *repository, *margin, *alpha, *stale, *undecided, *looks;
    bool nearest, allow_new, rerun;
    const char *const *metrics, *const *objectives;
    size_t metric_count, objective_count;
};

/* A request to gate a build. Zero the struct before use. Call
 * dj_plan_gate_request_finish() in every case. */
struct dj_gate_request {
    struct dj_gate_rules rules; /* The rules refer to texts of the plan. */
    struct dj_wanted_cell *wanted;
    /* The plan in the file, changed by the options. If there is no file, plan.file is
     * NULL. */
    struct dj_plan plan;
    struct dj_text plan_bytes;
};

/* Completes the request with the options. Before this call, request->plan was read from a
 * file or is zero. The options must outlive the request. Returns DJ_E_USAGE if the value
 * of an option is invalid. */
int dj_plan_gate_request_init(const struct dj_gate_options *options,
                              struct dj_gate_request *request, struct dj_error *err);

void dj_plan_gate_request_finish(struct dj_gate_request *request);

/* Plans the looks. A look is a judgement of the gate after a number of runs. The looks
 * are those of the request, or else after 1, 1½, 2 and 3 times the planned number of
 * runs. Sets *look to the index of the last look that the runs of all builds have
 * reached, or to 0. Returns DJ_E_USAGE if no looks can be planned. */
int dj_plan_gate_interim_levels(const struct dj_gate_request *request,
                                const struct dj_gate *gate, struct dj_looks *looks,
                                size_t *look, struct dj_error *err);

/* Returns the path of the plan with which the candidate was measured, or NULL if the
 * store does not know the plan. The caller frees the path. */
char *dj_plan_find_stored(struct dj_store *history, const struct dj_gate *gate);

/* Returns the names of the flows that need more runs, and their number in *count. The
 * names point into `gate`, and the caller frees the array. If the builds of a flow were
 * not measured interleaved, no runs can be added. The function then sends a message and
 * returns NULL. */
const char **dj_plan_find_undecided_flows(const struct dj_gate *gate,
                                          const struct dj_messages *messages,
                                          size_t *count);

/* Flows, as a list of names. */
struct dj_gate_flows {
    const char *const *names;
    size_t count;
};

/* The way in which a gate measures more runs. */
struct dj_gate_rerun {
    /* Adds interleaved runs to the batches of the plan's flows, until each build has
     * `runs` runs. Returns whether all runs were made. */
    bool (*add_runs)(const char *plan, const struct dj_store *history,
                     const struct dj_gate_flows *flows, int64_t runs);
    const struct dj_messages *messages;
};

/* Judges. If the gate is undecided and the plan asks for more runs, adds runs and judges
 * again, until the gate is decided, the last look is done, or runs cannot be added. Uses
 * the plan of the request, or the plan with which the candidate was measured. `gate`,
 * `looks` and `look` receive the last judgement; the caller finishes `gate`. */
int dj_plan_decide_gate(const struct dj_gate_request *request, struct dj_store *history,
                        const struct dj_gate_rerun *rerun, struct dj_gate *gate,
                        struct dj_looks *looks, size_t *look, struct dj_error *err);

#endif
