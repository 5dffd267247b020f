/* Builds the document of a gate: the answer with its reason, what was judged, what needs
 * attention, and as details all figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/quote.h"
#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/gate/rows.h"

/* Writes "5 pairs of flow and device: 2 failed, 1 not measured, 2 passed". */
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
        dj_report_write_gate_place(&words, gate->cell);
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
        dj_text_format(&words, " runs; risk of a false alarm: %.3g" DJ_NBSP "%%",
                       100 * report->looks->level[report->look]);
        dj_document_add_field(document, "look", &words);
    }
}

static void explain_answer(struct dj_document *document,
                           const struct dj_gate_report *report)
{
    static const char *const meanings[DJ_GATE_ANSWERS] = {
        [DJ_GATE_PASS] = "The gate passes: no checked metric is a regression, and all "
                         "objectives are met that are due.",
        [DJ_GATE_FAIL] = "The gate fails: a checked metric is worse by more than its "
                         "margin, or an objective is missed that is due.",
        [DJ_GATE_NOT_MEASURED] =
            "The gate is incomplete: nothing failed, but something "
            "that must be measured was not, or there is no new data.",
        [DJ_GATE_UNDECIDED] = "The gate is undecided: these runs do not show whether a "
                              "checked metric is worse than its margin, or whether an "
                              "objective is met.",
    };
    const struct dj_gate *gate = report->gate;
    struct dj_text words = {0};
    dj_text_add(&words, meanings[gate->answer]);
    if (gate->answer == DJ_GATE_UNDECIDED && report->undecided_passes) {
        dj_text_add(&words, " With --undecided pass, the exit code is 0.");
    }
    if (!isnan(gate->runs_needed)) {
        dj_text_format(&words, " A verdict needs about %.0f runs of each build.",
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

/* Adds which pairs of flow and device were not measured, and which are new. */
static void add_gaps(struct dj_document *document, const struct dj_gate_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct dj_gate_row *row = &rows->row[i];
        if (row->metric == NULL && row->objective == NULL) {
            struct dj_text words = {0};
            dj_report_write_gate_place(&words, row->cell);
            dj_text_add(&words, row->cell->is_new ? ": " : ", not measured: ");
            dj_report_write_gate_row_name(&words, row);
            dj_document_add_note(document, dj_report_get_gate_row_tone(row), &words);
        }
    }
}

static void add_objective(struct dj_document *document, const struct dj_gate_row *row)
{
    struct dj_text words = {0};
    dj_text_add(&words, "objective ");
    dj_report_write_gate_row_name(&words, row);
    dj_text_add(&words, ", ");
    dj_report_write_gate_place(&words, row->cell);
    dj_text_add(&words, ": ");
    dj_gate_objective_format_reason(&words, row->objective->objective,
                                    &row->objective->result);
    dj_document_add_note(document, dj_report_get_gate_row_tone(row), &words);
}

/* Adds the objectives that are met if `passed` is true, or all others. */
static void add_objectives(struct dj_document *document, const struct dj_gate_rows *rows,
                           bool passed)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->row[i].objective != NULL &&
            (rows->row[i].state == DJ_GATE_ROW_PASSED) == passed) {
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
                dj_report_write_gate_place(&words, cell);
                dj_text_add(&words, ": ");
            }
            dj_text_add(&words, cell->comparison.warnings[k].text);
            dj_document_add_note(document, DJ_TONE_WARNING, &words);
        }
    }
}

static void add_details(struct dj_document *document, const struct dj_gate *gate,
                        const struct dj_gate_rows *rows)
{
    struct dj_text words = {0};
    dj_document_begin_details(document, "chart of the changes", false);
    dj_report_add_gate_chart(document, gate, rows);
    dj_document_end_details(document);
    dj_document_begin_details(document, "all figures", false);
    dj_report_add_gate_figures(document, rows);
    dj_document_end_details(document);
    dj_document_begin_details(document, "certainty", true);
    dj_report_add_gate_certainty(document, rows);
    dj_text_add(&words, "The column 'runs' has the runs of the baseline and of the "
                        "candidate. Each interval has the confidence level that Holm's "
                        "correction for all tests requires.");
    dj_document_add_paragraph(document, &words);
    add_objectives(document, rows, true);
    dj_document_end_details(document);
}

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

static void write_purpose(struct dj_text *text, const struct dj_gate_row *row)
{
    dj_text_add(text, "all metrics, ");
    dj_report_write_gate_place(text, row->cell);
}

static void add_commands(struct dj_document *document,
                         const struct dj_gate_report *report,
                         const struct dj_gate_rows *rows)
{
    const struct dj_gate_row *reason = dj_report_find_gate_reason(rows);
    const struct dj_cell_batches *batches =
        reason != NULL && reason->state < DJ_GATE_ROW_NOT_DUE && reason->metric != NULL
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
        add_command(document, &command, report,
                    "measure more runs until the gate decides");
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
    struct dj_gate_rows rows = {0};
    struct dj_text words = {0};
    dj_report_collect_gate_rows(&rows, gate);
    dj_document_set_title(document, "Gate — dejank");
    dj_report_describe_gate(&words, gate, &rows);
    dj_document_add_verdict(document, answers[gate->answer], &words);
    add_fields(document, report);
    dj_report_add_gate_tables(document, gate, &rows);
    explain_answer(document, report);
    add_gaps(document, &rows);
    add_ranges(document, gate);
    add_objectives(document, &rows, false);
    add_warnings(document, gate);
    add_details(document, gate, &rows);
    add_commands(document, report, &rows);
    free(rows.row);
}
