#include <inttypes.h>
#include <math.h>

#include "gate/gate.h"

static const int64_t DAY_MS = INT64_C(86400000);

static void append_metric(struct dj_text *text, const struct dj_comparison_metric *metric)
{
    dj_text_format(text, "%s ", metric->metric->words);
    dj_compare_format_effect(&metric->member.effect, text);
    dj_text_format(text, " %s", dj_compare_verdict_name(metric->member.effect.verdict));
}

/* Returns the metric with the cell's verdict that comes first in the comparison's
 * order. */
static const struct dj_comparison_metric *
find_leading_metric(const struct dj_gate_cell *cell)
{
    const struct dj_comparison_metric *metric;
    for (size_t i = 0; (metric = dj_gate_metric_at(cell, i)) != NULL; i++) {
        if (metric->member.effect.verdict == cell->verdict) {
            return metric;
        }
    }
    return dj_gate_metric_at(cell, 0);
}

void dj_gate_format_cell(struct dj_text *text, const struct dj_gate_cell *cell)
{
    const char *between = "";
    const struct dj_comparison_metric *metric = find_leading_metric(cell);
    if (metric != NULL) {
        append_metric(text, metric);
        dj_text_format(text, ", %zu against %zu runs", metric->member.effect.n_b,
                       metric->member.effect.n_a);
        between = "; ";
    } else if (cell->is_new) {
        dj_text_add(text, "new: the baseline has no batch to compare with");
        between = "; ";
    }
    for (size_t i = 0; i < cell->objective_count; i++) {
        const struct dj_gate_objective *objective = &cell->objective[i];
        if (objective->gates && objective->result.state != DJ_OBJECTIVE_MET &&
            objective->result.state != DJ_OBJECTIVE_NOT_MEASURED) {
            dj_text_format(text, "%sobjective ", between);
            dj_gate_objective_format(text, objective->objective, &objective->result);
            dj_text_format(text, " %s",
                           dj_gate_objective_state_name(objective->result.state));
            between = "; ";
        }
    }
    if (cell->missing.length > 0) {
        dj_text_format(text, "%snot measured: %s", between, dj_text_get(&cell->missing));
    } else if (between[0] == '\0') {
        dj_text_add(text, cell->objective_count > 0 ? "objectives met"
                                                    : "no baseline and no objective");
    }
}

static const char *const heads[] = {
    [DJ_GATE_PASS] = "passes",
    [DJ_GATE_FAIL] = "fails",
    [DJ_GATE_NOT_MEASURED] = "not measured",
    [DJ_GATE_UNDECIDED] = "undecided",
};

void dj_gate_format(struct dj_text *text, const struct dj_gate *gate)
{
    dj_text_format(text, "%s: ", heads[gate->answer]);
    if (gate->answer == DJ_GATE_PASS) {
        dj_text_format(text, "%zu of %zu flows on devices", gate->count[DJ_GATE_PASS],
                       gate->cell_count);
    } else {
        const char *between = "";
        static const char *const words[] = {[DJ_GATE_FAIL] = "failed",
                                            [DJ_GATE_NOT_MEASURED] = "not measured",
                                            [DJ_GATE_UNDECIDED] = "undecided"};
        for (size_t i = DJ_GATE_FAIL; i < DJ_GATE_ANSWERS; i++) {
            if (gate->count[i] > 0) {
                dj_text_format(text, "%s%zu %s", between, gate->count[i], words[i]);
                between = ", ";
            }
        }
        dj_text_format(text, "%sof %zu flows on devices", between[0] != '\0' ? " " : "0 ",
                       gate->cell_count);
    }
    if (gate->stale) {
        dj_text_format(text, "; no new data for %.1f days",
                       (double)gate->age_ms / (double)DAY_MS);
    }
    dj_text_format(text, "; %zu test%s at a risk of %.3g %%", gate->tests,
                   gate->tests == 1 ? "" : "s", 100 * gate->alpha);
    if (!isnan(gate->runs_needed)) {
        dj_text_format(text, "; a verdict needs about %.0f runs of each build",
                       gate->runs_needed);
    }
}
