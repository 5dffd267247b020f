#include "gate/compare_builds.h"

#include <stdio.h>

static int check_range(const struct dj_gate *range, struct dj_error *err)
{
    if (range->flow_count != 1) {
        return dj_error_set(
            err, DJ_E_USAGE,
            "expected batches of one flow, found %zu flows on several devices. hint: "
            "choose one with --flow",
            range->flow_count);
    }
    return range->flow[0].range.devices > 0
               ? 0
               : dj_error_set(err, DJ_E_NO_DATA, "no device has figures of both A and B");
}

int dj_gate_compare_builds(const struct dj_side_filter *filter,
                           const struct dj_sides_stores *stores,
                           const struct dj_compare_rules *rules, struct dj_gate *range,
                           struct dj_error *err)
{
    struct dj_gate_rules all = {
        .cells = {.candidate = stores->word[1],
                  .flow = filter->flow,
                  .serial = filter->serial,
                  .has_baseline = true,
                  .baseline = {.kind = DJ_BASELINE_NAMED}},
        .project = filter->project,
        .alpha = rules->alpha,
        .margin = rules->margin,
        .gates = rules->gates,
        .gate_count = rules->gate_count,
        .only_these = true,
    };
    snprintf(all.cells.baseline.name, sizeof(all.cells.baseline.name), "%s",
             stores->word[0]);
    int code = dj_gate_judge(stores->history[0], &all, range, err);
    return code == 0 ? check_range(range, err) : code;
}
