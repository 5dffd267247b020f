#include <math.h>

#include "memory/memory.h"
#include "report/compare.h"
#include "report/compare_words.h"
#include "report/name.h"
#include "report/terminal_page.h"

enum { TABLE_LEAST = 101, STRIP_MOST = 60, NAME_COLUMNS = 33, SHIFT_LABEL = 36 };

static int color_of(enum dj_judgement verdict)
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

/* ---- head ---- */

static void print_head(struct dj_terminal *out, const struct dj_comparison *comparison)
{
    const struct dj_side *sides[] = {comparison->a, comparison->b};
    struct dj_text words = {0};
    dj_comparison_words(comparison, &words);
    dj_terminal_bold(out, true);
    dj_terminal_color(out, color_of(comparison->overall.verdict));
    dj_terminal_line(out, dj_xtext(&words));
    dj_terminal_color(out, DJ_COLOR_NONE);
    dj_terminal_bold(out, false);
    dj_text_string(out->text, "\n");
    dj_text_finish(&words);
    for (int i = 0; i < 2; i++) {
        words = (struct dj_text){0};
        dj_text_format(&words, "%c: ", 'A' + i);
        dj_compare_words_side(&words, sides[i]);
        dj_terminal_put(out, "", "   ", &words);
    }
}

/* ---- the table ---- */

static void print_cell(struct dj_terminal *out, struct dj_text *cell, size_t columns,
                       bool right)
{
    const char *string = dj_xtext(cell);
    size_t used = dj_name_columns(string);
    size_t blanks = used < columns ? columns - used : 0;
    if (right) {
        dj_terminal_repeat(out, " ", blanks);
    }
    dj_terminal_line(out, string);
    if (!right) {
        dj_terminal_repeat(out, " ", blanks);
    }
    dj_text_finish(cell);
}

static void print_plain(struct dj_terminal *out, const char *string, size_t columns,
                        bool right)
{
    struct dj_text cell = {0};
    dj_text_string(&cell, string);
    print_cell(out, &cell, columns, right);
}

static void print_name(struct dj_terminal *out, const struct dj_comparison_metric *metric)
{
    struct dj_text cell = {0};
    dj_text_format(&cell, "%s%s, %s", metric->member.gates ? "*" : " ",
                   metric->metric->words, metric->metric->unit);
    print_cell(out, &cell, NAME_COLUMNS, false);
}

static void print_row(struct dj_terminal *out, const struct dj_comparison_metric *metric)
{
    const struct dj_effect *effect = &metric->member.effect;
    struct dj_text cell = {0};
    print_name(out, metric);
    dj_compare_words_value(&cell, metric->metric, effect->a, effect->mean_a);
    print_cell(out, &cell, 12, true);
    dj_compare_words_value(&cell, metric->metric, effect->b, effect->mean_b);
    print_cell(out, &cell, 12, true);
    dj_text_string(&cell, "  ");
    dj_effect_words(effect, &cell);
    print_cell(out, &cell, 28, false);
    dj_terminal_color(out, color_of(effect->verdict));
    dj_compare_words_verdict(&cell, metric);
    print_cell(out, &cell, 0, false);
    dj_terminal_color(out, DJ_COLOR_NONE);
    dj_text_string(out->text, "\n");
}

/* Without room for columns each metric is a sentence. */
static void print_sentence(struct dj_terminal *out,
                           const struct dj_comparison_metric *metric)
{
    const struct dj_effect *effect = &metric->member.effect;
    struct dj_text words = {0};
    dj_text_format(&words, "%s: ", metric->metric->words);
    dj_compare_words_value(&words, metric->metric, effect->a, effect->mean_a);
    dj_text_string(&words, " to ");
    dj_compare_words_value(&words, metric->metric, effect->b, effect->mean_b);
    dj_text_format(&words, DJ_GLUE "%s, ", metric->metric->unit);
    dj_effect_words(effect, &words);
    dj_text_string(&words, ", ");
    dj_compare_words_verdict(&words, metric);
    dj_terminal_put(out, metric->member.gates ? "* " : "  ", "  ", &words);
}

static void print_metrics(struct dj_terminal *out, const struct dj_comparison *comparison)
{
    bool wide = out->style.width >= TABLE_LEAST;
    dj_terminal_heading(out, "Metrics");
    if (wide) {
        print_plain(out, "", NAME_COLUMNS, false);
        print_plain(out, "A", 12, true);
        print_plain(out, "B", 12, true);
        print_plain(out, "  B against A", 28, false);
        print_plain(out, "verdict", 0, false);
        dj_text_string(out->text, "\n");
    }
    for (size_t i = 0; i < comparison->metric_count; i++) {
        (wide ? print_row : print_sentence)(out, &comparison->metrics[i]);
    }
    struct dj_text words = {0};
    dj_compare_words_about(&words, comparison);
    dj_terminal_put(out, "", "", &words);
}

/* ---- the quantile shift ---- */

static double widest_of(const struct dj_comparison *comparison)
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

static int place(double ratio, double widest, int columns)
{
    double at = ratio > 0 ? log(ratio) / widest : -INFINITY;
    at = at > 1 ? 1 : at < -1 ? -1 : at;
    return (int)lround((at + 1) / 2 * (columns - 1));
}

static void print_band(struct dj_terminal *out, const struct dj_shift_point *point,
                       double widest, int columns)
{
    int middle = place(1, widest, columns);
    int at = place(point->ratio, widest, columns);
    int low = place(point->ci.low, widest, columns);
    int high = place(point->ci.high, widest, columns);
    bool differs = point->ci.low > 1 || point->ci.high < 1;
    for (int i = 0; i < columns; i++) {
        bool within = i >= low && i <= high;
        dj_terminal_color(out, !within || !differs ? DJ_COLOR_MUTED
                               : point->ratio > 1  ? DJ_COLOR_BAD
                                                   : DJ_COLOR_GOOD);
        dj_text_string(out->text, i == at       ? dj_terminal_glyph(out, "●", "o")
                                  : within      ? dj_terminal_glyph(out, "─", "-")
                                  : i == middle ? dj_terminal_glyph(out, "│", "|")
                                                : " ");
        dj_terminal_color(out, DJ_COLOR_NONE);
    }
}

static void print_shift(struct dj_terminal *out, const struct dj_comparison *comparison)
{
    int columns = out->style.width - SHIFT_LABEL;
    double widest = widest_of(comparison);
    if (comparison->shift_count == 0) {
        return;
    }
    dj_terminal_heading(out, comparison->shift_guide_total
                                 ? "Quantile shift of guide_total, B against A"
                                 : "Quantile shift of frame times, B against A");
    for (size_t i = 0; i < comparison->shift_count; i++) {
        const struct dj_shift_point *point = &comparison->shift[i];
        double percent = 100 * (point->ratio - 1);
        dj_text_format(out->text, "p%-3g", 100 * point->q);
        if (columns >= 10) {
            dj_text_format(out->text, "%9.2f %s %-9.2f", point->a_ns / 1e6,
                           dj_terminal_glyph(out, "→", ">"), point->b_ns / 1e6);
        }
        dj_text_format(out->text, "%+6.1f %%  ", percent);
        if (columns >= 10) {
            print_band(out, point, widest, columns > STRIP_MOST ? STRIP_MOST : columns);
        }
        dj_text_string(out->text, "\n");
    }
}

/* ---- stages ---- */

static void print_stages(struct dj_terminal *out, const struct dj_comparison *comparison)
{
    bool titled = false;
    for (int stage = 0; stage < DJ_STAGE_COUNT; stage++) {
        double a = dj_compare_stage_ns(comparison->a, (enum dj_stage)stage);
        double b = dj_compare_stage_ns(comparison->b, (enum dj_stage)stage);
        struct dj_text words = {0};
        if (isnan(a) && isnan(b)) {
            continue;
        }
        if (!titled) {
            dj_terminal_heading(out,
                                "Stage by stage (median over runs of their medians, ms)");
            titled = true;
        }
        dj_text_format(&words, "%s%s: ", dj_stage_name((enum dj_stage)stage),
                       stage == DJ_STAGE_WAIT ? " (not counted)" : "");
        dj_compare_words_stage(&words, a, b);
        dj_terminal_put(out, "  ", "    ", &words);
    }
}

/* ---- run points ---- */

static double value_at(const struct dj_comparison_metric *metric,
                       const struct dj_effect_side *side, size_t i)
{
    bool share = metric->metric->kind == DJ_EFFECT_SHARE;
    return (share ? side->value[i] / side->of[i] : side->value[i]) /
           metric->metric->factor;
}

static void range_of(const struct dj_comparison_metric *metric, double *least,
                     double *most)
{
    const struct dj_effect_side *sides[] = {&metric->member.a, &metric->member.b};
    *least = *most = NAN;
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < sides[s]->count; i++) {
            double value = value_at(metric, sides[s], i);
            if (isfinite(value)) {
                *least = fmin(*least, value);
                *most = fmax(*most, value);
            }
        }
    }
}

static void print_strip(struct dj_terminal *out,
                        const struct dj_comparison_metric *metric,
                        const struct dj_effect_side *side, double least, double most)
{
    int columns = out->style.width - 4 < STRIP_MOST ? out->style.width - 4 : STRIP_MOST;
    unsigned char points[STRIP_MOST] = {0};
    double width = most > least ? most - least : 1;
    for (size_t i = 0; i < side->count; i++) {
        double value = value_at(metric, side, i);
        if (isfinite(value)) {
            int at = (int)lround((value - least) / width * (columns - 1));
            points[at] = (unsigned char)(points[at] < 9 ? points[at] + 1 : 9);
        }
    }
    for (int i = 0; i < columns; i++) {
        dj_terminal_color(out, points[i] > 0 ? DJ_COLOR_GOOD : DJ_COLOR_MUTED);
        if (points[i] > 1) {
            dj_text_format(out->text, "%d", points[i]);
        } else {
            dj_text_string(out->text, points[i] == 1 ? dj_terminal_glyph(out, "●", "o")
                                                     : dj_terminal_glyph(out, "·", "."));
        }
        dj_terminal_color(out, DJ_COLOR_NONE);
    }
    dj_text_string(out->text, "\n");
}

static void print_points(struct dj_terminal *out, const struct dj_comparison *comparison)
{
    dj_terminal_heading(out, "Each run a point (a digit: so many)");
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_comparison_metric *metric = &comparison->metrics[i];
        double least;
        double most;
        range_of(metric, &least, &most);
        if (!metric->member.gates || isnan(least)) {
            continue;
        }
        struct dj_text words = {0};
        dj_text_format(&words, "%s, %.2f … %.2f" DJ_GLUE "%s", metric->metric->words,
                       least, most, metric->metric->unit);
        dj_terminal_put(out, "", "  ", &words);
        dj_text_string(out->text, "  A ");
        print_strip(out, metric, &metric->member.a, least, most);
        dj_text_string(out->text, "  B ");
        print_strip(out, metric, &metric->member.b, least, most);
    }
}

/* ---- findings, warnings ---- */

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
            dj_terminal_heading(out, "Findings that appeared or went");
            titled = true;
        }
        struct dj_text words = {0};
        dj_compare_words_finding(&words, change);
        dj_terminal_put(out, dj_terminal_glyph(out, "• ", "* "), "  ", &words);
    }
}

static void print_warnings(struct dj_terminal *out,
                           const struct dj_comparison *comparison)
{
    if (comparison->warning_count > 0) {
        dj_terminal_heading(out, "Warnings");
    }
    for (size_t i = 0; i < comparison->warning_count; i++) {
        dj_terminal_wrap(out, dj_terminal_glyph(out, "• ", "* "), "  ",
                         comparison->warnings[i].text);
    }
}

void dj_compare_terminal(struct dj_text *text, const struct dj_comparison *comparison,
                         const struct dj_terminal_style *style)
{
    struct dj_terminal out = dj_terminal_on(text, style);
    size_t start = text->length;
    print_head(&out, comparison);
    print_metrics(&out, comparison);
    print_shift(&out, comparison);
    print_stages(&out, comparison);
    print_points(&out, comparison);
    print_findings(&out, comparison);
    print_warnings(&out, comparison);
    dj_terminal_strip_blanks(text, start);
}
