#include "base/json.h"
#include "memory/memory.h"
#include "report/compare.h"
#include "report/gate.h"

/* p and ratios need more digits than a time in ms. */
enum { DIGITS = 12 };

static void put_number(struct dj_text *text, const char *key, double value)
{
    dj_json_put_rounded(text, key, DIGITS, value);
}

/* null: no bound on that side. */
static void put_bounds(struct dj_text *text, const char *key,
                       const struct dj_bounds *bounds)
{
    dj_json_open_array(text, key);
    put_number(text, NULL, bounds->low);
    put_number(text, NULL, bounds->high);
    dj_json_close(text, "]");
}

static void put_build(struct dj_text *text, const char *key,
                      const struct dj_batch_row *batch)
{
    if (batch == NULL) {
        dj_json_put_null(text, key);
        return;
    }
    dj_json_open_object(text, key);
    dj_json_put_string(text, "label", batch->label);
    dj_json_put_string(text, "version", batch->version);
    dj_json_put_string(text, "commit", batch->commit);
    dj_json_close(text, "}");
}

static void put_metric(struct dj_text *text, const struct dj_comparison_metric *metric)
{
    const struct dj_effect *effect = &metric->member.effect;
    const struct dj_compared *compared = metric->metric;
    double factor = compared->factor;
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "metric", compared->name);
    dj_json_put_string(text, "unit", compared->unit);
    put_number(text, "a", effect->a / factor);
    put_number(text, "b", effect->b / factor);
    put_number(text, "ratio", effect->ratio);
    put_bounds(text, "ci", &effect->ci);
    put_number(text, "level", effect->level);
    put_number(text, "margin", effect->margin);
    put_number(text, "p", effect->p);
    put_number(text, "p_adjusted", metric->member.adjusted_p);
    dj_json_put_int(text, "n_a", (int64_t)effect->n_a);
    dj_json_put_int(text, "n_b", (int64_t)effect->n_b);
    dj_json_put_string(text, "verdict", dj_verdict_name(effect->verdict));
    put_number(text, "runs_needed", effect->runs_needed);
    dj_json_close(text, "}");
}

static void put_objective(struct dj_text *text, const struct dj_gate_objective *gated)
{
    const struct dj_objective *objective = gated->objective;
    const struct dj_objective_result *result = &gated->result;
    struct dj_text words = {0};
    dj_objective_words(&words, objective, result);
    dj_json_open_object(text, NULL);
    dj_json_put_text(text, "objective", &words);
    dj_json_put_string(text, "metric", objective->metric_name);
    dj_json_put_string(text, "measured_as", dj_metric_name(result->metric));
    dj_json_put_string(text, "statistic",
                       dj_objective_statistic_name(objective->statistic));
    put_number(text, objective->at_least ? "at_least" : "at_most", result->bound);
    put_number(text, "goal", objective->goal);
    dj_json_put_name(text, "by", objective->by);
    dj_json_put_string(text, "devices", objective->devices);
    dj_json_put_string(text, "state", dj_objective_state_name(result->state));
    dj_json_put_bool(text, "gates", gated->gates);
    put_number(text, "value", result->value);
    put_bounds(text, "interval", &result->interval);
    put_number(text, "confidence", result->confidence);
    put_number(text, "p_missed", result->p_missed);
    put_number(text, "level", gated->level);
    dj_json_put_int(text, "runs", (int64_t)result->runs);
    dj_json_put_int(text, "kept", (int64_t)result->kept);
    dj_json_put_int(text, "lacking", (int64_t)result->lacking);
    put_number(text, "goal_gap", result->goal_gap);
    dj_json_close(text, "}");
}

static void put_cell(struct dj_text *text, const struct dj_gate_cell *cell)
{
    const struct dj_comparison_metric *metric;
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "flow", cell->batches->flow);
    dj_json_put_string(text, "device", cell->batches->serial);
    dj_json_put_name(text, "model", cell->facts.model);
    dj_json_put_string(text, "answer", dj_gate_answer_name(cell->answer));
    dj_json_put_string(text, "verdict",
                       cell->compared ? dj_verdict_name(cell->verdict) : NULL);
    dj_json_put_name(text, "missing", dj_xtext(&cell->missing));
    dj_json_put_bool(text, "new", cell->is_new);
    const struct dj_batch_row *candidate = cell->batches->candidate;
    dj_json_put_string(text, "candidate", candidate != NULL ? candidate->id : NULL);
    dj_json_open_array(text, "baseline");
    for (size_t i = 0; i < cell->batches->baseline_count; i++) {
        dj_json_string(text, cell->batches->baseline[i]->id);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "metrics");
    for (size_t i = 0; (metric = dj_gate_metric(cell, i)) != NULL; i++) {
        put_metric(text, metric);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "objectives");
    for (size_t i = 0; i < cell->objective_count; i++) {
        put_objective(text, &cell->objective[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "warnings");
    for (size_t i = 0; cell->compared && i < cell->comparison.warning_count; i++) {
        dj_json_open_object(text, NULL);
        dj_json_put_string(text, "id", dj_warning_name(cell->comparison.warnings[i].id));
        dj_json_put_string(text, "text", cell->comparison.warnings[i].text);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}");
}

static void put_looks(struct dj_text *text, const struct dj_gate_report *report)
{
    if (report->looks == NULL) {
        return;
    }
    dj_json_put_int(text, "look", (int64_t)report->look + 1);
    dj_json_open_array(text, "looks");
    for (size_t i = 0; i < report->looks->count; i++) {
        dj_json_open_object(text, NULL);
        put_number(text, "runs", report->looks->runs[i]);
        put_number(text, "level", report->looks->level[i]);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

void dj_gate_json(struct dj_text *text, const struct dj_gate_report *report)
{
    const struct dj_gate *gate = report->gate;
    struct dj_text words = {0};
    dj_gate_words(&words, gate);
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "schema", "dejank.gate/1");
    dj_json_put_string(text, "answer", dj_gate_answer_name(gate->answer));
    dj_json_put_text(text, "words", &words);
    dj_json_put_string(text, "project", report->project);
    put_build(text, "candidate", gate->cells.candidate);
    put_build(text, "baseline", gate->cells.baseline);
    dj_json_put_string(text, "baseline_words", gate->cells.words);
    put_number(text, "alpha", gate->alpha);
    dj_json_put_int(text, "tests", (int64_t)gate->tests);
    put_looks(text, report);
    dj_json_put_bool(text, "stale", gate->stale);
    dj_json_put_int(text, "age_ms", gate->age_ms);
    put_number(text, "runs_needed", gate->runs_needed);
    dj_json_open_array(text, "flows");
    for (size_t i = 0; i < gate->flow_count; i++) {
        dj_json_open_object(text, NULL);
        dj_json_put_string(text, "flow", gate->flow[i].name);
        dj_json_put_string(text, "priority", gate->flow[i].priority);
        dj_range_json_members(text, &gate->flow[i].range);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "cells");
    for (size_t i = 0; i < gate->cell_count; i++) {
        put_cell(text, &gate->cell[i]);
    }
    dj_json_close(text, "]}\n");
}
