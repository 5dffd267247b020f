#include "base/json.h"
#include "memory/memory.h"
#include "report/compare.h"
#include "report/gate.h"

/* The p-values and ratios are written with more digits than times in ms. */
enum { DIGITS = 12 };

static void write_number(struct dj_text *text, const char *key, double value)
{
    dj_json_add_rounded(text, key, DIGITS, value);
}

/* Writes both bounds. A bound is null if that side has none. */
static void write_bounds(struct dj_text *text, const char *key,
                         const struct dj_bounds *bounds)
{
    dj_json_open_array(text, key);
    write_number(text, NULL, bounds->low);
    write_number(text, NULL, bounds->high);
    dj_json_close(text, "]");
}

static void write_build(struct dj_text *text, const char *key,
                        const struct dj_batch_row *batch)
{
    if (batch == NULL) {
        dj_json_add_null(text, key);
        return;
    }
    dj_json_open_object(text, key);
    dj_json_add_string(text, "label", batch->label);
    dj_json_add_string(text, "version", batch->version);
    dj_json_add_string(text, "commit", batch->commit);
    dj_json_close(text, "}");
}

static void write_metric(struct dj_text *text, const struct dj_comparison_metric *metric)
{
    const struct dj_effect *effect = &metric->member.effect;
    const struct dj_compare_metric *compared = metric->metric;
    double factor = compared->factor;
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "metric", compared->name);
    dj_json_add_string(text, "unit", compared->unit);
    write_number(text, "a", effect->a / factor);
    write_number(text, "b", effect->b / factor);
    write_number(text, "ratio", effect->ratio);
    write_bounds(text, "ci", &effect->ci);
    write_number(text, "level", effect->level);
    write_number(text, "margin", effect->margin);
    write_number(text, "p", effect->p);
    write_number(text, "p_adjusted", metric->member.adjusted_p);
    dj_json_add_int(text, "n_a", (int64_t)effect->n_a);
    dj_json_add_int(text, "n_b", (int64_t)effect->n_b);
    dj_json_add_string(text, "verdict", dj_compare_verdict_name(effect->verdict));
    write_number(text, "runs_needed", effect->runs_needed);
    dj_json_close(text, "}");
}

static void write_objective(struct dj_text *text, const struct dj_gate_objective *gated)
{
    const struct dj_objective *objective = gated->objective;
    const struct dj_objective_result *result = &gated->result;
    struct dj_text words = {0};
    dj_gate_objective_format(&words, objective, result);
    dj_json_open_object(text, NULL);
    dj_json_add_text(text, "objective", &words);
    dj_json_add_string(text, "metric", objective->metric_name);
    dj_json_add_string(text, "measured_as", dj_metrics_name(result->metric));
    dj_json_add_string(text, "statistic", dj_gate_statistic_name(objective->statistic));
    write_number(text, objective->at_least ? "at_least" : "at_most", result->bound);
    write_number(text, "goal", objective->goal);
    dj_json_add_name(text, "by", objective->by);
    dj_json_add_string(text, "devices", objective->devices);
    dj_json_add_string(text, "state", dj_gate_objective_state_name(result->state));
    dj_json_add_bool(text, "gates", gated->gates);
    write_number(text, "value", result->value);
    write_bounds(text, "interval", &result->interval);
    write_number(text, "confidence", result->confidence);
    write_number(text, "p_missed", result->p_missed);
    write_number(text, "level", gated->level);
    dj_json_add_int(text, "runs", (int64_t)result->runs);
    dj_json_add_int(text, "kept", (int64_t)result->within_count);
    dj_json_add_int(text, "lacking", (int64_t)result->lacking);
    write_number(text, "goal_gap", result->goal_gap);
    dj_json_close(text, "}");
}

static void write_cell(struct dj_text *text, const struct dj_gate_cell *cell)
{
    const struct dj_comparison_metric *metric;
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "flow", cell->batches->flow);
    dj_json_add_string(text, "device", cell->batches->serial);
    dj_json_add_name(text, "model", cell->facts.model);
    dj_json_add_string(text, "answer", dj_gate_answer_name(cell->answer));
    dj_json_add_string(text, "verdict",
                       cell->compared ? dj_compare_verdict_name(cell->verdict) : NULL);
    dj_json_add_name(text, "missing", dj_xtext(&cell->missing));
    dj_json_add_bool(text, "new", cell->is_new);
    const struct dj_batch_row *candidate = cell->batches->candidate;
    dj_json_add_string(text, "candidate", candidate != NULL ? candidate->id : NULL);
    dj_json_open_array(text, "baseline");
    for (size_t i = 0; i < cell->batches->baseline_count; i++) {
        dj_json_append_string(text, cell->batches->baseline[i]->id);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "metrics");
    for (size_t i = 0; (metric = dj_gate_metric_at(cell, i)) != NULL; i++) {
        write_metric(text, metric);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "objectives");
    for (size_t i = 0; i < cell->objective_count; i++) {
        write_objective(text, &cell->objective[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "warnings");
    for (size_t i = 0; cell->compared && i < cell->comparison.warning_count; i++) {
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "id",
                           dj_compare_warning_name(cell->comparison.warnings[i].id));
        dj_json_add_string(text, "text", cell->comparison.warnings[i].text);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}");
}

static void write_levels(struct dj_text *text, const struct dj_gate_report *report)
{
    if (report->looks == NULL) {
        return;
    }
    dj_json_add_int(text, "look", (int64_t)report->look + 1);
    dj_json_open_array(text, "looks");
    for (size_t i = 0; i < report->looks->count; i++) {
        dj_json_open_object(text, NULL);
        write_number(text, "runs", report->looks->runs[i]);
        write_number(text, "level", report->looks->level[i]);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

void dj_report_write_gate_json(struct dj_text *text, const struct dj_gate_report *report)
{
    const struct dj_gate *gate = report->gate;
    struct dj_text words = {0};
    dj_gate_format(&words, gate);
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "schema", "dejank.gate/1");
    dj_json_add_string(text, "answer", dj_gate_answer_name(gate->answer));
    dj_json_add_text(text, "words", &words);
    dj_json_add_string(text, "project", report->project);
    write_build(text, "candidate", gate->cells.candidate);
    write_build(text, "baseline", gate->cells.baseline);
    dj_json_add_string(text, "baseline_words", gate->cells.words);
    write_number(text, "alpha", gate->alpha);
    dj_json_add_int(text, "tests", (int64_t)gate->tests);
    write_levels(text, report);
    dj_json_add_bool(text, "stale", gate->stale);
    dj_json_add_int(text, "age_ms", gate->age_ms);
    write_number(text, "runs_needed", gate->runs_needed);
    dj_json_open_array(text, "flows");
    for (size_t i = 0; i < gate->flow_count; i++) {
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "flow", gate->flow[i].name);
        dj_json_add_string(text, "priority", gate->flow[i].priority);
        dj_report_write_range_members(text, &gate->flow[i].range);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "cells");
    for (size_t i = 0; i < gate->cell_count; i++) {
        write_cell(text, &gate->cell[i]);
    }
    dj_json_close(text, "]}\n");
}
