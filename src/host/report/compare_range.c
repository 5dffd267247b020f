
#include <math.h>

#include "base/json.h"
#include "memory/memory.h"
#include "report/compare.h"
#include "report/escape/html.h"
#include "report/escape/markdown.h"

enum { DEVICE_WIDTH = 24, VERDICT_WIDTH = 20 };

enum dj_judgement dj_compare_range_verdict(const struct dj_gate *range)
{
    return range->flow[0].range.direction;
}

void dj_compare_range_words(struct dj_text *text, const struct dj_gate *range)
{
    dj_text_string(text, "B against A: ");
    dj_range_words(text, &range->flow[0].range);
}

static const char *verdict_of(const struct dj_gate_cell *cell)
{
    return cell->compared ? dj_verdict_name(cell->verdict) : "not measured";
}

static void put_cell_words(struct dj_text *text, const struct dj_gate_cell *cell)
{
    if (cell->compared) {
        dj_comparison_words(&cell->comparison, text);
    } else {
        dj_text_string(text, dj_xtext(&cell->missing));
    }
}

static void put_device(struct dj_text *text, const struct dj_gate_cell *cell)
{
    dj_text_escaped_name(text, cell->batches->serial);
    dj_text_put_name(text, ", ", cell->facts.model, "");
}

void dj_compare_range_terminal(struct dj_text *text, const struct dj_gate *range)
{
    struct dj_text words = {0};
    dj_compare_range_words(text, range);
    dj_text_string(text, "\n\n");
    for (size_t i = 0; i < range->cell_count; i++) {
        const struct dj_gate_cell *cell = &range->cell[i];
        put_device(&words, cell);
        dj_text_format(text, "%-*s  %-*s  ", DEVICE_WIDTH, dj_xtext(&words),
                       VERDICT_WIDTH, verdict_of(cell));
        dj_text_clear(&words);
        put_cell_words(text, cell);
        dj_text_string(text, "\n");
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

void dj_compare_range_markdown(struct dj_text *text, const struct dj_gate *range)
{
    struct dj_text words = {0};
    dj_text_format(text, "**%s**: ", dj_verdict_name(dj_compare_range_verdict(range)));
    dj_compare_range_words(&words, range);
    dj_markdown_put(text, &words);
    dj_text_string(text, "\n\n| device | verdict | B against A |\n|---|---|---|\n");
    for (size_t i = 0; i < range->cell_count; i++) {
        const struct dj_gate_cell *cell = &range->cell[i];
        dj_text_string(text, "| ");
        put_device(&words, cell);
        dj_markdown_put(text, &words);
        dj_text_format(text, " | %s | ", verdict_of(cell));
        put_cell_words(&words, cell);
        dj_markdown_put(text, &words);
        dj_text_string(text, " |\n");
    }
}

static void put_html_row(struct dj_text *text, const struct dj_gate *range, size_t index)
{
    const struct dj_gate_cell *cell = &range->cell[index];
    struct dj_text words = {0};
    dj_text_format(
        text, cell->compared ? "<tr><td><a href=\"#device-%zu\">" : "<tr><td><a>", index);
    put_device(&words, cell);
    dj_html_put(text, &words);
    dj_text_format(text, "</a></td><td class=\"%s\">%s</td><td>",
                   cell->compared ? dj_verdict_name(cell->verdict) : "missing",
                   verdict_of(cell));
    put_cell_words(&words, cell);
    dj_html_put(text, &words);
    dj_text_string(text, "</td></tr>\n");
}

void dj_compare_range_html(struct dj_text *text, const struct dj_gate *range)
{
    struct dj_text words = {0};
    dj_compare_range_words(&words, range);
    dj_compare_html_open(text, dj_xtext(&words), dj_compare_range_verdict(range));
    dj_text_clear(&words);
    dj_text_format(text,
                   "<p>Each device by itself, %zu tests as one family at a risk of %.3g "
                   "%%; nothing is averaged over devices.</p>\n"
                   "<table class=\"devices\">\n<tr><th>device</th><th>verdict</th><th>B "
                   "against A</th></tr>\n",
                   range->tests, 100 * range->alpha);
    for (size_t i = 0; i < range->cell_count; i++) {
        put_html_row(text, range, i);
    }
    dj_text_string(text, "</table>\n");
    for (size_t i = 0; i < range->cell_count; i++) {
        if (range->cell[i].compared) {
            dj_text_format(text, "<h2 id=\"device-%zu\">", i);
            put_device(&words, &range->cell[i]);
            dj_html_put(text, &words);
            dj_text_string(text, "</h2>\n<p>");
            put_cell_words(&words, &range->cell[i]);
            dj_html_put(text, &words);
            dj_text_string(text, "</p>\n");
            dj_compare_html_figures(text, &range->cell[i].comparison, "h3");
        }
    }
    dj_text_string(text, "</body>\n</html>\n");
}

void dj_range_json_members(struct dj_text *text, const struct dj_range_summary *range)
{
    struct dj_text words = {0};
    dj_range_words(&words, range);
    dj_json_put_text(text, "words", &words);
    dj_json_put_string(text, "direction", dj_verdict_name(range->direction));
    dj_json_put_int(text, "devices", (int64_t)range->devices);
    dj_json_put_int(text, "chosen", (int64_t)range->chosen);
    dj_json_put_int(text, "missing", (int64_t)range->missing);
    dj_json_put_string(text, "separates", dj_range_fact_name(range->separates));
    if (range->separates != DJ_RANGE_NOTHING) {
        dj_json_put_string(text, "of",
                           isnan(range->bound) ? "text"
                           : range->at_most    ? "at-most"
                                               : "at-least");
    }
    dj_json_put_number(text, "bound", range->bound);
    dj_json_put_string(text, "text", range->text);
    dj_json_put_number(text, "chance", range->chance);
}

static void put_device_json(struct dj_text *text, const struct dj_gate_cell *cell)
{
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "device", cell->batches->serial);
    dj_json_put_name(text, "model", cell->facts.model);
    dj_json_put_name(text, "missing", dj_xtext(&cell->missing));
    if (cell->compared) {
        dj_compare_json_members(text, &cell->comparison);
    } else {
        dj_json_put_string(text, "verdict", NULL);
    }
    dj_json_close(text, "}");
}

void dj_compare_range_json(struct dj_text *text, const struct dj_gate *range)
{
    struct dj_text words = {0};
    dj_compare_range_words(&words, range);
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "schema", "dejank.compare/1");
    dj_json_put_string(text, "verdict", dj_verdict_name(dj_compare_range_verdict(range)));
    dj_json_put_text(text, "words", &words);
    dj_json_put_number(text, "alpha", range->alpha);
    dj_json_put_int(text, "tests", (int64_t)range->tests);
    dj_json_put_number(text, "runs_needed", range->runs_needed);
    dj_json_open_object(text, "range");
    dj_range_json_members(text, &range->flow[0].range);
    dj_json_close(text, "}");
    dj_json_open_array(text, "metrics");
    for (size_t i = 0; i < range->cell_count; i++) {
        const struct dj_gate_cell *cell = &range->cell[i];
        for (size_t k = 0; cell->compared && k < cell->comparison.metric_count; k++) {
            dj_compare_json_metric(text, &cell->comparison.metrics[k],
                                   cell->batches->serial);
        }
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "warnings");
    for (size_t i = 0; i < range->cell_count; i++) {
        if (range->cell[i].compared) {
            dj_compare_json_warnings(text, &range->cell[i].comparison,
                                     range->cell[i].batches->serial);
        }
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "devices");
    for (size_t i = 0; i < range->cell_count; i++) {
        put_device_json(text, &range->cell[i]);
    }
    dj_json_close(text, "]}\n");
}
