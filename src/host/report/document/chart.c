#include "report/document/chart.h"

#include <math.h>
#include <stdlib.h>

#include "memory/memory.h"

/* Space at each end of the y axis, as a part of the y range. */
static const double PAD = 0.06;

struct dj_chart *dj_chart_create(const char *title)
{
    struct dj_chart *chart = dj_xcalloc(1, sizeof(*chart));
    *chart = (struct dj_chart){.title = dj_xstrdup(title),
                               .x = {.first = NAN, .last = NAN},
                               .y = {.first = NAN, .last = NAN}};
    return chart;
}

static void free_axis(struct dj_chart_axis *axis)
{
    free(axis->label);
    free(axis->unit);
}

void dj_chart_free(struct dj_chart *chart)
{
    if (chart == NULL) {
        return;
    }
    for (size_t i = 0; i < chart->series_count; i++) {
        for (size_t k = 0; k < chart->series[i].point_count; k++) {
            free(chart->series[i].points[k].label);
            free(chart->series[i].points[k].target);
        }
        free(chart->series[i].points);
        free(chart->series[i].name);
    }
    for (size_t i = 0; i < chart->threshold_count; i++) {
        free(chart->thresholds[i].label);
    }
    for (size_t i = 0; i < chart->tick_count; i++) {
        free(chart->ticks[i].label);
    }
    free_axis(&chart->x);
    free_axis(&chart->y);
    free(chart->series);
    free(chart->thresholds);
    free(chart->ticks);
    free(chart->title);
    free(chart);
}

static void name_axis(struct dj_chart_axis *axis, const char *label, const char *unit)
{
    free_axis(axis);
    axis->label = dj_xstrdup(label);
    axis->unit = dj_xstrdup(unit);
}

void dj_chart_set_x(struct dj_chart *chart, const char *label, const char *unit)
{
    name_axis(&chart->x, label, unit);
}

void dj_chart_set_y(struct dj_chart *chart, const char *label, const char *unit,
                    bool from_zero)
{
    name_axis(&chart->y, label, unit);
    chart->y.from_zero = from_zero;
}

void dj_chart_add_series(struct dj_chart *chart, const char *name, enum dj_mark mark,
                         enum dj_color_role role)
{
    DJ_XPUSH(
        chart->series, chart->series_count,
        (struct dj_chart_series){.name = dj_xstrdup(name), .mark = mark, .role = role});
}

static void add_point(struct dj_chart *chart, struct dj_chart_point point,
                      const char *label)
{
    struct dj_chart_series *series = &chart->series[chart->series_count - 1];
    if (isfinite(point.x) && isfinite(point.y)) {
        point.label = dj_xstrdup(label);
        DJ_XPUSH(series->points, series->point_count, point);
    }
}

void dj_chart_add_point(struct dj_chart *chart, double x, double y, const char *label)
{
    add_point(
        chart,
        (struct dj_chart_point){.x = x, .y = y, .x_end = NAN, .low = NAN, .high = NAN},
        label);
}

void dj_chart_add_bar(struct dj_chart *chart, double x, double x_end, double y,
                      const char *label)
{
    add_point(
        chart,
        (struct dj_chart_point){.x = x, .x_end = x_end, .y = y, .low = NAN, .high = NAN},
        label);
}

void dj_chart_add_interval(struct dj_chart *chart, double x, double y, double low,
                           double high, const char *label)
{
    add_point(
        chart,
        (struct dj_chart_point){.x = x, .x_end = NAN, .y = y, .low = low, .high = high},
        label);
}

void dj_chart_add_threshold(struct dj_chart *chart, bool is_vertical, double at,
                            enum dj_color_role role, const char *label)
{
    if (isfinite(at)) {
        DJ_XPUSH(chart->thresholds, chart->threshold_count,
                 (struct dj_chart_threshold){.at = at,
                                             .row = NAN,
                                             .is_vertical = is_vertical,
                                             .role = role,
                                             .label = dj_xstrdup(label)});
    }
}

void dj_chart_add_row_threshold(struct dj_chart *chart, size_t row, double at,
                                enum dj_color_role role, const char *label)
{
    if (isfinite(at)) {
        dj_chart_add_threshold(chart, true, at, role, label);
        chart->thresholds[chart->threshold_count - 1].row = (double)row;
    }
}

void dj_chart_add_span(struct dj_chart *chart, double x, double x_end, size_t row,
                       const char *label)
{
    dj_chart_add_bar(chart, x, x_end, (double)row, label);
}

void dj_chart_set_target(struct dj_chart_point *point, const char *path)
{
    free(point->target);
    point->target = dj_xstrdup(path);
}

void dj_chart_set_letter(struct dj_chart *chart, char letter)
{
    chart->series[chart->series_count - 1].letter = letter;
}

void dj_chart_name_spans(struct dj_chart *chart)
{
    chart->has_named_spans = true;
}

size_t dj_chart_count_rows(const struct dj_chart *chart)
{
    size_t count = chart->tick_count;
    for (size_t i = 0; chart->has_named_spans && i < chart->series_count; i++) {
        for (size_t k = 0; k < chart->series[i].point_count; k++) {
            size_t row = (size_t)chart->series[i].points[k].y;
            count = row + 1 > count ? row + 1 : count;
        }
    }
    return count;
}

bool dj_chart_has_rows(const struct dj_chart *chart)
{
    return chart->series_count > 0 && chart->series[0].mark == DJ_MARK_SPAN;
}

bool dj_chart_has_stacks(const struct dj_chart *chart)
{
    return chart->series_count > 0 && chart->series[0].mark == DJ_MARK_STACK;
}

/* Returns the y of the point at x, or 0 if there is no such point. Searches by bisection,
 * because the points of a series are sorted by x. */
static double get_y(const struct dj_chart_series *series, double x)
{
    size_t low = 0, high = series->point_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (series->points[middle].x < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < series->point_count && series->points[low].x == x ? series->points[low].y
                                                                   : 0;
}

double dj_chart_find_base(const struct dj_chart *chart, size_t series, double x)
{
    double base = 0;
    for (size_t i = 0; i < series; i++) {
        base += get_y(&chart->series[i], x);
    }
    return base;
}

void dj_chart_add_tick(struct dj_chart *chart, double at, const char *label)
{
    DJ_XPUSH(chart->ticks, chart->tick_count,
             (struct dj_chart_tick){.at = at, .label = dj_xstrdup(label)});
}

bool dj_chart_is_empty(const struct dj_chart *chart)
{
    for (size_t i = 0; i < chart->series_count; i++) {
        if (chart->series[i].point_count > 0) {
            return false;
        }
    }
    return true;
}

static void extend(double *first, double *last, double value)
{
    if (isfinite(value)) {
        *first = fmin(*first, value);
        *last = fmax(*last, value);
    }
}

static void include_points(const struct dj_chart *chart, size_t index,
                           struct dj_chart_range *range)
{
    const struct dj_chart_series *series = &chart->series[index];
    for (size_t i = 0; i < series->point_count; i++) {
        const struct dj_chart_point *point = &series->points[i];
        extend(&range->x_first, &range->x_last, point->x);
        extend(&range->x_first, &range->x_last, point->x_end);
        extend(&range->y_first, &range->y_last, point->y);
        extend(&range->y_first, &range->y_last, point->low);
        extend(&range->y_first, &range->y_last, point->high);
        if (series->mark == DJ_MARK_BAR || series->mark == DJ_MARK_STACK) {
            extend(&range->y_first, &range->y_last, 0);
        }
        if (series->mark == DJ_MARK_STACK) {
            extend(&range->y_first, &range->y_last,
                   dj_chart_find_base(chart, index + 1, point->x));
            extend(&range->x_first, &range->x_last, point->x + 1);
        }
    }
}

static void include_thresholds(const struct dj_chart *chart, struct dj_chart_range *range)
{
    for (size_t i = 0; i < chart->threshold_count; i++) {
        const struct dj_chart_threshold *threshold = &chart->thresholds[i];
        if (threshold->is_vertical) {
            extend(&range->x_first, &range->x_last, threshold->at);
        } else {
            extend(&range->y_first, &range->y_last, threshold->at);
        }
    }
}

static void widen(double *first, double *last, double part)
{
    double pad = *last > *first ? part * (*last - *first)
                                : fmax(0.1 * fabs(*last), 1e-9) * (part > 0);
    *first -= pad;
    *last += pad;
    if (!(*last > *first)) {
        *first -= 0.5;
        *last += 0.5;
    }
}

struct dj_chart_range dj_chart_compute_range(const struct dj_chart *chart)
{
    struct dj_chart_range range = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t i = 0; i < chart->series_count; i++) {
        include_points(chart, i, &range);
    }
    include_thresholds(chart, &range);
    if (chart->y.from_zero) {
        extend(&range.y_first, &range.y_last, 0);
    }
    double lowest = range.y_first;
    widen(&range.x_first, &range.x_last, 0);
    widen(&range.y_first, &range.y_last, PAD);
    range.y_first = lowest >= 0 && range.y_first < 0 ? 0 : range.y_first;
    range.x_first = isnan(chart->x.first) ? range.x_first : chart->x.first;
    range.x_last = isnan(chart->x.last) ? range.x_last : chart->x.last;
    range.y_first = isnan(chart->y.first) ? range.y_first : chart->y.first;
    range.y_last = isnan(chart->y.last) ? range.y_last : chart->y.last;
    return range;
}
