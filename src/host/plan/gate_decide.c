#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "plan/gate_request.h"

static bool add_runs(const char *plan, struct dj_store *history,
                     const struct dj_gate_rerun *rerun, const struct dj_gate *gate,
                     int64_t runs)
{
    size_t count;
    if (plan == NULL || access(plan, R_OK) != 0) {
        dj_message(rerun->messages,
                   "the store does not contain what more runs need%s%s%s. hint: run "
                   "'dejank gate PLAN.yaml --rerun'",
                   plan != NULL ? ", and the plan '" : "", plan != NULL ? plan : "",
                   plan != NULL ? "' cannot be read" : "");
        return false;
    }
    const char **names = dj_plan_find_undecided_flows(gate, rerun->messages, &count);
    if (names == NULL) {
        return false;
    }
    dj_message(rerun->messages,
               "undecided: adding runs up to %" PRId64 " of each build, with %s", runs,
               plan);
    const struct dj_gate_flows flows = {names, count};
    bool is_done = rerun->add_runs(plan, history, &flows, runs);
    free(names);
    return is_done;
}

/* Adds the runs of the plan that the request names. If it names none, uses the plan with
 * which the candidate was measured. */
static bool add_planned_runs(const struct dj_gate_request *request,
                             struct dj_store *history, const struct dj_gate_rerun *rerun,
                             const struct dj_gate *gate, int64_t runs)
{
    char *stored = request->plan.file != NULL ? NULL : dj_plan_find_stored(history, gate);
    bool is_done = add_runs(stored != NULL ? stored : request->plan.file, history, rerun,
                            gate, runs);
    free(stored);
    return is_done;
}

/* Judges the gate once. If there are several looks, judges at the last look for which
 * there are enough runs. */
static int judge_at_level(const struct dj_gate_request *request, struct dj_store *history,
                          struct dj_gate *gate, struct dj_looks *looks, size_t *look,
                          struct dj_error *err)
{
    struct dj_gate_rules rules = request->rules;
    int code = dj_gate_judge(history, &rules, gate, err);
    if (code != 0 || request->plan.gate.undecided != DJ_UNDECIDED_RERUNS) {
        return code;
    }
    code = dj_plan_gate_interim_levels(request, gate, looks, look, err);
    if (code == 0) {
        rules.alpha = looks->level[*look];
        dj_gate_finish(gate);
        code = dj_gate_judge(history, &rules, gate, err);
    }
    return code;
}

int dj_plan_decide_gate(const struct dj_gate_request *request, struct dj_store *history,
                        const struct dj_gate_rerun *rerun, struct dj_gate *gate,
                        struct dj_looks *looks, size_t *look, struct dj_error *err)
{
    int code = judge_at_level(request, history, gate, looks, look, err);
    while (code == 0 && request->plan.gate.undecided == DJ_UNDECIDED_RERUNS &&
           gate->answer == DJ_GATE_UNDECIDED && *look + 1 < looks->count) {
        size_t before = *look;
        if (!add_planned_runs(request, history, rerun, gate,
                              (int64_t)looks->runs[*look + 1])) {
            break;
        }
        dj_gate_finish(gate);
        code = judge_at_level(request, history, gate, looks, look, err);
        if (code == 0 && *look == before) {
            dj_message(rerun->messages, "some of the added runs do not count");
            break;
        }
    }
    return code;
}
