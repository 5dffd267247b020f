#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "report/document.h"
#include "report/document/terminal_chart.h"
#include "report/escape/name.h"

/* Minimum width of a shown span, as a fraction of the chart's width. */
static const double PART_LEAST = 0.02;

/* Deeper rows are not indented further. */
enum { INDENT_MOST = 24 };

struct named_span {
    const struct dj_chart_point *point;
    const struct dj_chart_series *series;
};

/* A caller comes before its callees. */
static int by_start(const void *a, const void *b)
{
    const struct dj_chart_point *left = ((const struct named_span *)a)->point;
    const struct dj_chart_point *right = ((const struct named_span *)b)->point;
    int order = DJ_COMPARE(left->x, right->x);
    return order != 0 ? order : DJ_COMPARE(left->y, right->y);
}

static void write_span(struct dj_terminal *out, const struct named_span *span,
                       const char *unit)
{
    struct dj_text first = {0}, words = {0};
    int depth = span->point->y < INDENT_MOST ? (int)span->point->y : INDENT_MOST;
    dj_chart_write_mark(out, span->series);
    dj_text_format(&first, "%*s", depth + 1, "");
    dj_text_format(&words, "%.1f" DJ_NBSP "%s ", span->point->x_end - span->point->x,
                   unit);
    dj_name_escape(&words, span->point->label, !out->style.unicode);
    dj_terminal_wrap(out, dj_xtext(&first), "      ", dj_xtext(&words));
    dj_text_finish(&first);
    dj_text_finish(&words);
}

/* Writes the vertical thresholds in (from, to], each as a line. */
static void write_thresholds(struct dj_terminal *out, const struct dj_chart *chart,
                             double from, double to)
{
    for (size_t i = 0; i < chart->threshold_count; i++) {
        const struct dj_chart_threshold *threshold = &chart->thresholds[i];
        if (threshold->is_vertical && threshold->at > from && threshold->at <= to) {
            struct dj_text words = {0};
            dj_text_format(&words, "%s at %.1f" DJ_NBSP "%s", threshold->label,
                           threshold->at, chart->x.unit);
            dj_terminal_set_color(out, DJ_COLOR_DEADLINE);
            dj_terminal_wrap(out, "| ", "  ", dj_xtext(&words));
            dj_terminal_set_color(out, DJ_COLOR_NONE);
            dj_text_finish(&words);
        }
    }
}

void dj_chart_write_named_spans(struct dj_terminal *out, const struct dj_chart *chart)
{
    struct dj_chart_range range = dj_chart_compute_range(chart);
    double least = PART_LEAST * (range.x_last - range.x_first);
    struct named_span *spans = NULL;
    size_t count = 0;
    for (size_t i = 0; i < chart->series_count; i++) {
        for (size_t k = 0; k < chart->series[i].point_count; k++) {
            const struct dj_chart_point *point = &chart->series[i].points[k];
            if (point->x_end - point->x >= least && point->label != NULL) {
                DJ_XPUSH(spans, count, (struct named_span){point, &chart->series[i]});
            }
        }
    }
    qsort(spans, count, sizeof(*spans), by_start);
    for (size_t i = 0; i < count; i++) {
        write_thresholds(out, chart, i > 0 ? spans[i - 1].point->x : -INFINITY,
                         spans[i].point->x);
        write_span(out, &spans[i], chart->x.unit);
    }
    write_thresholds(out, chart, count > 0 ? spans[count - 1].point->x : -INFINITY,
                     INFINITY);
    dj_chart_write_legend(out, chart);
    free(spans);
}
