/* Builds the document of a comparison: the verdict, the two sides, the metrics, and as
 * details everything that explains them. */
#include <math.h>
#include <string.h>

#include "frame/findings_text.h"
#include "memory/memory.h"
#include "report/compare.h"
#include "report/compare/charts.h"
#include "report/compare/describe.h"

/* Values from FEW_DIGITS_FROM on have no decimals, and values from MEDIUM_DIGITS_FROM on
 * have one. */
enum { FEW_DIGITS_FROM = 1000, MEDIUM_DIGITS_FROM = 100 };

static const enum dj_tone tones[DJ_VERDICT_COUNT] = {
    [DJ_VERDICT_REGRESSION] = DJ_TONE_BAD,
    [DJ_VERDICT_LIKELY_REGRESSION] = DJ_TONE_BAD,
    [DJ_VERDICT_EQUIVALENT] = DJ_TONE_GOOD,
    [DJ_VERDICT_LIKELY_IMPROVEMENT] = DJ_TONE_GOOD,
    [DJ_VERDICT_IMPROVEMENT] = DJ_TONE_GOOD,
    [DJ_VERDICT_INCONCLUSIVE] = DJ_TONE_MUTED,
};

enum dj_tone dj_report_get_verdict_tone(enum dj_compare_verdict verdict)
{
    return tones[verdict];
}

static const struct dj_effect *get_effect(const void *record)
{
    const struct dj_comparison_metric *metric = record;
    return &metric->member.effect;
}

static void set_value(struct dj_cell *cell, const void *record, double value)
{
    const struct dj_comparison_metric *metric = record;
    double shown = value / metric->metric->factor;
    double size = fabs(shown);
    dj_cell_set_number(cell, shown,
                       size >= FEW_DIGITS_FROM      ? 0
                       : size >= MEDIUM_DIGITS_FROM ? 1
                                                    : 2);
}

static void get_name(struct dj_cell *cell, const void *record)
{
    const struct dj_comparison_metric *metric = record;
    dj_cell_format(cell, "%s, %s", metric->metric->words, metric->metric->unit);
}

static void get_a(struct dj_cell *cell, const void *record)
{
    set_value(cell, record, get_effect(record)->a);
}

static void get_b(struct dj_cell *cell, const void *record)
{
    set_value(cell, record, get_effect(record)->b);
}

static void get_change(struct dj_cell *cell, const void *record)
{
    dj_compare_format_effect(get_effect(record), &cell->text);
}

/* Fills the cell with the verdict on a metric. If the change is significant but smaller
 * than the margin, the cell says both. */
static void get_verdict(struct dj_cell *cell, const void *record)
{
    const struct dj_effect *effect = get_effect(record);
    bool differs = effect->ci.low > 1 || effect->ci.high < 1;
    cell->tone = tones[effect->verdict];
    if (effect->refusal != DJ_EFFECT_NO_REFUSAL) {
        cell->tone = DJ_TONE_MUTED;
        dj_cell_format(cell, "%s", dj_compare_refusal_text(effect->refusal));
    } else if (effect->verdict == DJ_VERDICT_EQUIVALENT) {
        dj_cell_format(cell, "%swithin %g %%", differs ? "differs, " : "",
                       100 * effect->margin);
    } else {
        dj_cell_format(cell, "%s", dj_compare_verdict_name(effect->verdict));
    }
}

static const struct dj_table_column metric_columns[] = {
    {"metric", NULL, false, get_name},
    {"A", NULL, true, get_a},
    {"B", NULL, true, get_b},
    {"change", NULL, false, get_change},
    {"verdict", NULL, false, get_verdict},
};

static void get_mean_a(struct dj_cell *cell, const void *record)
{
    set_value(cell, record, get_effect(record)->mean_a);
}

static void get_mean_b(struct dj_cell *cell, const void *record)
{
    set_value(cell, record, get_effect(record)->mean_b);
}

static void get_runs(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu vs %zu", get_effect(record)->n_a, get_effect(record)->n_b);
}

static void get_p(struct dj_cell *cell, const void *record)
{
    const struct dj_comparison_metric *metric = record;
    if (!isnan(metric->member.adjusted_p)) {
        dj_cell_format(cell, "%.2g", metric->member.adjusted_p);
    }
}

static void get_level(struct dj_cell *cell, const void *record)
{
    if (get_effect(record)->level > 0) {
        dj_cell_format(cell, "%.4g %%", 100 * get_effect(record)->level);
    }
}

static const struct dj_table_column certainty_columns[] = {
    {"metric", NULL, false, get_name},  {"mean A", NULL, true, get_mean_a},
    {"mean B", NULL, true, get_mean_b}, {"runs", NULL, true, get_runs},
    {"adjusted p", NULL, true, get_p},  {"CI level", NULL, true, get_level},
};

static void add_metrics(struct dj_document *document,
                        const struct dj_comparison *comparison, bool gating,
                        const struct dj_table_column *columns, size_t column_count)
{
    dj_document_begin_table(document, columns, column_count);
    for (size_t i = 0; i < comparison->metric_count; i++) {
        if (comparison->metrics[i].member.gates == gating) {
            dj_document_add_row(document, &comparison->metrics[i]);
        }
    }
}

static void add_sides(struct dj_document *document,
                      const struct dj_comparison *comparison)
{
    const struct dj_side *sides[] = {comparison->a, comparison->b};
    for (int i = 0; i < 2; i++) {
        struct dj_text words = {0};
        const char label[] = {(char)('A' + i), '\0'};
        dj_report_describe_side(&words, sides[i]);
        dj_document_add_field(document, label, &words);
    }
}

static void add_findings(struct dj_document *document,
                         const struct dj_comparison *comparison)
{
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct dj_finding_change *change = &comparison->findings[i];
        if (change->appeared || change->went) {
            struct dj_text words = {0};
            dj_report_describe_finding_change(&words, change);
            dj_document_add_note(
                document, change->appeared ? DJ_TONE_WARNING : DJ_TONE_PLAIN, &words);
        }
    }
}

static void add_warnings(struct dj_document *document,
                         const struct dj_comparison *comparison)
{
    for (size_t i = 0; i < comparison->warning_count; i++) {
        struct dj_text words = {0};
        dj_text_format(&words, "Warning: %s", comparison->warnings[i].text);
        dj_document_add_note(document, DJ_TONE_WARNING, &words);
    }
}

struct shift_row {
    const struct dj_shift_point *point;
};

static void get_quantile(struct dj_cell *cell, const void *record)
{
    const struct shift_row *row = record;
    dj_cell_format(cell, "p%g", 100 * row->point->q);
}

static void get_quantile_a(struct dj_cell *cell, const void *record)
{
    const struct shift_row *row = record;
    dj_cell_set_number(cell, row->point->a_ns / 1e6, 2);
}

static void get_quantile_b(struct dj_cell *cell, const void *record)
{
    const struct shift_row *row = record;
    dj_cell_set_number(cell, row->point->b_ns / 1e6, 2);
}

static void get_quantile_change(struct dj_cell *cell, const void *record)
{
    const struct dj_shift_point *point = ((const struct shift_row *)record)->point;
    bool differs = point->ci.low > 1 || point->ci.high < 1;
    cell->tone = !differs ? DJ_TONE_PLAIN : point->ratio > 1 ? DJ_TONE_BAD : DJ_TONE_GOOD;
    dj_cell_format(cell, "%+.1f %%", 100 * (point->ratio - 1));
    if (isfinite(point->ci.low) && isfinite(point->ci.high)) {
        dj_cell_format(cell, " (%+.1f … %+.1f %%)", 100 * (point->ci.low - 1),
                       100 * (point->ci.high - 1));
    }
}

static const struct dj_table_column shift_columns[] = {
    {"quantile", NULL, false, get_quantile},
    {"A", "ms", true, get_quantile_a},
    {"B", "ms", true, get_quantile_b},
    {"change (CI)", NULL, false, get_quantile_change},
};

static void add_shift(struct dj_document *document,
                      const struct dj_comparison *comparison)
{
    dj_document_begin_details(document,
                              comparison->shift_guide_total
                                  ? "change at each quantile of guide_total"
                                  : "change at each quantile of the frame times",
                              false);
    dj_report_add_shift_chart(document, comparison);
    dj_document_begin_table(document, shift_columns, COUNT_OF(shift_columns));
    for (size_t i = 0; i < comparison->shift_count; i++) {
        dj_document_add_row(document, &(struct shift_row){&comparison->shift[i]});
    }
    dj_document_end_details(document);
}

struct stage_row {
    const char *name;
    double a_ns, b_ns;
};

static void get_stage(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct stage_row *)record)->name);
}

static void get_stage_a(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, ((const struct stage_row *)record)->a_ns / 1e6, 2);
}

static void get_stage_b(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, ((const struct stage_row *)record)->b_ns / 1e6, 2);
}

static void get_stage_change(struct dj_cell *cell, const void *record)
{
    const struct stage_row *row = record;
    if (!isnan(row->b_ns - row->a_ns)) {
        dj_cell_format(cell, "%+.2f", (row->b_ns - row->a_ns) / 1e6);
    }
}

static const struct dj_table_column stage_columns[] = {
    {"stage", NULL, false, get_stage},
    {"A", "ms", true, get_stage_a},
    {"B", "ms", true, get_stage_b},
    {"change", "ms", true, get_stage_change},
};

static void add_stages(struct dj_document *document,
                       const struct dj_comparison *comparison)
{
    dj_document_begin_details(document, "stages of a typical frame", false);
    dj_document_begin_table(document, stage_columns, COUNT_OF(stage_columns));
    for (int i = 0; i < DJ_STAGE_COUNT; i++) {
        enum dj_stage stage = (enum dj_stage)i;
        const struct stage_row row = {
            i == DJ_STAGE_WAIT ? "Wait (not part of the frame time)"
                               : dj_frame_stage_name(stage),
            dj_report_compute_side_stage_ns(comparison->a, stage),
            dj_report_compute_side_stage_ns(comparison->b, stage)};
        if (!isnan(row.a_ns) || !isnan(row.b_ns)) {
            dj_document_add_row(document, &row);
        }
    }
    dj_document_end_details(document);
}

static void add_details(struct dj_document *document,
                        const struct dj_comparison *comparison)
{
    struct dj_text words = {0};
    dj_document_begin_details(document, "other metrics", false);
    add_metrics(document, comparison, false, metric_columns, COUNT_OF(metric_columns));
    dj_document_end_details(document);
    add_shift(document, comparison);
    dj_document_begin_details(document, "distribution of the frame times", false);
    dj_report_add_distribution_charts(document, comparison);
    dj_document_end_details(document);
    dj_document_begin_details(document, "each run", false);
    dj_report_add_run_charts(document, comparison);
    dj_document_end_details(document);
    add_stages(document, comparison);
    dj_document_begin_details(document, "means and certainty", true);
    dj_report_explain_comparison(&words, comparison);
    dj_document_add_paragraph(document, &words);
    add_metrics(document, comparison, true, certainty_columns,
                COUNT_OF(certainty_columns));
    add_metrics(document, comparison, false, certainty_columns,
                COUNT_OF(certainty_columns));
    dj_document_end_details(document);
}

void dj_report_add_comparison(struct dj_document *document,
                              const struct dj_comparison *comparison)
{
    struct dj_text words = {0};
    add_sides(document, comparison);
    add_metrics(document, comparison, true, metric_columns, COUNT_OF(metric_columns));
    dj_report_explain_verdict(&words, comparison);
    dj_document_add_paragraph(document, &words);
    add_findings(document, comparison);
    add_warnings(document, comparison);
    add_details(document, comparison);
}

void dj_report_build_comparison(struct dj_document *document,
                                const struct dj_comparison *comparison)
{
    enum dj_compare_verdict verdict = comparison->overall.verdict;
    struct dj_text words = {0};
    dj_text_format(&words, "%s against %s — dejank", comparison->b->name,
                   comparison->a->name);
    dj_document_set_title(document, dj_xtext(&words));
    dj_text_clear(&words);
    dj_report_describe_comparison(&words, comparison);
    dj_document_add_verdict(document, tones[verdict], &words);
    dj_report_add_comparison(document, comparison);
}
