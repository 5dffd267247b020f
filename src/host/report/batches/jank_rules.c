/* Builds the report of jank rules over the runs of batches: the answer of each batch, the
 * figures, the value of each run, the formulas, and why a figure is not stored. */
#include <math.h>
#include <string.h>

#include "jank/figures.h"
#include "memory/memory.h"
#include "report/batches/charts.h"
#include "report/batches/describe.h"
#include "report/batches/sections.h"
#include "report/dump_forms.h"

static int choose_digits(const char *unit)
{
    return strcmp(unit, "s") == 0                                    ? 3
           : strcmp(unit, "frames") == 0 || strcmp(unit, "fps") == 0 ? 1
                                                                     : 2;
}

static struct dj_batch_figure get_figure(enum dj_jank_rule_id id)
{
    const struct dj_jank_rule *rule = dj_jank_rule_get(id);
    return (struct dj_batch_figure){.metric = dj_metrics_of_jank_rule(id),
                                    .name = rule->slug,
                                    .unit = rule->unit,
                                    .factor = 1,
                                    .digits = choose_digits(rule->unit)};
}

/* Finds the next rule that the report shows, starting with *id. Returns false after the
 * last one. */
static bool find_rule(const struct dj_batches *batches, enum dj_jank_rule_id *id)
{
    while (*id < DJ_JANK_RULES && !dj_jank_rule_is_named(*id, batches->jank_rule)) {
        (*id)++;
    }
    return *id < DJ_JANK_RULES;
}

static bool is_single(const struct dj_batches *batches)
{
    return strcmp(batches->jank_rule, "all") != 0;
}

/* A rule that has an answer for every usable frame. If a run lacks this answer, the run
 * was stored before the store had jank rules. */
static const enum dj_metric ALWAYS_KNOWN = DJ_METRIC_SLOW_FRAMES_PCT;

const char *dj_batches_find_missing_rule(const struct dj_batch *batch,
                                         enum dj_jank_rule_id id)
{
    bool any = false, usable = false, computed = false;
    for (size_t i = 0; i < batch->run_count; i++) {
        const double *value = batch->runs[i].metrics.value;
        if (!dj_store_run_counts(&batch->runs[i])) {
            continue;
        }
        if (!isnan(value[dj_metrics_of_jank_rule(id)])) {
            return NULL;
        }
        any = true;
        usable = usable || value[DJ_METRIC_ROWS_USABLE] > 0;
        computed = computed || !isnan(value[ALWAYS_KNOWN]);
    }
    return !any        ? "no run is usable"
           : !usable   ? "the runs have no usable times of single frames"
           : !computed ? "an older dejank stored the runs; 'dejank store recompute' adds "
                         "the figure"
                       : dj_jank_get_usual_reason(id);
}

static void describe_rule(struct dj_text *words, const struct dj_batches *batches,
                          size_t index, enum dj_jank_rule_id id)
{
    const struct dj_batch *batch = &batches->batch[index];
    const struct dj_batch_figure figure = get_figure(id);
    const char *reason = dj_batches_find_missing_rule(batch, id);
    struct dj_center center = dj_batches_compute_center(batch, figure.metric);
    if (reason != NULL) {
        dj_text_format(words, "%s is not stored: %s", figure.name, reason);
        return;
    }
    dj_text_add(words, figure.name);
    dj_batches_format_value(words, " ", &figure, center.median);
    dj_text_format(words, DJ_NBSP "%s, median of %zu run%s", figure.unit, center.count,
                   center.count == 1 ? "" : "s");
    if ((int64_t)center.count < batch->row.runs.clean) {
        dj_text_format(words, "; not stored for %lld more",
                       (long long)batch->row.runs.clean - (long long)center.count);
    }
}

static void describe_all(struct dj_text *words, const struct dj_batch *batch)
{
    int known = 0;
    for (int i = 0; i < DJ_JANK_RULES; i++) {
        known += dj_batches_find_missing_rule(batch, (enum dj_jank_rule_id)i) == NULL;
    }
    dj_text_format(words, "%d of %d jank rules have a figure, over %lld run%s", known,
                   DJ_JANK_RULES, (long long)batch->row.runs.clean,
                   batch->row.runs.clean == 1 ? "" : "s");
}

static void add_verdict(struct dj_document *document, const struct dj_batches *batches,
                        size_t index)
{
    enum dj_jank_rule_id id = 0;
    struct dj_text words = {0};
    dj_batches_write_name(&words, batches, index);
    dj_text_add(&words, ": ");
    if (is_single(batches) && find_rule(batches, &id)) {
        describe_rule(&words, batches, index, id);
    } else {
        describe_all(&words, &batches->batch[index]);
    }
    dj_document_add_verdict(document, DJ_TONE_PLAIN, &words);
}

static void add_figures(struct dj_document *document, const struct dj_batches *batches)
{
    dj_batches_begin_figures(document, batches,
                             batches->count > 1 ? DJ_FIGURES_CENTER
                                                : DJ_FIGURES_CENTER | DJ_FIGURES_RANGE);
    for (enum dj_jank_rule_id id = 0; find_rule(batches, &id); id++) {
        const struct dj_batch_figure figure = get_figure(id);
        if (dj_batches_have_metric(batches, figure.metric)) {
            dj_batches_add_figure(document, batches, &figure);
        }
    }
}

struct rule_row {
    const struct dj_batches *batches;
    size_t index; /* Index of the batch. */
    struct dj_batch_figure figure;
    const char *reason; /* Reason why the figure is not stored, or NULL. */
};

static void get_title(struct dj_cell *cell, const void *record)
{
    const struct rule_row *row = record;
    dj_batches_format_figure_title(&cell->text, &row->figure);
}

static void get_batch(struct dj_cell *cell, const void *record)
{
    const struct rule_row *row = record;
    dj_batches_write_name(&cell->text, row->batches, row->index);
}

static void get_reason(struct dj_cell *cell, const void *record)
{
    const struct rule_row *row = record;
    dj_cell_format(cell, "not stored: %s", row->reason);
}

static void get_values(struct dj_cell *cell, const void *record)
{
    const struct rule_row *row = record;
    const struct dj_batch *batch = &row->batches->batch[row->index];
    for (size_t i = 0; i < batch->run_count; i++) {
        double value = batch->runs[i].metrics.value[row->figure.metric];
        const char *before = cell->text.length > 0 ? ", " : "";
        if (dj_store_run_counts(&batch->runs[i]) && isnan(value)) {
            dj_cell_format(cell, "%s–", before);
        } else if (dj_store_run_counts(&batch->runs[i])) {
            dj_batches_format_value(&cell->text, before, &row->figure, value);
        }
    }
}

/* Adds a table of rules: those with a stored value, or those without. `last` is the last
 * column. */
static void add_rules(struct dj_document *document, const struct dj_batches *batches,
                      bool stored, const struct dj_table_column *last)
{
    bool several = batches->count > 1;
    const struct dj_table_column columns[] = {
        {"figure", NULL, false, get_title},
        several ? (struct dj_table_column){"batch", NULL, false, get_batch} : *last,
        *last,
    };
    dj_document_begin_table(document, columns, several ? 3 : 2);
    for (enum dj_jank_rule_id id = 0; find_rule(batches, &id); id++) {
        struct rule_row row = {batches, 0, get_figure(id), NULL};
        for (; row.index < batches->count; row.index++) {
            row.reason = dj_batches_find_missing_rule(&batches->batch[row.index], id);
            if ((row.reason == NULL) == stored) {
                dj_document_add_row(document, &row);
            }
        }
    }
}

static void add_runs(struct dj_document *document, const struct dj_batches *batches)
{
    static const struct dj_table_column last = {"each run", NULL, false, get_values};
    add_rules(document, batches, true, &last);
}

static void add_missing(struct dj_document *document, const struct dj_batches *batches)
{
    static const struct dj_table_column last = {"reason", NULL, false, get_reason};
    add_rules(document, batches, false, &last);
}

static void add_charts(struct dj_document *document, const struct dj_batches *batches)
{
    for (enum dj_jank_rule_id id = 0; find_rule(batches, &id); id++) {
        const struct dj_batch_figure figure = get_figure(id);
        dj_batches_add_run_chart(document, batches, &figure);
    }
}

static void set_title(struct dj_document *document, const struct dj_batches *batches)
{
    struct dj_text words = {0};
    dj_text_format(&words, "%s of ",
                   is_single(batches) ? batches->jank_rule : "jank rules");
    for (size_t i = 0; i < batches->count; i++) {
        dj_text_add(&words, i > 0 ? " and " : "");
        dj_batches_write_name(&words, batches, i);
    }
    dj_text_add(&words, " — dejank report");
    dj_document_set_title(document, dj_xtext(&words));
    dj_text_finish(&words);
}

void dj_batches_build_jank_rules(struct dj_document *document,
                                 const struct dj_batches *batches)
{
    set_title(document, batches);
    for (size_t i = 0; i < batches->count; i++) {
        add_verdict(document, batches, i);
        dj_batches_add_facts(document, batches, i);
    }
    add_figures(document, batches);
    if (is_single(batches)) {
        add_runs(document, batches);
    } else {
        add_missing(document, batches);
    }
    dj_report_add_jank_rules(document, batches->jank_rule);
    dj_document_begin_details(document, "each run", false);
    if (!is_single(batches)) {
        add_runs(document, batches);
    }
    add_charts(document, batches);
    dj_document_end_details(document);
}
