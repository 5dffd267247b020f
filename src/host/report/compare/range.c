#include "report/compare/range.h"

#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "memory/memory.h"
#include "report/compare.h"

enum dj_compare_verdict dj_report_get_range_verdict(const struct dj_gate *range)
{
    return range->flow[0].range.direction;
}

void dj_report_describe_range(struct dj_text *text, const struct dj_gate *range)
{
    dj_text_add(text, "B against A: ");
    dj_gate_range_format(text, &range->flow[0].range);
}

struct device_row {
    const struct dj_gate_cell *cell;
    size_t index;
};

static void write_device(struct dj_text *text, const struct dj_gate_cell *cell)
{
    dj_text_add(text, cell->batches->serial);
    dj_text_append_name(text, ", ", cell->facts.model, "");
}

static void write_result(struct dj_text *text, const struct dj_gate_cell *cell)
{
    if (cell->compared) {
        dj_compare_format_verdict(&cell->comparison, text);
    } else {
        dj_text_add(text, dj_xtext(&cell->missing));
    }
}

static void get_device(struct dj_cell *cell, const void *record)
{
    const struct device_row *row = record;
    write_device(&cell->text, row->cell);
    if (row->cell->compared) {
        dj_text_format(&cell->target, "device-%zu", row->index);
    }
}

static void get_verdict(struct dj_cell *cell, const void *record)
{
    const struct device_row *row = record;
    cell->tone = row->cell->compared ? dj_report_get_verdict_tone(row->cell->verdict)
                                     : DJ_TONE_MUTED;
    dj_cell_format(cell, "%s",
                   row->cell->compared ? dj_compare_verdict_name(row->cell->verdict)
                                       : "not measured");
}

static void get_result(struct dj_cell *cell, const void *record)
{
    write_result(&cell->text, ((const struct device_row *)record)->cell);
}

static const struct dj_table_column columns[] = {
    {"device", NULL, false, get_device},
    {"verdict", NULL, false, get_verdict},
    {"B against A", NULL, false, get_result},
};

static void add_devices(struct dj_document *document, const struct dj_gate *range)
{
    dj_document_begin_table(document, columns, COUNT_OF(columns));
    for (size_t i = 0; i < range->cell_count; i++) {
        dj_document_add_row(document, &(struct device_row){&range->cell[i], i});
    }
}

static void add_warnings(struct dj_document *document, const struct dj_gate_cell *cell)
{
    for (size_t i = 0; cell->compared && i < cell->comparison.warning_count; i++) {
        struct dj_text words = {0};
        dj_text_add(&words, "Warning: ");
        write_device(&words, cell);
        dj_text_format(&words, ": %s", cell->comparison.warnings[i].text);
        dj_document_add_note(document, DJ_TONE_WARNING, &words);
    }
}

static void add_device(struct dj_document *document, const struct dj_gate_cell *cell,
                       size_t index)
{
    struct dj_text words = {0};
    char id[32];
    if (cell->compared) {
        snprintf(id, sizeof(id), "device-%zu", index);
        write_device(&words, cell);
        dj_document_add_section(document, 2, id, &words);
        write_result(&words, cell);
        dj_document_add_verdict(document, dj_report_get_verdict_tone(cell->verdict),
                                &words);
        dj_report_add_comparison(document, &cell->comparison);
    }
}

void dj_report_build_range(struct dj_document *document, const struct dj_gate *range)
{
    struct dj_text words = {0};
    enum dj_compare_verdict verdict = dj_report_get_range_verdict(range);
    dj_document_set_title(document, "Comparison on several devices — dejank");
    dj_text_format(&words, "%s: ", dj_compare_verdict_name(verdict));
    dj_report_describe_range(&words, range);
    dj_document_add_verdict(document, dj_report_get_verdict_tone(verdict), &words);
    add_devices(document, range);
    dj_text_format(&words,
                   "Each device is compared alone; %zu tests share a risk of %.3g" DJ_NBSP
                   "%% of a false alarm. Nothing is averaged over devices. "
                   "--device compares only one of them.",
                   range->tests, 100 * range->alpha);
    dj_document_add_paragraph(document, &words);
    for (size_t i = 0; i < range->cell_count; i++) {
        add_warnings(document, &range->cell[i]);
    }
    for (size_t i = 0; i < range->cell_count; i++) {
        add_device(document, &range->cell[i], i);
    }
}

void dj_report_write_range_members(struct dj_text *text,
                                   const struct dj_range_summary *range)
{
    struct dj_text words = {0};
    dj_gate_range_format(&words, range);
    dj_json_add_text(text, "words", &words);
    dj_json_add_string(text, "direction", dj_compare_verdict_name(range->direction));
    dj_json_add_int(text, "devices", (int64_t)range->devices);
    dj_json_add_int(text, "chosen", (int64_t)range->chosen);
    dj_json_add_int(text, "missing", (int64_t)range->missing);
    dj_json_add_string(text, "separates", dj_gate_range_fact_name(range->separates));
    if (range->separates != DJ_RANGE_NOTHING) {
        dj_json_add_string(text, "of",
                           isnan(range->bound) ? "text"
                           : range->at_most    ? "at-most"
                                               : "at-least");
    }
    dj_json_add_number(text, "bound", range->bound);
    dj_json_add_string(text, "text", range->text);
    dj_json_add_number(text, "chance", range->chance);
}

static void write_device_json(struct dj_text *text, const struct dj_gate_cell *cell)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "device", cell->batches->serial);
    dj_json_add_name(text, "model", cell->facts.model);
    dj_json_add_name(text, "missing", dj_xtext(&cell->missing));
    if (cell->compared) {
        dj_report_write_comparison_members(text, &cell->comparison);
    } else {
        dj_json_add_string(text, "verdict", NULL);
    }
    dj_json_close(text, "}");
}

void dj_report_write_range_json(struct dj_text *text, const struct dj_gate *range)
{
    struct dj_text words = {0};
    dj_report_describe_range(&words, range);
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "schema", "dejank.compare/1");
    dj_json_add_string(text, "verdict",
                       dj_compare_verdict_name(dj_report_get_range_verdict(range)));
    dj_json_add_text(text, "words", &words);
    dj_json_add_number(text, "alpha", range->alpha);
    dj_json_add_int(text, "tests", (int64_t)range->tests);
    dj_json_add_number(text, "runs_needed", range->runs_needed);
    dj_json_open_object(text, "range");
    dj_report_write_range_members(text, &range->flow[0].range);
    dj_json_close(text, "}");
    dj_json_open_array(text, "metrics");
    for (size_t i = 0; i < range->cell_count; i++) {
        const struct dj_gate_cell *cell = &range->cell[i];
        for (size_t k = 0; cell->compared && k < cell->comparison.metric_count; k++) {
            dj_report_write_compared_metric(text, &cell->comparison.metrics[k],
                                            cell->batches->serial);
        }
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "warnings");
    for (size_t i = 0; i < range->cell_count; i++) {
        if (range->cell[i].compared) {
            dj_report_write_comparison_warnings(text, &range->cell[i].comparison,
                                                range->cell[i].batches->serial);
        }
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "devices");
    for (size_t i = 0; i < range->cell_count; i++) {
        write_device_json(text, &range->cell[i]);
    }
    dj_json_close(text, "]}\n");
}
