/* Builds the document of batches: the main figures over the runs, and as details all
 * other figures, every run, the frame times, the stages, the causes and the conditions.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/quote.h"
#include "memory/memory.h"
#include "report/batches.h"
#include "report/batches/charts.h"
#include "report/batches/describe.h"
#include "report/batches/sections.h"
#include "report/escape/name.h"
#include "report/triage.h"

enum {
    CENTER = DJ_FIGURES_CENTER,
    RANGE = DJ_FIGURES_RANGE,
    SPREAD = DJ_FIGURES_SPREAD,
    FIGURE = 8,
    BATCH = 16
};

struct figure_row {
    const struct dj_batches *batches;
    const struct dj_batch_figure *figure;
    size_t index;
    struct dj_center center;
};

static void get_figure(struct dj_cell *cell, const void *record)
{
    const struct figure_row *row = record;
    if (row->index == 0) {
        dj_batches_format_figure_title(&cell->text, row->figure);
    } else {
        dj_cell_format(cell, " ");
    }
}

static void get_batch(struct dj_cell *cell, const void *record)
{
    const struct figure_row *row = record;
    dj_batches_write_name(&cell->text, row->batches, row->index);
}

static void set_value(struct dj_cell *cell, const struct figure_row *row, double value)
{
    dj_cell_set_number(cell, value / row->figure->factor, row->figure->digits);
}

static void set_range(struct dj_cell *cell, const struct figure_row *row, double low,
                      double high)
{
    if (!isnan(low)) {
        set_value(cell, row, low);
        dj_cell_format(cell, " … ");
        set_value(cell, row, high);
    }
}

static void get_median(struct dj_cell *cell, const void *record)
{
    const struct figure_row *row = record;
    set_value(cell, row, row->center.median);
}

static void get_mean(struct dj_cell *cell, const void *record)
{
    const struct figure_row *row = record;
    set_value(cell, row, row->center.mean);
}

static void get_quartiles(struct dj_cell *cell, const void *record)
{
    const struct figure_row *row = record;
    set_range(cell, row, row->center.q1, row->center.q3);
}

static void get_range(struct dj_cell *cell, const void *record)
{
    const struct figure_row *row = record;
    set_range(cell, row, row->center.min, row->center.max);
}

static void get_deviation(struct dj_cell *cell, const void *record)
{
    const struct figure_row *row = record;
    set_value(cell, row, row->center.sd);
}

static void get_runs(struct dj_cell *cell, const void *record)
{
    const struct figure_row *row = record;
    dj_cell_format(cell, "%zu", row->center.count);
}

static const struct {
    int part;
    struct dj_table_column column;
} figure_columns[] = {
    {FIGURE, {"figure", NULL, false, get_figure}},
    {BATCH, {"batch", NULL, false, get_batch}},
    {CENTER, {"median", NULL, true, get_median}},
    {CENTER, {"mean", NULL, true, get_mean}},
    {CENTER, {"quartiles", NULL, true, get_quartiles}},
    {RANGE, {"min … max", NULL, true, get_range}},
    {SPREAD, {"standard deviation", NULL, true, get_deviation}},
    {SPREAD, {"runs", NULL, true, get_runs}},
};

void dj_batches_begin_figures(struct dj_document *document,
                              const struct dj_batches *batches, int parts)
{
    struct dj_table_column columns[COUNT_OF(figure_columns)];
    size_t count = 0;
    parts |= FIGURE | (batches->count > 1 ? BATCH : 0);
    for (size_t i = 0; i < COUNT_OF(figure_columns); i++) {
        if ((figure_columns[i].part & parts) != 0) {
            columns[count++] = figure_columns[i].column;
        }
    }
    dj_document_begin_table(document, columns, count);
}

void dj_batches_add_figure(struct dj_document *document, const struct dj_batches *batches,
                           const struct dj_batch_figure *figure)
{
    for (size_t k = 0; k < batches->count; k++) {
        const struct figure_row row = {
            batches, figure, k,
            dj_batches_compute_center(&batches->batch[k], figure->metric)};
        dj_document_add_row(document, &row);
    }
}

/* Returns whether the figure is in the first table. These figures are the ones with a
 * chart, and the 95th percentile, which comparisons judge. */
static bool is_main(const struct dj_batches *batches,
                    const struct dj_batch_figure *figure)
{
    enum dj_metric p95 = dj_batches_have_metric(batches, DJ_METRIC_FRAME_TIME_P95)
                             ? DJ_METRIC_FRAME_TIME_P95
                             : DJ_METRIC_GUIDE_TOTAL_P95;
    return figure->metric == p95 || dj_batches_is_headline(batches, figure);
}

static void add_figures(struct dj_document *document, const struct dj_batches *batches,
                        bool main, int parts)
{
    const struct dj_batch_figure *figure;
    dj_batches_begin_figures(document, batches, parts);
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        if (is_main(batches, figure) == main &&
            dj_batches_have_metric(batches, figure->metric) &&
            !dj_batches_is_always_zero(batches, figure)) {
            dj_batches_add_figure(document, batches, figure);
        }
    }
}

void dj_batches_add_main_figures(struct dj_document *document,
                                 const struct dj_batches *batches)
{
    /* With several batches, the table needs a column for their names. There is then no
     * space for the range on a line of the terminal. */
    add_figures(document, batches, true, batches->count > 1 ? CENTER : CENTER | RANGE);
}

void dj_batches_add_other_figures(struct dj_document *document,
                                  const struct dj_batches *batches)
{
    bool several = batches->count > 1;
    struct dj_text words = {0};
    if (several) {
        add_figures(document, batches, true, RANGE);
    }
    add_figures(document, batches, false, several ? CENTER : CENTER | RANGE);
    if (several) {
        add_figures(document, batches, false, RANGE);
    }
    add_figures(document, batches, true, SPREAD);
    add_figures(document, batches, false, SPREAD);
    dj_batches_describe_zero_counts(&words, batches);
    if (words.length > 0) {
        dj_document_add_paragraph(document, &words);
    }
    dj_text_finish(&words);
}

static void add_verdict(struct dj_document *document, const struct dj_batches *batches,
                        size_t index)
{
    const struct dj_batch *batch = &batches->batch[index];
    bool exact = dj_batches_compute_center(batch, DJ_METRIC_FRAME_TIME_P95).count > 0;
    double p95 = dj_batches_compute_center(batch, exact ? DJ_METRIC_FRAME_TIME_P95
                                                        : DJ_METRIC_GUIDE_TOTAL_P95)
                     .median;
    double janky = dj_batches_compute_center(batch, DJ_METRIC_JANKY_PCT).median;
    struct dj_text words = {0};
    dj_batches_write_name(&words, batches, index);
    if (batch->row.runs.clean == 0) {
        dj_text_add(&words, ": no run counts, so the smoothness is unknown");
    } else {
        dj_text_add(&words, ": ");
        if (!isnan(p95)) {
            dj_text_format(&words, "p95 %s %.2f" DJ_NBSP "ms, ",
                           exact ? "frame time" : "guide_total", p95 / 1e6);
        }
        if (!isnan(janky)) {
            dj_text_format(&words, "%.2f" DJ_NBSP "%% janky, ", janky);
        }
        dj_text_format(&words, "median of %lld run%s", (long long)batch->row.runs.clean,
                       batch->row.runs.clean == 1 ? "" : "s");
    }
    dj_document_add_verdict(document, DJ_TONE_PLAIN, &words);
}

static void add_excluded_runs(struct dj_document *document, const struct dj_batch *batch)
{
    for (size_t i = 0; i < batch->run_count; i++) {
        const struct dj_run_row *run = &batch->runs[i];
        const char *why = run->excluded != NULL ? run->excluded : run->reason;
        struct dj_text words = {0};
        if (dj_store_run_counts(run) || run->warmup || why == NULL) {
            continue;
        }
        dj_text_format(&words, "run %lld%s does not count: ", (long long)run->number,
                       run->attempt > 1 ? " (repeated)" : "");
        dj_name_write_slug(&words, run->excluded != NULL
                                       ? "excluded"
                                       : dj_facts_outcome_name(run->outcome));
        dj_text_format(&words, ": %s", why);
        dj_document_add_note(document, DJ_TONE_WARNING, &words);
    }
}

void dj_batches_add_facts(struct dj_document *document, const struct dj_batches *batches,
                          size_t index)
{
    const struct dj_batch *batch = &batches->batch[index];
    struct dj_text words = {0};
    dj_batches_describe_app(&words, batch);
    dj_document_add_field(document, "app", &words);
    dj_batches_describe_runs(&words, batch);
    dj_batches_describe_outcomes(&words, ". Outcomes: ", batch);
    dj_document_add_field(document, "runs", &words);
    add_excluded_runs(document, batch);
}

void dj_batches_add_head(struct dj_document *document, const struct dj_batches *batches,
                         size_t index)
{
    add_verdict(document, batches, index);
    dj_batches_add_facts(document, batches, index);
}

static void add_stages(struct dj_document *document, const struct dj_batches *batches)
{
    struct dj_table_column columns[DJ_BATCHES_MAX + 1] = {{"stage", NULL, false, NULL}};
    char names[DJ_BATCHES_MAX][DJ_BATCH_NAME];
    for (size_t i = 0; i < batches->count; i++) {
        dj_batches_format_name(batches, i, names[i]);
        columns[i + 1] = (struct dj_table_column){batches->count > 1 ? names[i] : "",
                                                  "ms", true, NULL};
    }
    dj_document_begin_table(document, columns, batches->count + 1);
    for (int i = 0; i < DJ_STAGE_COUNT; i++) {
        enum dj_stage stage = (enum dj_stage)i;
        double known = NAN;
        for (size_t k = 0; k < batches->count; k++) {
            known = fmin(known, dj_batches_compute_stage_ns(&batches->batch[k], stage));
        }
        if (isnan(known)) {
            continue;
        }
        dj_cell_format(dj_document_add_cell(document), "%s%s", dj_frame_stage_name(stage),
                       stage == DJ_STAGE_WAIT ? " (not part of the frame time)" : "");
        for (size_t k = 0; k < batches->count; k++) {
            dj_cell_set_number(
                dj_document_add_cell(document),
                dj_batches_compute_stage_ns(&batches->batch[k], stage) / 1e6, 2);
        }
    }
}

static void add_causes(struct dj_document *document, const struct dj_batches *batches,
                       size_t index)
{
    const struct dj_batch *batch = &batches->batch[index];
    struct dj_text words = {0};
    if (batch->triage == NULL) {
        return;
    }
    dj_text_add(&words, "Causes of jank in the traces");
    if (batches->count > 1) {
        dj_text_add(&words, " of ");
        dj_batches_write_name(&words, batches, index);
    }
    dj_document_add_section(document, 2, NULL, &words);
    dj_report_add_triage(document, batch->triage, batch->tie);
}

static void add_details(struct dj_document *document, const struct dj_batches *batches)
{
    struct dj_text words = {0};
    dj_document_begin_details(document, "other figures", false);
    dj_batches_add_other_figures(document, batches);
    dj_document_end_details(document);
    dj_document_begin_details(document, "each run", false);
    dj_batches_add_run_charts(document, batches);
    dj_document_end_details(document);
    dj_document_begin_details(document, "frame times", false);
    for (size_t i = 0; i < batches->count; i++) {
        dj_batches_add_histogram(document, batches, i);
    }
    dj_document_end_details(document);
    dj_document_begin_details(document, "stages of a typical frame", false);
    add_stages(document, batches);
    dj_document_end_details(document);
    dj_document_begin_details(document, "conditions", true);
    for (size_t i = 0; i < batches->count; i++) {
        dj_batches_describe_conditions(&words, batches, i);
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
    dj_document_end_details(document);
}

/* Adds a suggested command about the batches, and clears `command`. */
static void add_command(struct dj_document *document, const struct dj_batches *batches,
                        struct dj_text *command, const char *purpose)
{
    if (batches->store != NULL) {
        dj_text_add(command, " --store ");
        dj_device_quote_word(command, batches->store);
    }
    dj_document_add_command(document, dj_xtext(command), purpose);
    dj_text_clear(command);
}

static void add_commands(struct dj_document *document, const struct dj_batches *batches)
{
    struct dj_text command = {0};
    const char *first = batches->batch[0].row.id;
    if (batches->count == 2) {
        dj_text_format(&command, "dejank compare %s %s", first, batches->batch[1].row.id);
        add_command(document, batches, &command,
                    "decide whether the second batch is slower");
    }
    dj_text_format(&command, "dejank report %s -o report.html", first);
    add_command(document, batches, &command, "all figures as a page");
    dj_text_finish(&command);
}

void dj_report_build_batches(struct dj_document *document,
                             const struct dj_batches *batches)
{
    struct dj_text words = {0};
    if (batches->jank_rule != NULL) {
        dj_batches_build_jank_rules(document, batches);
        return;
    }
    for (size_t i = 0; i < batches->count; i++) {
        dj_text_add(&words, i > 0 ? " and " : "");
        dj_batches_write_name(&words, batches, i);
    }
    dj_text_add(&words, " — dejank report");
    dj_document_set_title(document, dj_xtext(&words));
    dj_text_finish(&words);
    for (size_t i = 0; i < batches->count; i++) {
        dj_batches_add_head(document, batches, i);
    }
    dj_batches_add_main_figures(document, batches);
    for (size_t i = 0; i < batches->count; i++) {
        add_causes(document, batches, i);
    }
    add_details(document, batches);
    add_commands(document, batches);
}
