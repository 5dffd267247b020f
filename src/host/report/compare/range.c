
#include <math.h>

#include "base/json.h"
#include "memory/memory.h"
#include "report/compare.h"
#include "report/escape/html.h"
#include "report/escape/markdown.h"

enum { DEVICE_WIDTH = 24, VERDICT_WIDTH = 20 };

enum dj_compare_verdict dj_report_get_range_verdict(const struct dj_gate *range)
{
    return range->flow[0].range.direction;
}

void dj_report_describe_range(struct dj_text *text, const struct dj_gate *range)
{
    dj_text_add(text, "B against A: ");
    dj_gate_range_format(text, &range->flow[0].range);
}

static const char *get_verdict(const struct dj_gate_cell *cell)
{
    return cell->compared ? dj_compare_verdict_name(cell->verdict) : "not measured";
}

static void write_cell_words(struct dj_text *text, const struct dj_gate_cell *cell)
{
    if (cell->compared) {
        dj_compare_format_verdict(&cell->comparison, text);
    } else {
        dj_text_add(text, dj_xtext(&cell->missing));
    }
}

static void write_device(struct dj_text *text, const struct dj_gate_cell *cell)
{
    dj_text_append_escaped_name(text, cell->batches->serial);
    dj_text_append_name(text, ", ", cell->facts.model, "");
}

void dj_report_write_range_text(struct dj_text *text, const struct dj_gate *range)
{
    struct dj_text words = {0};
    dj_report_describe_range(text, range);
    dj_text_add(text, "\n\n");
    for (size_t i = 0; i < range->cell_count; i++) {
        const struct dj_gate_cell *cell = &range->cell[i];
        write_device(&words, cell);
        dj_text_format(text, "%-*s  %-*s  ", DEVICE_WIDTH, dj_xtext(&words),
                       VERDICT_WIDTH, get_verdict(cell));
        dj_text_clear(&words);
        write_cell_words(text, cell);
        dj_text_add(text, "\n");
        for (size_t k = 0; cell->compared && k < cell->comparison.warning_count; k++) {
            dj_text_format(text, "  warning: %s\n", cell->comparison.warnings[k].text);
        }
    }
    dj_text_format(
        text,
        "\nEach device by itself, %zu tests as one family at a risk of %.3g %%; "
        "--device names one of them\nfor its figures in full.\n",
        range->tests, 100 * range->alpha);
    dj_text_finish(&words);
}

void dj_report_write_range_markdown(struct dj_text *text, const struct dj_gate *range)
{
    struct dj_text words = {0};
    dj_text_format(
        text, "**%s**: ", dj_compare_verdict_name(dj_report_get_range_verdict(range)));
    dj_report_describe_range(&words, range);
    dj_markdown_escape_and_finish(text, &words);
    dj_text_add(text, "\n\n| device | verdict | B against A |\n|---|---|---|\n");
    for (size_t i = 0; i < range->cell_count; i++) {
        const struct dj_gate_cell *cell = &range->cell[i];
        dj_text_add(text, "| ");
        write_device(&words, cell);
        dj_markdown_escape_and_finish(text, &words);
        dj_text_format(text, " | %s | ", get_verdict(cell));
        write_cell_words(&words, cell);
        dj_markdown_escape_and_finish(text, &words);
        dj_text_add(text, " |\n");
    }
}

static void write_html_row(struct dj_text *text, const struct dj_gate *range,
                           size_t index)
{
    const struct dj_gate_cell *cell = &range->cell[index];
    struct dj_text words = {0};
    dj_text_format(
        text, cell->compared ? "<tr><td><a href=\"#device-%zu\">" : "<tr><td><a>", index);
    write_device(&words, cell);
    dj_html_escape_and_finish(text, &words);
    dj_text_format(text, "</a></td><td class=\"%s\">%s</td><td>",
                   cell->compared ? dj_compare_verdict_name(cell->verdict) : "missing",
                   get_verdict(cell));
    write_cell_words(&words, cell);
    dj_html_escape_and_finish(text, &words);
    dj_text_add(text, "</td></tr>\n");
}

void dj_report_write_range_html(struct dj_text *text, const struct dj_gate *range)
{
    struct dj_text words = {0};
    dj_report_describe_range(&words, range);
    dj_report_open_comparison_page(text, dj_xtext(&words),
                                   dj_report_get_range_verdict(range));
    dj_text_clear(&words);
    dj_text_format(text,
                   "<p>Each device by itself, %zu tests as one family at a risk of %.3g "
                   "%%; nothing is averaged over devices.</p>\n"
                   "<table class=\"devices\">\n<tr><th>device</th><th>verdict</th><th>B "
                   "against A</th></tr>\n",
                   range->tests, 100 * range->alpha);
    for (size_t i = 0; i < range->cell_count; i++) {
        write_html_row(text, range, i);
    }
    dj_text_add(text, "</table>\n");
    for (size_t i = 0; i < range->cell_count; i++) {
        if (range->cell[i].compared) {
            dj_text_format(text, "<h2 id=\"device-%zu\">", i);
            write_device(&words, &range->cell[i]);
            dj_html_escape_and_finish(text, &words);
            dj_text_add(text, "</h2>\n<p>");
            write_cell_words(&words, &range->cell[i]);
            dj_html_escape_and_finish(text, &words);
            dj_text_add(text, "</p>\n");
            dj_report_write_comparison_figures(text, &range->cell[i].comparison, "h3");
        }
    }
    dj_text_add(text, "</body>\n</html>\n");
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
