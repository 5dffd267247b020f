#include "report/document/picture_chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"
#include "report/picture/plot.h"

enum {
    CONTENT = DJ_CANVAS_WIDTH - 2 * DJ_CANVAS_MARGIN,
    LEFT = 70,
    ROW_NAMES = 220,
    ROW = 30, /* Height of a row of spans. */
    RIGHT = 20,
    HEIGHT = 190,
    BELOW = 56, /* Space below the chart for the numbers and the name of the x axis. */
    GAP = 20,
    LEGEND_MAX = 16,
    DOT = 3
};

static const enum dj_ink inks[DJ_ROLE_COUNT] = {
    [DJ_ROLE_GOOD] = DJ_INK_GOOD,
    [DJ_ROLE_BAD] = DJ_INK_BAD,
    [DJ_ROLE_MUTED] = DJ_INK_MUTED,
    [DJ_ROLE_TEXT] = DJ_INK_TEXT,
    [DJ_ROLE_DEADLINE] = DJ_INK_DEADLINE,
    [DJ_ROLE_FIRST] = DJ_INK_GOOD,
    [DJ_ROLE_SECOND] = DJ_INK_BAD,
    [DJ_ROLE_THIRD] = DJ_INK_STAGE + DJ_STAGE_ANIMATION,
    [DJ_ROLE_FOURTH] = DJ_INK_STAGE + DJ_STAGE_INPUT,
};

static enum dj_ink get_ink(enum dj_color_role role)
{
    return role >= DJ_ROLE_STAGE ? DJ_INK_STAGE + (role - DJ_ROLE_STAGE) : inks[role];
}

/* The area of the chart inside its axes, and the values at the edges of the area. */
struct area {
    struct dj_canvas *canvas;
    const struct dj_chart *chart;
    struct dj_canvas_rect rect;
    struct dj_chart_range range;
};

static double map_x(const struct area *area, double x)
{
    double part = (x - area->range.x_first) / (area->range.x_last - area->range.x_first);
    return area->rect.x + part * area->rect.width;
}

/* Returns the position of a value. A value beyond an edge is drawn at the edge. */
static double map_y(const struct area *area, double y)
{
    double within = fmin(area->range.y_last, fmax(area->range.y_first, y));
    double part =
        (area->range.y_last - within) / (area->range.y_last - area->range.y_first);
    return area->rect.y + part * area->rect.height;
}

/* Returns the position of a row of spans. Row 0 is at the upper edge. */
static double find_row_y(const struct area *area, double row)
{
    return area->rect.y + area->rect.height * row / (double)area->chart->tick_count;
}

static void write_axis_name(struct dj_text *text, const struct dj_chart_axis *axis)
{
    dj_text_add(text, axis->label);
    if (axis->unit[0] != '\0') {
        dj_text_format(text, " (%s)", axis->unit);
    }
}

static void draw_y_axis(const struct area *area)
{
    const struct dj_canvas_font number = {
        .size = 12.5, .ink = DJ_INK_MUTED, .align = DJ_ALIGN_RIGHT};
    const struct dj_canvas_font title = {.size = 12.5, .ink = DJ_INK_MUTED};
    double step = dj_plot_choose_step(area->range.y_last - area->range.y_first, 5, false);
    struct dj_text name = {0};
    for (double at = ceil(area->range.y_first / step - 1e-9) * step;
         at <= area->range.y_last * (1 + 1e-9); at += step) {
        char label[32];
        double y = map_y(area, at);
        snprintf(label, sizeof(label), "%.6g", fabs(at) < step / 2 ? 0 : at);
        dj_canvas_draw_line(area->canvas, area->rect.x, y,
                            area->rect.x + area->rect.width, y, DJ_INK_GRID);
        dj_canvas_draw_text(area->canvas, area->rect.x - 8, y + 4.5, &number, label);
    }
    write_axis_name(&name, &area->chart->y);
    dj_canvas_draw_text(area->canvas, DJ_CANVAS_MARGIN, area->rect.y - 12, &title,
                        dj_xtext(&name));
    dj_text_finish(&name);
}

static void draw_x_label(const struct area *area, double at, const char *label)
{
    struct dj_canvas_font font = {
        .size = 12.5, .ink = DJ_INK_MUTED, .align = DJ_ALIGN_CENTER};
    double half = dj_canvas_measure_text(area->canvas, &font, label) / 2;
    double right = area->rect.x + area->rect.width + RIGHT;
    double x = fmin(map_x(area, at), right - half);
    dj_canvas_draw_text(area->canvas, x, area->rect.y + area->rect.height + 20, &font,
                        label);
}

/* Draws the names on the x axis. Omits a name that would overlap the previous one. */
static void draw_named_ticks(const struct area *area)
{
    const struct dj_canvas_font font = {.size = 12.5, .ink = DJ_INK_MUTED};
    double free = 0;
    for (size_t i = 0; i < area->chart->tick_count; i++) {
        const struct dj_chart_tick *tick = &area->chart->ticks[i];
        double half = dj_canvas_measure_text(area->canvas, &font, tick->label) / 2;
        double x = map_x(area, tick->at);
        if (x - half >= free) {
            draw_x_label(area, tick->at, tick->label);
            free = x + half + 12;
        }
    }
}

static void draw_row_names(const struct area *area)
{
    const struct dj_canvas_font font = {.size = 12.5,
                                        .ink = DJ_INK_TEXT,
                                        .align = DJ_ALIGN_RIGHT,
                                        .max_width = ROW_NAMES - 12};
    for (size_t i = 0; i < area->chart->tick_count; i++) {
        dj_canvas_draw_text(area->canvas, area->rect.x - 8,
                            find_row_y(area, area->chart->ticks[i].at + 0.5) + 4.5, &font,
                            area->chart->ticks[i].label);
    }
}

static void draw_x_axis(const struct area *area)
{
    struct dj_text name = {0};
    double width = area->range.x_last - area->range.x_first;
    double step = dj_plot_choose_step(width, 10, false);
    double first = ceil(area->range.x_first / step - 1e-9) * step;
    for (double at = first;
         (area->chart->tick_count == 0 || dj_chart_has_rows(area->chart)) &&
         at <= area->range.x_last + step * 1e-9;
         at += step) {
        char label[32];
        snprintf(label, sizeof(label), "%.6g", fabs(at) < step / 2 ? 0 : at);
        draw_x_label(area, at, label);
    }
    if (!dj_chart_has_rows(area->chart)) {
        draw_named_ticks(area);
    }
    write_axis_name(&name, &area->chart->x);
    const struct dj_canvas_font font = {.size = 12.5,
                                        .ink = DJ_INK_MUTED,
                                        .align = DJ_ALIGN_CENTER,
                                        .max_width = area->rect.width};
    dj_canvas_draw_text(area->canvas, area->rect.x + area->rect.width / 2,
                        area->rect.y + area->rect.height + 39, &font, dj_xtext(&name));
    dj_text_finish(&name);
}

static void draw_bar(const struct area *area, const struct dj_chart_series *series,
                     size_t index)
{
    const struct dj_chart_point *point = &series->points[index];
    double left = map_x(area, point->x);
    double right = isfinite(point->x_end) ? map_x(area, point->x_end)
                                          : area->rect.x + area->rect.width;
    double bottom = map_y(area, 0);
    double top = point->y > 0 ? fmin(map_y(area, point->y), bottom - 1.5) : bottom;
    dj_canvas_fill_rect(
        area->canvas,
        &(struct dj_canvas_rect){left + 1, top, fmax(1, right - left - 2), bottom - top},
        get_ink(series->role));
}

static void draw_line(const struct area *area, const struct dj_chart_series *series,
                      size_t index)
{
    const struct dj_chart_point *to = &series->points[index];
    const struct dj_chart_point *from = &series->points[index > 0 ? index - 1 : 0];
    dj_canvas_draw_segment(area->canvas, map_x(area, from->x), map_y(area, from->y),
                           map_x(area, to->x), map_y(area, to->y), get_ink(series->role));
}

static void draw_step(const struct area *area, const struct dj_chart_series *series,
                      size_t index)
{
    const struct dj_chart_point *to = &series->points[index];
    const struct dj_chart_point *from = &series->points[index > 0 ? index - 1 : 0];
    double x = map_x(area, to->x);
    dj_canvas_draw_segment(area->canvas, map_x(area, from->x), map_y(area, from->y), x,
                           map_y(area, from->y), get_ink(series->role));
    dj_canvas_draw_segment(area->canvas, x, map_y(area, from->y), x, map_y(area, to->y),
                           get_ink(series->role));
}

static void draw_point(const struct area *area, const struct dj_chart_series *series,
                       size_t index)
{
    const struct dj_chart_point *point = &series->points[index];
    dj_canvas_draw_dot(area->canvas, map_x(area, point->x), map_y(area, point->y), DOT,
                       get_ink(series->role));
}

static void draw_interval(const struct area *area, const struct dj_chart_series *series,
                          size_t index)
{
    const struct dj_chart_point *point = &series->points[index];
    double x = map_x(area, point->x);
    if (isfinite(point->low) && isfinite(point->high)) {
        dj_canvas_draw_segment(area->canvas, x, map_y(area, point->low), x,
                               map_y(area, point->high), get_ink(series->role));
    }
    draw_point(area, series, index);
}

/* Draws the label of a span inside the span, or as much of it as fits. */
static void draw_span_name(const struct area *area, const struct dj_chart_point *point,
                           double left, double right)
{
    enum { SPACE = 4, WIDTH_LEAST = 24 };
    const struct dj_canvas_font font = {
        .size = 11.5, .ink = DJ_INK_PAPER, .max_width = right - left - 2 * SPACE};
    if (point->label != NULL && font.max_width >= WIDTH_LEAST) {
        dj_canvas_draw_text(area->canvas, left + SPACE,
                            find_row_y(area, point->y + 0.5) + 4, &font, point->label);
    }
}

static void draw_span(const struct area *area, const struct dj_chart_series *series,
                      size_t index)
{
    const struct dj_chart_point *point = &series->points[index];
    double left = map_x(area, point->x);
    double top = find_row_y(area, point->y);
    dj_canvas_fill_rect(
        area->canvas,
        &(struct dj_canvas_rect){left, top + 3, fmax(1, map_x(area, point->x_end) - left),
                                 find_row_y(area, point->y + 1) - top - 6},
        get_ink(series->role));
    if (area->chart->has_named_spans) {
        draw_span_name(area, point, left, map_x(area, point->x_end));
    }
}

static void draw_stack(const struct area *area, const struct dj_chart_series *series,
                       size_t index)
{
    const struct dj_chart_point *point = &series->points[index];
    double base =
        dj_chart_find_base(area->chart, (size_t)(series - area->chart->series), point->x);
    double left = map_x(area, point->x);
    double top = map_y(area, base + point->y);
    dj_canvas_fill_rect(
        area->canvas,
        &(struct dj_canvas_rect){left, top, fmax(0.5, map_x(area, point->x + 1) - left),
                                 map_y(area, base) - top},
        get_ink(series->role));
}

static void (*const drawers[DJ_MARK_COUNT])(const struct area *area,
                                            const struct dj_chart_series *series,
                                            size_t index) = {
    [DJ_MARK_BAR] = draw_bar,           [DJ_MARK_LINE] = draw_line,
    [DJ_MARK_STEP] = draw_step,         [DJ_MARK_POINT] = draw_point,
    [DJ_MARK_INTERVAL] = draw_interval, [DJ_MARK_SPAN] = draw_span,
    [DJ_MARK_STACK] = draw_stack,
};

static void draw_threshold(const struct area *area,
                           const struct dj_chart_threshold *threshold)
{
    double left = area->rect.x, top = area->rect.y;
    if (threshold->is_vertical) {
        double x = map_x(area, threshold->at);
        bool one_row = isfinite(threshold->row);
        top = one_row ? find_row_y(area, threshold->row) : top;
        double bottom = one_row ? find_row_y(area, threshold->row + 1)
                                : area->rect.y + area->rect.height;
        dj_canvas_draw_dashes(area->canvas, x, top, x, bottom, get_ink(threshold->role));
    } else {
        double y = map_y(area, threshold->at);
        dj_canvas_draw_dashes(area->canvas, left, y, left + area->rect.width, y,
                              get_ink(threshold->role));
    }
}

/* Returns whether an earlier threshold has the same label. */
static bool is_repeated(const struct dj_chart *chart, size_t threshold)
{
    for (size_t i = 0; i < threshold; i++) {
        if (strcmp(chart->thresholds[i].label, chart->thresholds[threshold].label) == 0) {
            return true;
        }
    }
    return false;
}

static double draw_legend(struct dj_canvas *canvas, const struct dj_chart *chart,
                          double y)
{
    struct dj_legend_key keys[LEGEND_MAX];
    size_t count = 0;
    for (size_t i = 0; i < chart->series_count && chart->series_count > 1; i++) {
        if (count < LEGEND_MAX) {
            keys[count++] = (struct dj_legend_key){get_ink(chart->series[i].role),
                                                   chart->series[i].name};
        }
    }
    for (size_t i = 0; i < chart->threshold_count && count < LEGEND_MAX; i++) {
        if (!is_repeated(chart, i)) {
            keys[count++] = (struct dj_legend_key){get_ink(chart->thresholds[i].role),
                                                   chart->thresholds[i].label};
        }
    }
    return count == 0 ? y
                      : dj_picture_draw_legend(canvas, DJ_CANVAS_MARGIN, y, CONTENT, keys,
                                               count);
}

double dj_chart_draw(struct dj_canvas *canvas, const struct dj_chart *chart, double y)
{
    y = dj_picture_draw_title(canvas, DJ_CANVAS_MARGIN, y, CONTENT, chart->title);
    y = draw_legend(canvas, chart, y) + 30;
    bool rows = dj_chart_has_rows(chart);
    int left = chart->has_named_spans ? 0 : rows ? ROW_NAMES : LEFT;
    int height = rows ? ROW * (int)dj_chart_count_rows(chart) : HEIGHT;
    const struct area area = {
        canvas,
        chart,
        {DJ_CANVAS_MARGIN + left, y, CONTENT - left - RIGHT, height},
        dj_chart_compute_range(chart)};
    (rows ? draw_row_names : draw_y_axis)(&area);
    draw_x_axis(&area);
    for (size_t i = 0; i < chart->series_count; i++) {
        for (size_t k = 0; k < chart->series[i].point_count; k++) {
            drawers[chart->series[i].mark](&area, &chart->series[i], k);
        }
    }
    for (size_t i = 0; i < chart->threshold_count; i++) {
        draw_threshold(&area, &chart->thresholds[i]);
    }
    return y + height + BELOW + GAP;
}
