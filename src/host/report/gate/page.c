#include <math.h>
#include <string.h>

#include "memory/memory.h"
#include "report/escape/markdown.h"
#include "report/escape/name.h"
#include "report/gate.h"

static void write_interval(struct dj_text *text, const struct dj_effect *effect)
{
    if (!isfinite(effect->ratio)) {
        dj_text_add(text, "unknown");
        return;
    }
    dj_compare_format_change(text, effect->ratio);
    if (isfinite(effect->ci.high)) {
        dj_text_add(text, " % [");
        dj_compare_format_change(text, effect->ci.low);
        dj_text_add(text, ", ");
        dj_compare_format_change(text, effect->ci.high);
        dj_text_add(text, "]");
    } else {
        dj_text_add(text, " % [no bounds]");
    }
}

static void write_value(struct dj_text *text, const struct dj_compare_metric *metric,
                        double value)
{
    if (isnan(value)) {
        dj_text_add(text, "unknown");
    } else {
        dj_text_format(text, "%.4g %s", value / metric->factor, metric->unit);
    }
}

/* Writes the figures of both builds, `between`, then the change. */
static void write_change(struct dj_text *text, const struct dj_comparison_metric *metric,
                         const char *between)
{
    write_value(text, metric->metric, metric->member.effect.a);
    dj_text_add(text, " → ");
    write_value(text, metric->metric, metric->member.effect.b);
    dj_text_add(text, between);
    write_interval(text, &metric->member.effect);
}

static void write_levels(struct dj_text *text, const struct dj_gate_report *report)
{
    dj_text_format(text, "look %zu of %zu: after", report->look + 1,
                   report->looks->count);
    for (size_t i = 0; i < report->looks->count; i++) {
        dj_text_format(text, "%s %.0f", i > 0 ? "," : "", report->looks->runs[i]);
    }
    dj_text_format(text, " runs; this one's risk %.3g %%",
                   100 * report->looks->level[report->look]);
}

static void write_cell_lines(struct dj_text *text, const struct dj_gate_cell *cell)
{
    const struct dj_comparison_metric *metric;
    dj_text_format(text, "  %s on ", dj_gate_answer_name(cell->answer));
    dj_text_append_escaped_name(text, cell->batches->serial);
    if (strcmp(cell->facts.model, cell->batches->serial) != 0) {
        dj_text_append_name(text, " (", cell->facts.model, ")");
    }
    dj_text_add(text, "\n");
    for (size_t i = 0; (metric = dj_gate_metric_at(cell, i)) != NULL; i++) {
        const struct dj_effect *effect = &metric->member.effect;
        dj_text_format(text, "    %-18s ", metric->metric->words);
        write_change(text, metric, ", ");
        dj_text_format(text, ", %zu against %zu runs: %s\n", effect->n_b, effect->n_a,
                       dj_compare_verdict_name(effect->verdict));
    }
    for (size_t i = 0; i < cell->objective_count; i++) {
        const struct dj_gate_objective *objective = &cell->objective[i];
        dj_text_add(text, "    objective ");
        dj_gate_objective_format(text, objective->objective, &objective->result);
        dj_text_format(text, ": %s%s; ",
                       dj_gate_objective_state_name(objective->result.state),
                       objective->gates ? "" : " (not due yet)");
        dj_gate_objective_format_reason(text, objective->objective, &objective->result);
        dj_text_add(text, "\n");
    }
    if (cell->missing.length > 0) {
        dj_text_format(text, "    not measured: %s\n", dj_xtext(&cell->missing));
    }
    if (cell->is_new) {
        dj_text_add(text, "    new: the baseline has nothing to hold it against\n");
    }
    for (size_t i = 0; cell->compared && i < cell->comparison.warning_count; i++) {
        dj_text_format(text, "    ! %s\n", cell->comparison.warnings[i].text);
    }
}

void dj_report_write_gate_page(struct dj_text *text, const struct dj_gate_report *report)
{
    const struct dj_gate *gate = report->gate;
    dj_gate_format(text, gate);
    dj_text_add(text, "\n  ");
    dj_gate_format_build(text, gate->cells.candidate);
    dj_text_format(text, " against %s\n", gate->cells.words);
    if (report->looks != NULL) {
        dj_text_add(text, "  ");
        write_levels(text, report);
        dj_text_add(text, "\n");
    }
    for (size_t i = 0, cell = 0; i < gate->flow_count; i++) {
        dj_name_format(text, "\n%s: ", gate->flow[i].name);
        dj_gate_range_format(text, &gate->flow[i].range);
        dj_text_add(text, "\n");
        for (; cell < gate->cell_count &&
               strcmp(gate->cell[cell].batches->flow, gate->flow[i].name) == 0;
             cell++) {
            write_cell_lines(text, &gate->cell[cell]);
        }
    }
}

static const char *const marks[DJ_GATE_ANSWERS] = {
    [DJ_GATE_PASS] = "✅",
    [DJ_GATE_FAIL] = "❌",
    [DJ_GATE_NOT_MEASURED] = "🚫",
    [DJ_GATE_UNDECIDED] = "❔",
};

/* A bar in a name would end the cell of a table. */
static void write_name(struct dj_text *text, const char *name)
{
    struct dj_text escaped = {0};
    dj_text_append_escaped_name(&escaped, name);
    dj_markdown_escape_and_finish(text, &escaped);
}

static void write_row_head(struct dj_text *text, const struct dj_gate_cell *cell,
                           const char *mark)
{
    dj_text_format(text, "| %s | ", mark);
    write_name(text, cell->batches->flow);
    dj_text_add(text, " | ");
    write_name(text, cell->batches->serial);
    dj_text_add(text, " | ");
}

static const char *choose_objective_mark(const struct dj_gate_objective *objective)
{
    static const enum dj_gate_answer answers[] = {
        [DJ_OBJECTIVE_MET] = DJ_GATE_PASS,
        [DJ_OBJECTIVE_MISSED] = DJ_GATE_FAIL,
        [DJ_OBJECTIVE_UNDECIDED] = DJ_GATE_UNDECIDED,
        [DJ_OBJECTIVE_NOT_MEASURED] = DJ_GATE_NOT_MEASURED,
    };
    return objective->gates || objective->result.state == DJ_OBJECTIVE_MET
               ? marks[answers[objective->result.state]]
               : "⏳";
}

static void write_rows(struct dj_text *text, const struct dj_gate_cell *cell)
{
    const struct dj_comparison_metric *metric;
    for (size_t i = 0; (metric = dj_gate_metric_at(cell, i)) != NULL; i++) {
        const struct dj_effect *effect = &metric->member.effect;
        bool open = effect->verdict == DJ_VERDICT_LIKELY_REGRESSION ||
                    effect->verdict == DJ_VERDICT_INCONCLUSIVE;
        bool worse = effect->verdict == DJ_VERDICT_REGRESSION;
        write_row_head(text, cell,
                       marks[worse  ? DJ_GATE_FAIL
                             : open ? DJ_GATE_UNDECIDED
                                    : DJ_GATE_PASS]);
        dj_text_format(text, "%s | ", metric->metric->words);
        write_change(text, metric, " | ");
        dj_text_format(text, " | %zu : %zu | %s |\n", effect->n_b, effect->n_a,
                       dj_compare_verdict_name(effect->verdict));
    }
    for (size_t i = 0; i < cell->objective_count; i++) {
        const struct dj_gate_objective *objective = &cell->objective[i];
        write_row_head(text, cell, choose_objective_mark(objective));
        dj_gate_objective_format(text, objective->objective, &objective->result);
        dj_text_add(text, " | ");
        dj_gate_objective_format_value(text, objective->objective,
                                       objective->result.value);
        dj_text_format(text, " | | %zu | %s%s |\n", objective->result.runs,
                       dj_gate_objective_state_name(objective->result.state),
                       objective->gates ? "" : ", not due yet");
    }
    if (cell->missing.length > 0 || cell->is_new) {
        write_row_head(text, cell, cell->is_new ? "🆕" : marks[DJ_GATE_NOT_MEASURED]);
        write_name(text, cell->is_new ? "nothing to hold it against"
                                      : dj_xtext(&cell->missing));
        dj_text_add(text, " | | | | not measured |\n");
    }
}

void dj_report_write_gate_markdown(struct dj_text *text,
                                   const struct dj_gate_report *report)
{
    const struct dj_gate *gate = report->gate;
    struct dj_text build = {0};
    dj_text_format(text, "### %s dejank gate ", marks[gate->answer]);
    dj_gate_format(text, gate);
    dj_gate_format_build(&build, gate->cells.candidate);
    dj_text_add(text, "\n\n");
    dj_markdown_escape_and_finish(text, &build);
    dj_text_add(text, " against ");
    dj_markdown_escape(text, gate->cells.words);
    dj_text_add(text, "\n\n");
    if (report->looks != NULL) {
        write_levels(text, report);
        dj_text_add(text, "\n\n");
    }
    dj_text_add(text, "| | flow | device | what | baseline → candidate | change | runs "
                      "| verdict |\n|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < gate->cell_count; i++) {
        write_rows(text, &gate->cell[i]);
    }
    dj_text_add(text, "\n");
    for (size_t i = 0; i < gate->flow_count; i++) {
        if (gate->flow[i].range.devices + gate->flow[i].range.missing > 1) {
            struct dj_text words = {0};
            dj_gate_range_format(&words, &gate->flow[i].range);
            dj_text_add(text, "* ");
            write_name(text, gate->flow[i].name);
            dj_text_add(text, ": ");
            dj_markdown_escape_and_finish(text, &words);
            dj_text_add(text, "\n");
        }
    }
}
