#include "report/gate/rows.h"

#include <math.h>

#include "memory/memory.h"
#include "report/escape/name.h"

enum { LINE_COLUMNS = 78 /* A terminal of 80 columns does not wrap it. */ };

static const enum dj_tone tones[DJ_GATE_ROW_STATES] = {
    [DJ_GATE_ROW_FAILED] = DJ_TONE_BAD,
    [DJ_GATE_ROW_NOT_MEASURED] = DJ_TONE_BAD,
    [DJ_GATE_ROW_UNDECIDED] = DJ_TONE_WARNING,
    [DJ_GATE_ROW_NOT_DUE] = DJ_TONE_MUTED,
    [DJ_GATE_ROW_PASSED] = DJ_TONE_GOOD};

static enum dj_gate_row_state find_metric_state(const struct dj_comparison_metric *metric)
{
    switch (metric->member.effect.verdict) {
    case DJ_VERDICT_REGRESSION:
        return DJ_GATE_ROW_FAILED;
    case DJ_VERDICT_LIKELY_REGRESSION:
    case DJ_VERDICT_INCONCLUSIVE:
        return DJ_GATE_ROW_UNDECIDED;
    default:
        return DJ_GATE_ROW_PASSED;
    }
}

static enum dj_gate_row_state
find_objective_state(const struct dj_gate_objective *objective)
{
    static const enum dj_gate_row_state states[DJ_OBJECTIVE_STATES] = {
        [DJ_OBJECTIVE_MET] = DJ_GATE_ROW_PASSED,
        [DJ_OBJECTIVE_MISSED] = DJ_GATE_ROW_FAILED,
        [DJ_OBJECTIVE_UNDECIDED] = DJ_GATE_ROW_UNDECIDED,
        [DJ_OBJECTIVE_NOT_MEASURED] = DJ_GATE_ROW_NOT_MEASURED,
    };
    return objective->gates || objective->result.state == DJ_OBJECTIVE_MET
               ? states[objective->result.state]
               : DJ_GATE_ROW_NOT_DUE;
}

static void add_row(struct dj_gate_rows *rows, struct dj_gate_row row)
{
    rows->states[row.state]++;
    DJ_XPUSH(rows->row, rows->count, row);
}

static void add_cell(struct dj_gate_rows *rows, const struct dj_gate_cell *cell)
{
    const struct dj_comparison_metric *metric;
    for (size_t i = 0; (metric = dj_gate_metric_at(cell, i)) != NULL; i++) {
        add_row(rows,
                (struct dj_gate_row){find_metric_state(metric), cell, metric, NULL});
    }
    for (size_t i = 0; i < cell->objective_count; i++) {
        const struct dj_gate_objective *objective = &cell->objective[i];
        add_row(rows, (struct dj_gate_row){find_objective_state(objective), cell, NULL,
                                           objective});
    }
    if (cell->missing.length > 0 || cell->is_new) {
        add_row(rows, (struct dj_gate_row){cell->is_new ? DJ_GATE_ROW_PASSED
                                                        : DJ_GATE_ROW_NOT_MEASURED,
                                           cell, NULL, NULL});
    }
}

void dj_report_collect_gate_rows(struct dj_gate_rows *rows, const struct dj_gate *gate)
{
    for (size_t i = 0; i < gate->cell_count; i++) {
        add_cell(rows, &gate->cell[i]);
    }
}

enum dj_tone dj_report_get_gate_row_tone(const struct dj_gate_row *row)
{
    return tones[row->state];
}

void dj_report_write_gate_place(struct dj_text *text, const struct dj_gate_cell *cell)
{
    dj_text_append_escaped_name(text, cell->batches->flow);
    dj_text_append_any_name(text, " on ", cell->batches->serial, "");
}

void dj_report_write_gate_change(struct dj_text *text, const struct dj_effect *effect)
{
    if (!isfinite(effect->ratio)) {
        dj_text_add(text, "unknown");
        return;
    }
    dj_compare_format_change(text, effect->ratio);
    dj_text_add(text, " %");
    if (isfinite(effect->ci.high)) {
        dj_text_add(text, " (");
        dj_compare_format_change(text, effect->ci.low);
        dj_text_add(text, " … ");
        dj_compare_format_change(text, effect->ci.high);
        dj_text_add(text, " %)");
    } else {
        dj_text_add(text, " (no bounds)");
    }
}

void dj_report_write_gate_row_name(struct dj_text *text, const struct dj_gate_row *row)
{
    if (row->metric != NULL) {
        dj_text_format(text, "%s, %s", row->metric->metric->words,
                       row->metric->metric->unit);
    } else if (row->objective != NULL) {
        dj_gate_objective_format(text, row->objective->objective,
                                 &row->objective->result);
    } else {
        dj_text_append_escaped_name(text, row->cell->is_new
                                              ? "new, without a baseline"
                                              : dj_xtext(&row->cell->missing));
    }
}

void dj_report_write_gate_row_state(struct dj_text *text, const struct dj_gate_row *row)
{
    if (row->metric != NULL) {
        dj_name_write_slug(text,
                           dj_compare_verdict_name(row->metric->member.effect.verdict));
    } else if (row->objective != NULL) {
        dj_name_write_slug(text,
                           dj_gate_objective_state_name(row->objective->result.state));
        dj_text_add(text, row->objective->gates ? "" : ", not due yet");
    } else {
        dj_text_add(text, row->cell->is_new ? "new" : "not measured");
    }
}

const struct dj_gate_row *dj_report_find_gate_reason(const struct dj_gate_rows *rows)
{
    const struct dj_gate_row *found = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        found =
            found == NULL || rows->row[i].state < found->state ? &rows->row[i] : found;
    }
    return found;
}

/* Writes the reason for the answer of the gate. A short reason lacks the interval of a
 * metric, or the flow and device of an objective. */
static void write_reason(struct dj_text *text, const struct dj_gate_row *row,
                         bool is_short)
{
    const struct dj_effect *effect =
        row->metric != NULL ? &row->metric->member.effect : NULL;
    if (effect != NULL) {
        dj_text_format(text, "%s ", row->metric->metric->words);
    }
    if (effect != NULL && is_short && isfinite(effect->ratio)) {
        dj_compare_format_change(text, effect->ratio);
        dj_text_add(text, " %");
    } else if (effect != NULL) {
        dj_report_write_gate_change(text, effect);
    } else {
        dj_report_write_gate_row_name(text, row);
    }
    if (row->objective != NULL) {
        dj_text_add(text, " ");
        dj_report_write_gate_row_state(text, row);
    }
    if (row->objective == NULL || !is_short) {
        dj_text_add(text, ", ");
        dj_report_write_gate_place(text, row->cell);
    }
}

static void write_pass(struct dj_text *text, const struct dj_gate *gate,
                       const struct dj_gate_rows *rows)
{
    bool has_objectives = false;
    for (size_t i = 0; i < rows->count; i++) {
        has_objectives = has_objectives || rows->row[i].objective != NULL;
    }
    dj_text_add(text, "gate passes: ");
    if (gate->tests > 0) {
        dj_text_format(text, "no regression%s in %zu test%s (",
                       has_objectives ? ", no missed objective" : "", gate->tests,
                       gate->tests == 1 ? "" : "s");
    } else {
        dj_text_add(text, has_objectives ? "no missed objective ("
                                         : "there was nothing to test (");
    }
    if (gate->cell_count == 1) {
        dj_report_write_gate_place(text, gate->cell);
    } else {
        dj_text_format(text, "%zu pairs of flow and device", gate->cell_count);
    }
    dj_text_add(text, ")");
}

static void write_line(struct dj_text *text, const struct dj_gate *gate,
                       const struct dj_gate_rows *rows, bool is_short)
{
    static const char *const heads[DJ_GATE_ANSWERS] = {
        [DJ_GATE_FAIL] = "gate fails: ",
        [DJ_GATE_NOT_MEASURED] = "gate incomplete: ",
        [DJ_GATE_UNDECIDED] = "gate undecided: ",
    };
    const struct dj_gate_row *reason = dj_report_find_gate_reason(rows);
    dj_text_clear(text);
    if (gate->answer == DJ_GATE_PASS) {
        write_pass(text, gate, rows);
        return;
    }
    dj_text_add(text, heads[gate->answer]);
    if (reason == NULL || reason->state >= DJ_GATE_ROW_NOT_DUE ||
        (gate->stale && reason->state > DJ_GATE_ROW_FAILED)) {
        dj_text_format(text, "no new data for %.1f days", (double)gate->age_ms / 864e5);
        return;
    }
    write_reason(text, reason, is_short);
    if (rows->states[reason->state] > 1) {
        dj_text_format(text, "; %zu more", rows->states[reason->state] - 1);
    }
}

void dj_report_describe_gate(struct dj_text *text, const struct dj_gate *gate,
                             const struct dj_gate_rows *rows)
{
    write_line(text, gate, rows, false);
    if (dj_name_count_columns(dj_xtext(text)) > LINE_COLUMNS) {
        write_line(text, gate, rows, true);
    }
    dj_name_shorten(text, LINE_COLUMNS);
}
