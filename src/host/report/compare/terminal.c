#include <math.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "report/compare.h"
#include "report/compare/describe.h"
#include "report/escape/name.h"
#include "report/terminal/lines.h"

enum { TABLE_MIN_WIDTH = 101, STRIP_MAX_WIDTH = 60, NAME_COLUMNS = 33, SHIFT_LABEL = 36 };

static int get_color(enum dj_compare_verdict verdict)
{
    static const int colors[DJ_VERDICT_COUNT] = {
        [DJ_VERDICT_REGRESSION] = DJ_COLOR_BAD,
        [DJ_VERDICT_LIKELY_REGRESSION] = DJ_COLOR_BAD,
        [DJ_VERDICT_EQUIVALENT] = DJ_COLOR_GOOD,
        [DJ_VERDICT_LIKELY_IMPROVEMENT] = DJ_COLOR_GOOD,
        [DJ_VERDICT_IMPROVEMENT] = DJ_COLOR_GOOD,
        [DJ_VERDICT_INCONCLUSIVE] = DJ_COLOR_MUTED,
    };
    return colors[verdict];
}

static void print_head(struct dj_terminal *out, const struct dj_comparison *comparison)
{
    const struct dj_side *sides[] = {comparison->a, comparison->b};
    struct dj_text words = {0};
    dj_compare_format_verdict(comparison, &words);
    dj_terminal_set_bold(out, true);
    dj_terminal_set_color(out, get_color(comparison->overall.verdict));
    dj_terminal_write_words(out, dj_xtext(&words));
    dj_terminal_set_color(out, DJ_COLOR_NONE);
    dj_terminal_set_bold(out, false);
    dj_text_add(out->text, "\n");
    dj_text_finish(&words);
    for (int i = 0; i < 2; i++) {
        dj_text_format(&words, "%c: ", 'A' + i);
        dj_report_describe_side(&words, sides[i]);
        dj_terminal_wrap_and_finish(out, "", "   ", &words);
    }
}

static void print_cell(struct dj_terminal *out, struct dj_text *cell, size_t columns,
                       bool right)
{
    const char *string = dj_xtext(cell);
    size_t used = dj_name_count_columns(string);
    size_t blanks = used < columns ? columns - used : 0;
    dj_terminal_write_repeated(out, " ", right ? blanks : 0);
    dj_terminal_write_words(out, string);
    dj_terminal_write_repeated(out, " ", right ? 0 : blanks);
    dj_text_finish(cell);
}

static void print_row(struct dj_terminal *out, const struct dj_comparison_metric *metric)
{
    struct dj_comparison_cells cells = dj_report_format_comparison_cells(metric);
    struct dj_text name = {0};
    dj_text_format(&name, "%s%s, %s", metric->member.gates ? "*" : " ",
                   metric->metric->words, metric->metric->unit);
    print_cell(out, &name, NAME_COLUMNS, false);
    print_cell(out, &cells.a, 12, true);
    print_cell(out, &cells.b, 12, true);
    dj_text_add(out->text, "  ");
    print_cell(out, &cells.change, 26, false);
    dj_terminal_set_color(out, get_color(metric->member.effect.verdict));
    print_cell(out, &cells.verdict, 0, false);
    dj_terminal_set_color(out, DJ_COLOR_NONE);
    dj_text_add(out->text, "\n");
}

/* A terminal without enough columns gets a sentence per metric. */
static void print_sentence(struct dj_terminal *out,
                           const struct dj_comparison_metric *metric)
{
    struct dj_comparison_cells cells = dj_report_format_comparison_cells(metric);
    struct dj_text words = {0};
    dj_text_format(&words, "%s: %s to %s" DJ_GLUE "%s, %s, %s", metric->metric->words,
                   dj_xtext(&cells.a), dj_xtext(&cells.b), metric->metric->unit,
                   dj_xtext(&cells.change), dj_xtext(&cells.verdict));
    dj_terminal_wrap_and_finish(out, metric->member.gates ? "* " : "  ", "  ", &words);
    dj_text_finish(&cells.a);
    dj_text_finish(&cells.b);
    dj_text_finish(&cells.change);
    dj_text_finish(&cells.verdict);
}

static void print_metrics(struct dj_terminal *out, const struct dj_comparison *comparison)
{
    bool wide = out->style.width >= TABLE_MIN_WIDTH;
    dj_terminal_write_heading(out, "Metrics");
    if (wide) {
        dj_text_format(out->text, "%*s%12s%12s%-28s%s\n", NAME_COLUMNS, "", "A", "B",
                       "  B against A", "verdict");
    }
    for (size_t i = 0; i < comparison->metric_count; i++) {
        (wide ? print_row : print_sentence)(out, &comparison->metrics[i]);
    }
    struct dj_text words = {0};
    dj_report_explain_comparison(&words, comparison);
    dj_terminal_wrap_and_finish(out, "", "", &words);
}

static double compute_widest(const struct dj_comparison *comparison)
{
    double widest = log(1.02);
    for (size_t i = 0; i < comparison->shift_count; i++) {
        const struct dj_shift_point *point = &comparison->shift[i];
        double ends[] = {point->ratio, point->ci.low, point->ci.high};
        for (int k = 0; k < 3; k++) {
            double size = ends[k] > 0 ? fabs(log(ends[k])) : INFINITY;
            /* An interval may be wider than the picture, the estimate never. */
            widest = isfinite(size) && size < (k == 0 ? INFINITY : log(4))
                         ? fmax(widest, size)
                         : widest;
        }
    }
    return widest;
}

static int compute_column(double ratio, double widest, int columns)
{
    double at = ratio > 0 ? log(ratio) / widest : -INFINITY;
    at = at > 1 ? 1 : at < -1 ? -1 : at;
    return (int)lround((at + 1) / 2 * (columns - 1));
}

static void print_band(struct dj_terminal *out, const struct dj_shift_point *point,
                       double widest, int columns)
{
    int middle = compute_column(1, widest, columns);
    int at = compute_column(point->ratio, widest, columns);
    int low = compute_column(point->ci.low, widest, columns);
    int high = compute_column(point->ci.high, widest, columns);
    bool differs = point->ci.low > 1 || point->ci.high < 1;
    for (int i = 0; i < columns; i++) {
        bool within = i >= low && i <= high;
        dj_terminal_write_colored(out,
                                  !within || !differs ? DJ_COLOR_MUTED
                                  : point->ratio > 1  ? DJ_COLOR_BAD
                                                      : DJ_COLOR_GOOD,
                                  i == at  ? dj_terminal_choose_glyph(out, "●", "o")
                                  : within ? dj_terminal_choose_glyph(out, "─", "-")
                                  : i == middle ? dj_terminal_choose_glyph(out, "│", "|")
                                                : " ");
    }
}

static void print_shift(struct dj_terminal *out, const struct dj_comparison *comparison)
{
    int columns = out->style.width - SHIFT_LABEL;
    double widest = compute_widest(comparison);
    if (comparison->shift_count == 0) {
        return;
    }
    dj_terminal_write_heading(out, comparison->shift_guide_total
                                       ? "Quantile shift of guide_total, B against A"
                                       : "Quantile shift of frame times, B against A");
    for (size_t i = 0; i < comparison->shift_count; i++) {
        const struct dj_shift_point *point = &comparison->shift[i];
        double percent = 100 * (point->ratio - 1);
        dj_text_format(out->text, "p%-3g", 100 * point->q);
        if (columns >= 10) {
            dj_text_format(out->text, "%9.2f %s %-9.2f", point->a_ns / 1e6,
                           dj_terminal_choose_glyph(out, "→", ">"), point->b_ns / 1e6);
        }
        dj_text_format(out->text, "%+6.1f %%  ", percent);
        if (columns >= 10) {
            print_band(out, point, widest,
                       columns > STRIP_MAX_WIDTH ? STRIP_MAX_WIDTH : columns);
        }
        dj_text_add(out->text, "\n");
    }
}

static void print_stages(struct dj_terminal *out, const struct dj_comparison *comparison)
{
    bool titled = false;
    for (int stage = 0; stage < DJ_STAGE_COUNT; stage++) {
        double a = dj_report_compute_side_stage_ns(comparison->a, (enum dj_stage)stage);
        double b = dj_report_compute_side_stage_ns(comparison->b, (enum dj_stage)stage);
        struct dj_text words = {0};
        if (isnan(a) && isnan(b)) {
            continue;
        }
        if (!titled) {
            dj_terminal_write_heading(
                out, "Stage by stage (median over runs of their medians, ms)");
            titled = true;
        }
        dj_text_format(&words, "%s%s: ", dj_frame_stage_name((enum dj_stage)stage),
                       stage == DJ_STAGE_WAIT ? " (not counted)" : "");
        dj_report_describe_stage_change(&words, a, b);
        dj_terminal_wrap_and_finish(out, "  ", "    ", &words);
    }
}

/* The caller frees the values. Widens the range to include them. */
static double *compute_values(const struct dj_comparison_metric *metric,
                              const struct dj_effect_side *side, struct dj_bounds *range)
{
    double *values = dj_xcalloc(side->count, sizeof(*values));
    for (size_t i = 0; i < side->count; i++) {
        values[i] = dj_report_get_run_value(metric, side, i);
        if (isfinite(values[i])) {
            range->low = fmin(range->low, values[i]);
            range->high = fmax(range->high, values[i]);
        }
    }
    return values;
}

static void print_points(struct dj_terminal *out, const struct dj_comparison *comparison)
{
    dj_terminal_write_heading(out, "Each run a point (a digit: so many)");
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        const struct dj_family_member *member = &metric->member;
        struct dj_bounds range = {NAN, NAN};
        double *a = compute_values(metric, &member->a, &range);
        double *b = compute_values(metric, &member->b, &range);
        if (member->gates && !isnan(range.low)) {
            struct dj_text words = {0};
            dj_text_format(&words, "%s, %.2f … %.2f" DJ_GLUE "%s", metric->metric->words,
                           range.low, range.high, metric->metric->unit);
            dj_terminal_wrap_and_finish(out, "", "  ", &words);
            dj_text_add(out->text, "  A ");
            dj_terminal_write_strip(out, a, member->a.count, &range, NAN);
            dj_text_add(out->text, "  B ");
            dj_terminal_write_strip(out, b, member->b.count, &range, NAN);
        }
        free(a);
        free(b);
    }
}

static void print_findings(struct dj_terminal *out,
                           const struct dj_comparison *comparison)
{
    bool titled = false;
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct dj_finding_change *change = &comparison->findings[i];
        if (!change->appeared && !change->went) {
            continue;
        }
        if (!titled) {
            dj_terminal_write_heading(out, "Findings that appeared or went");
            titled = true;
        }
        struct dj_text words = {0};
        dj_report_describe_finding_change(&words, change);
        dj_terminal_wrap_and_finish(out, dj_terminal_choose_glyph(out, "• ", "* "), "  ",
                                    &words);
    }
}

void dj_report_write_comparison_text(struct dj_text *text,
                                     const struct dj_comparison *comparison,
                                     const struct dj_terminal_style *style)
{
    struct dj_terminal out = dj_terminal_init(text, style);
    size_t start = text->length;
    print_head(&out, comparison);
    print_metrics(&out, comparison);
    print_shift(&out, comparison);
    print_stages(&out, comparison);
    print_points(&out, comparison);
    print_findings(&out, comparison);
    if (comparison->warning_count > 0) {
        dj_terminal_write_heading(&out, "Warnings");
    }
    for (size_t i = 0; i < comparison->warning_count; i++) {
        dj_terminal_wrap(&out, dj_terminal_choose_glyph(&out, "• ", "* "), "  ",
                         comparison->warnings[i].text);
    }
    dj_terminal_remove_blanks(text, start);
}
