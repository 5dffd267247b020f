/* Builds the document of a gate: the answer with its reason, what was judged, what needs
 * attention, and as details all figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/quote.h"
#include "memory/memory.h"
#include "report/compare.h"
#include "report/escape/name.h"
#include "report/gate.h"

enum {
    LINE_COLUMNS = 78, /* A terminal of 80 columns does not wrap it. */
    ROWS_MAX = 12, /* More rows than that are details, except those that do not pass. */
    FEW_DIGITS_FROM = 1000,
    MEDIUM_DIGITS_FROM = 100
};

/* What a gate says about a figure, most important first. */
enum state { FAILED, NOT_MEASURED, UNDECIDED, NOT_DUE, PASSED, STATES };

static const enum dj_tone tones[STATES] = {[FAILED] = DJ_TONE_BAD,
                                           [NOT_MEASURED] = DJ_TONE_BAD,
                                           [UNDECIDED] = DJ_TONE_WARNING,
                                           [NOT_DUE] = DJ_TONE_MUTED,
                                           [PASSED] = DJ_TONE_GOOD};

/* A row of a table: a metric, an objective, or what was not measured. */
struct row {
    enum state state;
    const struct dj_gate_cell *cell;
    const struct dj_comparison_metric *metric; /* NULL: an objective or nothing. */
    const struct dj_gate_objective *objective;
};

struct rows {
    struct row *row;
    size_t count;
    size_t states[STATES];
};

static enum state find_metric_state(const struct dj_comparison_metric *metric)
{
    switch (metric->member.effect.verdict) {
    case DJ_VERDICT_REGRESSION:
        return FAILED;
    case DJ_VERDICT_LIKELY_REGRESSION:
    case DJ_VERDICT_INCONCLUSIVE:
        return UNDECIDED;
    default:
        return PASSED;
    }
}

static enum state find_objective_state(const struct dj_gate_objective *objective)
{
    static const enum state states[DJ_OBJECTIVE_STATES] = {
        [DJ_OBJECTIVE_MET] = PASSED,
        [DJ_OBJECTIVE_MISSED] = FAILED,
        [DJ_OBJECTIVE_UNDECIDED] = UNDECIDED,
        [DJ_OBJECTIVE_NOT_MEASURED] = NOT_MEASURED,
    };
    return objective->gates || objective->result.state == DJ_OBJECTIVE_MET
               ? states[objective->result.state]
               : NOT_DUE;
}

static void add_row(struct rows *rows, struct row row)
{
    rows->states[row.state]++;
    DJ_XPUSH(rows->row, rows->count, row);
}

static void add_cell(struct rows *rows, const struct dj_gate_cell *cell)
{
    const struct dj_comparison_metric *metric;
    for (size_t i = 0; (metric = dj_gate_metric_at(cell, i)) != NULL; i++) {
        add_row(rows, (struct row){find_metric_state(metric), cell, metric, NULL});
    }
    for (size_t i = 0; i < cell->objective_count; i++) {
        const struct dj_gate_objective *objective = &cell->objective[i];
        add_row(rows,
                (struct row){find_objective_state(objective), cell, NULL, objective});
    }
    if (cell->missing.length > 0 || cell->is_new) {
        add_row(rows,
                (struct row){cell->is_new ? PASSED : NOT_MEASURED, cell, NULL, NULL});
    }
}

/* ---- words of a row ---- */

static void write_place(struct dj_text *text, const struct dj_gate_cell *cell)
{
    dj_text_append_escaped_name(text, cell->batches->flow);
    dj_text_append_any_name(text, " on ", cell->batches->serial, "");
}

/* "+14.1 % (+9.6 … +19.0 %)". Without bounds, only the change. */
static void write_change(struct dj_text *text, const struct dj_effect *effect)
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

static void write_what(struct dj_text *text, const struct row *row)
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

static void write_state(struct dj_text *text, const struct row *row)
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

/* ---- the verdict ---- */

/* The most important reason of the answer. */
static const struct row *find_reason(const struct rows *rows)
{
    const struct row *found = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        found =
            found == NULL || rows->row[i].state < found->state ? &rows->row[i] : found;
    }
    return found;
}

/* A short reason lacks the interval of a metric, or the flow and device of an objective.
 */
static void write_reason(struct dj_text *text, const struct row *row, bool is_short)
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
        write_change(text, effect);
    } else {
        write_what(text, row);
    }
    if (row->objective != NULL) {
        dj_text_add(text, " ");
        write_state(text, row);
    }
    if (row->objective == NULL || !is_short) {
        dj_text_add(text, ", ");
        write_place(text, row->cell);
    }
}

static void write_pass(struct dj_text *text, const struct dj_gate *gate,
                       const struct rows *rows)
{
    bool has_objectives = false;
    for (size_t i = 0; i < rows->count; i++) {
        has_objectives = has_objectives || rows->row[i].objective != NULL;
    }
    dj_text_format(text, "gate passes: no regression%s in %zu test%s (",
                   has_objectives ? ", no missed objective" : "", gate->tests,
                   gate->tests == 1 ? "" : "s");
    if (gate->cell_count == 1) {
        write_place(text, gate->cell);
    } else {
        dj_text_format(text, "%zu pairs of flow and device", gate->cell_count);
    }
    dj_text_add(text, ")");
}

static void write_line(struct dj_text *text, const struct dj_gate *gate,
                       const struct rows *rows, bool is_short)
{
    static const char *const heads[DJ_GATE_ANSWERS] = {
        [DJ_GATE_FAIL] = "gate fails: ",
        [DJ_GATE_NOT_MEASURED] = "gate incomplete: ",
        [DJ_GATE_UNDECIDED] = "gate undecided: ",
    };
    const struct row *reason = find_reason(rows);
    dj_text_clear(text);
    if (gate->answer == DJ_GATE_PASS) {
        write_pass(text, gate, rows);
        return;
    }
    dj_text_add(text, heads[gate->answer]);
    if (reason == NULL || reason->state >= NOT_DUE ||
        (gate->stale && reason->state > FAILED)) {
        dj_text_format(text, "no new data for %.1f days", (double)gate->age_ms / 864e5);
        return;
    }
    write_reason(text, reason, is_short);
    if (rows->states[reason->state] > 1) {
        dj_text_format(text, "; %zu more", rows->states[reason->state] - 1);
    }
}

static void write_verdict(struct dj_text *text, const struct dj_gate *gate,
                          const struct rows *rows)
{
    write_line(text, gate, rows, false);
    if (dj_name_count_columns(dj_xtext(text)) > LINE_COLUMNS) {
        write_line(text, gate, rows, true);
    }
    dj_name_shorten(text, LINE_COLUMNS);
}

/* ---- tables ---- */

static void set_value(struct dj_cell *cell, const struct row *row, double value)
{
    if (row->metric != NULL) {
        double shown = value / row->metric->metric->factor;
        double size = fabs(shown);
        dj_cell_set_number(cell, shown,
                           size >= FEW_DIGITS_FROM      ? 0
                           : size >= MEDIUM_DIGITS_FROM ? 1
                                                        : 2);
    }
}

static void get_place(struct dj_cell *cell, const void *record)
{
    write_place(&cell->text, ((const struct row *)record)->cell);
}

static void get_what(struct dj_cell *cell, const void *record)
{
    write_what(&cell->text, record);
}

static void get_baseline(struct dj_cell *cell, const void *record)
{
    const struct row *row = record;
    set_value(cell, row, row->metric != NULL ? row->metric->member.effect.a : NAN);
}

static void get_candidate(struct dj_cell *cell, const void *record)
{
    const struct row *row = record;
    if (row->objective != NULL) {
        dj_gate_objective_format_value(&cell->text, row->objective->objective,
                                       row->objective->result.value);
    } else {
        set_value(cell, row, row->metric != NULL ? row->metric->member.effect.b : NAN);
    }
}

static void get_change(struct dj_cell *cell, const void *record)
{
    const struct row *row = record;
    if (row->metric != NULL) {
        write_change(&cell->text, &row->metric->member.effect);
    }
}

static void get_verdict(struct dj_cell *cell, const void *record)
{
    const struct row *row = record;
    cell->tone = tones[row->state];
    write_state(&cell->text, row);
}

static void get_runs(struct dj_cell *cell, const void *record)
{
    const struct row *row = record;
    if (row->metric != NULL) {
        dj_cell_format(cell, "%zu vs %zu", row->metric->member.effect.n_a,
                       row->metric->member.effect.n_b);
    } else if (row->objective != NULL) {
        dj_cell_format(cell, "%zu", row->objective->result.runs);
    }
}

static void get_margin(struct dj_cell *cell, const void *record)
{
    const struct row *row = record;
    if (row->metric != NULL) {
        dj_cell_format(cell, "%g %%", 100 * row->metric->member.effect.margin);
    }
}

static void get_level(struct dj_cell *cell, const void *record)
{
    const struct row *row = record;
    if (row->metric != NULL && row->metric->member.effect.level > 0) {
        dj_cell_format(cell, "%.4g %%", 100 * row->metric->member.effect.level);
    }
}

static void get_p(struct dj_cell *cell, const void *record)
{
    const struct row *row = record;
    if (row->metric != NULL && !isnan(row->metric->member.adjusted_p)) {
        dj_cell_format(cell, "%.2g", row->metric->member.adjusted_p);
    }
}

static const struct dj_table_column one_cell[] = {
    {"metric", NULL, false, get_what},
    {"baseline", NULL, true, get_baseline},
    {"candidate", NULL, true, get_candidate},
    {"change (interval)", NULL, false, get_change},
    {"verdict", NULL, false, get_verdict},
};

/* A line of 80 columns has no space for the figures of both builds. */
static const struct dj_table_column several_cells[] = {
    {"verdict", NULL, false, get_verdict},
    {"flow", NULL, false, get_place},
    {"metric", NULL, false, get_what},
    {"change (interval)", NULL, false, get_change},
};

static const struct dj_table_column objective_columns[] = {
    {"verdict", NULL, false, get_verdict},
    {"flow", NULL, false, get_place},
    {"value", NULL, true, get_candidate},
    {"objective", NULL, false, get_what},
};

static const struct dj_table_column figure_columns[] = {
    {"flow", NULL, false, get_place},       {"metric", NULL, false, get_what},
    {"baseline", NULL, true, get_baseline}, {"candidate", NULL, true, get_candidate},
    {"verdict", NULL, false, get_verdict},
};

static const struct dj_table_column certainty_columns[] = {
    {"flow", NULL, false, get_place}, {"metric", NULL, false, get_what},
    {"runs", NULL, true, get_runs},   {"margin", NULL, true, get_margin},
    {"level", NULL, true, get_level}, {"adjusted p", NULL, true, get_p},
};

/* Adds the rows of metrics or those of objectives. With `only_open`, rows that pass are
 * left out. */
static void add_rows(struct dj_document *document, const struct rows *rows,
                     bool objectives, bool only_open)
{
    for (int state = 0; state < STATES; state++) {
        for (size_t i = 0; i < rows->count && !(only_open && state >= NOT_DUE); i++) {
            const struct row *row = &rows->row[i];
            bool belongs = objectives ? row->objective != NULL : row->metric != NULL;
            if ((int)row->state == state && belongs) {
                dj_document_add_row(document, row);
            }
        }
    }
}

static void add_tables(struct dj_document *document, const struct dj_gate *gate,
                       const struct rows *rows)
{
    bool only_open = rows->count > ROWS_MAX;
    bool one = gate->cell_count == 1;
    dj_document_begin_table(document, one ? one_cell : several_cells,
                            one ? COUNT_OF(one_cell) : COUNT_OF(several_cells));
    add_rows(document, rows, false, only_open);
    dj_document_begin_table(document, objective_columns, COUNT_OF(objective_columns));
    add_rows(document, rows, true, only_open);
}

/* ---- fields and notes ---- */

/* "5 pairs of flow and device: 2 failed, 1 not measured, 2 passed". */
static void write_counts(struct dj_text *text, const struct dj_gate *gate)
{
    static const struct {
        enum dj_gate_answer answer;
        const char *words;
    } counts[] = {{DJ_GATE_FAIL, "failed"},
                  {DJ_GATE_NOT_MEASURED, "not measured"},
                  {DJ_GATE_UNDECIDED, "undecided"},
                  {DJ_GATE_PASS, "passed"}};
    const char *before = ": ";
    dj_text_format(text, "%zu pairs of flow and device", gate->cell_count);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        if (gate->count[counts[i].answer] > 0) {
            dj_text_format(text, "%s%zu %s", before, gate->count[counts[i].answer],
                           counts[i].words);
            before = ", ";
        }
    }
}

static void add_fields(struct dj_document *document, const struct dj_gate_report *report)
{
    const struct dj_gate *gate = report->gate;
    struct dj_text words = {0};
    dj_gate_format_build(&words, gate->cells.candidate);
    dj_document_add_field(document, "candidate", &words);
    dj_text_append_escaped_name(&words, gate->cells.words);
    dj_document_add_field(document, "baseline", &words);
    if (gate->cell_count == 1) {
        write_place(&words, gate->cell);
        if (strcmp(gate->cell->facts.model, gate->cell->batches->serial) != 0) {
            dj_text_append_name(&words, " (", gate->cell->facts.model, ")");
        }
        dj_document_add_field(document, "flow", &words);
    }
    if (gate->cell_count > 1) {
        write_counts(&words, gate);
        dj_document_add_field(document, "flows", &words);
    }
    dj_text_format(&words,
                   "%zu; the risk of a false alarm in all of them together is "
                   "%.3g" DJ_NBSP "%%",
                   gate->tests, 100 * gate->alpha);
    dj_document_add_field(document, "tests", &words);
    if (report->looks != NULL) {
        dj_text_format(&words, "%zu of %zu: after", report->look + 1,
                       report->looks->count);
        for (size_t i = 0; i < report->looks->count; i++) {
            dj_text_format(&words, "%s %.0f", i > 0 ? "," : "", report->looks->runs[i]);
        }
        dj_text_format(&words, " runs; the risk of this look is %.3g" DJ_NBSP "%%",
                       100 * report->looks->level[report->look]);
        dj_document_add_field(document, "look", &words);
    }
}

static void explain_answer(struct dj_document *document,
                           const struct dj_gate_report *report)
{
    static const char *const meanings[DJ_GATE_ANSWERS] = {
        [DJ_GATE_PASS] = "passes: no gated metric is a regression, and every objective "
                         "that is due is met.",
        [DJ_GATE_FAIL] = "fails: a gated metric is worse by more than its margin, or an "
                         "objective that is due is missed.",
        [DJ_GATE_NOT_MEASURED] = "incomplete: nothing failed, but something that must be "
                                 "measured was not, or there is no new data.",
        [DJ_GATE_UNDECIDED] = "undecided: these runs do not show whether a gated metric "
                              "is worse than its margin, or an objective is met.",
    };
    const struct dj_gate *gate = report->gate;
    struct dj_text words = {0};
    dj_text_add(&words, meanings[gate->answer]);
    if (gate->answer == DJ_GATE_UNDECIDED && report->undecided_passes) {
        dj_text_add(&words, " With --undecided pass, the exit code is 0.");
    }
    if (!isnan(gate->runs_needed)) {
        dj_text_format(&words,
                       " About %.0f runs of each build would settle the comparison.",
                       gate->runs_needed);
    }
    dj_document_add_paragraph(document, &words);
}

static void add_ranges(struct dj_document *document, const struct dj_gate *gate)
{
    for (size_t i = 0; i < gate->flow_count; i++) {
        const struct dj_range_summary *range = &gate->flow[i].range;
        if (range->devices + range->missing > 1) {
            struct dj_text words = {0};
            dj_name_format(&words, "%s: ", gate->flow[i].name);
            dj_gate_range_format(&words, range);
            dj_document_add_note(document, DJ_TONE_PLAIN, &words);
        }
    }
}

/* Names what was not measured, and what is new. */
static void add_gaps(struct dj_document *document, const struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        if (row->metric == NULL && row->objective == NULL) {
            struct dj_text words = {0};
            write_place(&words, row->cell);
            dj_text_add(&words, row->cell->is_new ? ": " : ", not measured: ");
            write_what(&words, row);
            dj_document_add_note(document, tones[row->state], &words);
        }
    }
}

static void add_objective(struct dj_document *document, const struct row *row)
{
    struct dj_text words = {0};
    dj_text_add(&words, "objective ");
    write_what(&words, row);
    dj_text_add(&words, ", ");
    write_place(&words, row->cell);
    dj_text_add(&words, ": ");
    dj_gate_objective_format_reason(&words, row->objective->objective,
                                    &row->objective->result);
    dj_document_add_note(document, tones[row->state], &words);
}

/* `passed`: the objectives that are met, else all others. */
static void add_objectives(struct dj_document *document, const struct rows *rows,
                           bool passed)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->row[i].objective != NULL && (rows->row[i].state == PASSED) == passed) {
            add_objective(document, &rows->row[i]);
        }
    }
}

static void add_warnings(struct dj_document *document, const struct dj_gate *gate)
{
    for (size_t i = 0; i < gate->cell_count; i++) {
        const struct dj_gate_cell *cell = &gate->cell[i];
        for (size_t k = 0; cell->compared && k < cell->comparison.warning_count; k++) {
            struct dj_text words = {0};
            dj_text_add(&words, "Warning: ");
            if (gate->cell_count > 1) {
                write_place(&words, cell);
                dj_text_add(&words, ": ");
            }
            dj_text_add(&words, cell->comparison.warnings[k].text);
            dj_document_add_note(document, DJ_TONE_WARNING, &words);
        }
    }
}

/* ---- details ---- */

/* The change of each metric, to see at once which ones leave their margin. */
static void add_chart(struct dj_document *document, const struct rows *rows)
{
    struct dj_chart *chart = dj_chart_create("Change against the baseline");
    size_t x = 0;
    dj_chart_set_x(chart, "metric", "");
    dj_chart_set_y(chart, "change", "%", true);
    dj_chart_add_series(chart, "change", DJ_MARK_INTERVAL, DJ_ROLE_FIRST);
    dj_chart_add_threshold(chart, false, 0, DJ_ROLE_MUTED, "no change");
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        const struct dj_effect *effect =
            row->metric != NULL ? &row->metric->member.effect : NULL;
        struct dj_text label = {0};
        if (effect == NULL || !isfinite(effect->ratio)) {
            continue;
        }
        dj_text_format(&label, "%s, ", row->metric->metric->words);
        write_place(&label, row->cell);
        dj_chart_add_tick(chart, (double)x, dj_xtext(&label));
        dj_text_add(&label, ": ");
        write_change(&label, effect);
        dj_chart_add_interval(chart, (double)x++, 100 * (effect->ratio - 1),
                              100 * (effect->ci.low - 1), 100 * (effect->ci.high - 1),
                              dj_xtext(&label));
        dj_text_finish(&label);
    }
    dj_document_add_chart(document, chart);
}

static void add_details(struct dj_document *document, const struct rows *rows)
{
    struct dj_text words = {0};
    dj_document_begin_details(document, "chart of the changes", false);
    add_chart(document, rows);
    dj_document_end_details(document);
    dj_document_begin_details(document, "all figures", false);
    dj_document_begin_table(document, figure_columns, COUNT_OF(figure_columns));
    add_rows(document, rows, false, false);
    dj_document_end_details(document);
    dj_document_begin_details(document, "certainty", true);
    dj_document_begin_table(document, certainty_columns, COUNT_OF(certainty_columns));
    add_rows(document, rows, false, false);
    dj_text_add(&words, "The runs are those of the baseline and of the candidate. All "
                        "tests are one family (Holm), which sets the level of each "
                        "interval.");
    dj_document_add_paragraph(document, &words);
    add_objectives(document, rows, true);
    dj_document_end_details(document);
}

/* ---- commands ---- */

static void add_command(struct dj_document *document, struct dj_text *command,
                        const struct dj_gate_report *report, const char *purpose)
{
    if (report->store != NULL) {
        dj_text_add(command, " --store ");
        dj_device_quote_word(command, report->store);
    }
    dj_document_add_command(document, dj_xtext(command), purpose);
    dj_text_finish(command);
}

static void write_purpose(struct dj_text *text, const struct row *row)
{
    dj_text_add(text, "all metrics, ");
    write_place(text, row->cell);
}

static void add_commands(struct dj_document *document,
                         const struct dj_gate_report *report, const struct rows *rows)
{
    const struct row *reason = find_reason(rows);
    const struct dj_cell_batches *batches =
        reason != NULL && reason->state < NOT_DUE && reason->metric != NULL
            ? reason->cell->batches
            : NULL;
    struct dj_text command = {0};
    struct dj_text purpose = {0};
    if (batches != NULL && batches->baseline_count == 1) {
        dj_text_format(&command, "dejank compare %s %s", batches->baseline[0]->id,
                       batches->candidate->id);
        write_purpose(&purpose, reason);
        add_command(document, &command, report, dj_xtext(&purpose));
        dj_text_finish(&purpose);
    }
    if (report->gate->answer == DJ_GATE_UNDECIDED && report->place != NULL) {
        dj_text_add(&command, "dejank gate ");
        dj_device_quote_word(&command, report->place);
        dj_text_add(&command, " --rerun");
        add_command(document, &command, report, "add runs until it is decided");
    }
    if (report->gate->answer == DJ_GATE_NOT_MEASURED && report->place != NULL) {
        dj_text_add(&command, "dejank run ");
        dj_device_quote_word(&command, report->place);
        add_command(document, &command, report, "measure the plan");
    }
}

void dj_report_build_gate(struct dj_document *document,
                          const struct dj_gate_report *report)
{
    static const enum dj_tone answers[DJ_GATE_ANSWERS] = {
        [DJ_GATE_PASS] = DJ_TONE_GOOD,
        [DJ_GATE_FAIL] = DJ_TONE_BAD,
        [DJ_GATE_NOT_MEASURED] = DJ_TONE_BAD,
        [DJ_GATE_UNDECIDED] = DJ_TONE_WARNING};
    const struct dj_gate *gate = report->gate;
    struct rows rows = {0};
    struct dj_text words = {0};
    for (size_t i = 0; i < gate->cell_count; i++) {
        add_cell(&rows, &gate->cell[i]);
    }
    dj_document_set_title(document, "Gate — dejank");
    write_verdict(&words, gate, &rows);
    dj_document_add_verdict(document, answers[gate->answer], &words);
    add_fields(document, report);
    add_tables(document, gate, &rows);
    explain_answer(document, report);
    add_gaps(document, &rows);
    add_ranges(document, gate);
    add_objectives(document, &rows, false);
    add_warnings(document, gate);
    add_details(document, &rows);
    add_commands(document, report, &rows);
    free(rows.row);
}
