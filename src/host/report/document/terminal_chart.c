/* Charts on a terminal: bars as a line each, all other marks on a grid of characters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"
#include "report/document/render.h"
#include "report/document/terminal_chart.h"
#include "report/escape/name.h"
#include "report/terminal/lines.h"

enum {
    ROWS = 9,
    AXIS = 9,
    COLUMNS_MAX = 72,
    BAR_LABEL = 13,
    BAR_VALUE = 7,
    BARS_NARROW = 32, /* Columns below which the numbers of bars have fewer digits. */
    NARROW_LABEL = 9,
    EMPTY_MAX = 2
};

static const int colors[DJ_ROLE_COUNT] = {[DJ_ROLE_GOOD] = DJ_COLOR_GOOD,
                                          [DJ_ROLE_BAD] = DJ_COLOR_BAD,
                                          [DJ_ROLE_MUTED] = DJ_COLOR_MUTED,
                                          [DJ_ROLE_TEXT] = DJ_COLOR_NONE,
                                          [DJ_ROLE_FIRST] = DJ_COLOR_GOOD,
                                          [DJ_ROLE_SECOND] = DJ_COLOR_BAD,
                                          [DJ_ROLE_THIRD] = 36,
                                          [DJ_ROLE_FOURTH] = 175,
                                          [DJ_ROLE_DEADLINE] = DJ_COLOR_DEADLINE,
                                          [DJ_ROLE_STAGE] = 62,
                                          [DJ_ROLE_STAGE + 1] = 245,
                                          [DJ_ROLE_STAGE + 2] = 175,
                                          [DJ_ROLE_STAGE + 3] = 36,
                                          [DJ_ROLE_STAGE + 4] = 74,
                                          [DJ_ROLE_STAGE + 5] = 25,
                                          [DJ_ROLE_STAGE + 6] = 240,
                                          [DJ_ROLE_STAGE + 7] = 178,
                                          [DJ_ROLE_STAGE + 8] = 172,
                                          [DJ_ROLE_STAGE + 9] = 166};

/* The characters that mark the points of the first, second … series. They distinguish the
 * series without colour. */
static const char *const unicode_marks[] = {"●", "○", "▲", "△", "■", "□"};
static const char *const ascii_marks[] = {"o", "x", "+", "*", "#", "%"};

static void write_title(struct dj_terminal *out, const struct dj_chart *chart)
{
    if (chart->title != NULL && chart->title[0] != '\0') {
        dj_terminal_set_bold(out, true);
        dj_terminal_wrap(out, "", "  ", chart->title);
        dj_terminal_set_bold(out, false);
    }
}

static double find_largest(const struct dj_chart_series *series)
{
    double largest = 0;
    for (size_t i = 0; i < series->point_count; i++) {
        largest = fmax(largest, series->points[i].y);
    }
    return largest;
}

static void write_bar(struct dj_terminal *out, const struct dj_chart_series *series,
                      const struct dj_chart_point *point, double largest)
{
    char range[40];
    bool narrow = out->style.width < BARS_NARROW;
    int label = narrow ? NARROW_LABEL : BAR_LABEL, digits = narrow ? 3 : 4;
    int columns = out->style.width - label - BAR_VALUE - 2;
    if (isfinite(point->x_end)) {
        snprintf(range, sizeof(range), "%.*g-%.*g", digits, point->x, digits,
                 point->x_end);
    } else {
        snprintf(range, sizeof(range), "%.*g-", digits, point->x);
    }
    dj_text_format(out->text, "%*s%*.6g", label, range, BAR_VALUE, point->y);
    if (point->y > 0) {
        dj_text_add(out->text, "  ");
        dj_terminal_set_color(out, colors[series->role]);
        dj_terminal_write_bar(out, point->y, largest, columns > 1 ? (size_t)columns : 1);
        dj_terminal_set_color(out, DJ_COLOR_NONE);
    }
    dj_text_add(out->text, "\n");
}

/* Writes the vertical thresholds in (from, to], each as a line between two bars. */
static void write_rules(struct dj_terminal *out, const struct dj_chart *chart,
                        double from, double to)
{
    for (size_t i = 0; i < chart->threshold_count; i++) {
        const struct dj_chart_threshold *threshold = &chart->thresholds[i];
        if (threshold->is_vertical && threshold->at > from && threshold->at <= to) {
            struct dj_text label = {0};
            dj_text_format(&label, " %s ", threshold->label);
            if (dj_name_count_columns(dj_xtext(&label)) + 2 <= (size_t)out->style.width) {
                dj_terminal_write_rule(out, dj_xtext(&label));
            } else {
                dj_terminal_wrap(out, "-- ", "   ", threshold->label);
            }
            dj_text_finish(&label);
        }
    }
}

static bool has_rule(const struct dj_chart *chart, double from, double to)
{
    for (size_t i = 0; i < chart->threshold_count; i++) {
        const struct dj_chart_threshold *threshold = &chart->thresholds[i];
        if (threshold->is_vertical && threshold->at > from && threshold->at <= to) {
            return true;
        }
    }
    return false;
}

/* Finds the bar of any series that follows `from` on the x axis. Returns NULL after the
 * last bar. */
static const struct dj_chart_point *find_next_bar(const struct dj_chart *chart,
                                                  double from,
                                                  const struct dj_chart_series **series)
{
    const struct dj_chart_point *next = NULL;
    for (size_t i = 0; i < chart->series_count; i++) {
        for (size_t k = 0; k < chart->series[i].point_count; k++) {
            const struct dj_chart_point *point = &chart->series[i].points[k];
            if (point->x > from && (next == NULL || point->x < next->x)) {
                next = point;
                *series = &chart->series[i];
            }
        }
    }
    return next;
}

/* Returns the number of empty bars that follow `from`, before the next threshold. */
static size_t count_empty_bars(const struct dj_chart *chart, double from, double *last)
{
    const struct dj_chart_series *series;
    const struct dj_chart_point *point;
    size_t count = 0;
    while ((point = find_next_bar(chart, from, &series)) != NULL && point->y == 0 &&
           (count == 0 || !has_rule(chart, from, point->x))) {
        from = *last = point->x;
        count++;
    }
    return count;
}

/* Writes the bars. Shortens a sequence of more than EMPTY_MAX empty bars. */
static void write_bars(struct dj_terminal *out, const struct dj_chart *chart)
{
    const struct dj_chart_series *series = NULL;
    const struct dj_chart_point *point;
    double largest = 0;
    double from = -INFINITY;
    double last = from;
    for (size_t i = 0; i < chart->series_count; i++) {
        largest = fmax(largest, find_largest(&chart->series[i]));
    }
    while ((point = find_next_bar(chart, from, &series)) != NULL) {
        write_rules(out, chart, from, point->x);
        if (count_empty_bars(chart, from, &last) > EMPTY_MAX) {
            dj_text_format(out->text, "%*s\n", BAR_LABEL, ":");
            from = last;
        } else {
            from = point->x;
            write_bar(out, series, point, largest);
        }
    }
    write_rules(out, chart, from, INFINITY);
}

struct grid {
    struct dj_chart_range range;
    int columns;
    struct place {
        const char *mark; /* The character at this position, or NULL. */
        int color;
    } * places; /* ROWS rows of `columns` positions. */
};

static int find_column(const struct grid *grid, double x)
{
    double width = grid->range.x_last - grid->range.x_first;
    return (int)lround((x - grid->range.x_first) / width * (grid->columns - 1));
}

static int find_row(const struct grid *grid, double y)
{
    double height = grid->range.y_last - grid->range.y_first;
    return (int)lround((grid->range.y_last - y) / height * (ROWS - 1));
}

static void set_place(struct grid *grid, int column, int row, const char *mark, int color)
{
    if (column >= 0 && column < grid->columns && row >= 0 && row < ROWS) {
        grid->places[row * grid->columns + column] = (struct place){mark, color};
    }
}

static void set_thresholds(struct dj_terminal *out, struct grid *grid,
                           const struct dj_chart *chart)
{
    for (size_t i = 0; i < chart->threshold_count; i++) {
        const struct dj_chart_threshold *threshold = &chart->thresholds[i];
        int count = threshold->is_vertical ? ROWS : grid->columns;
        for (int k = 0; k < count; k++) {
            set_place(grid, threshold->is_vertical ? find_column(grid, threshold->at) : k,
                      threshold->is_vertical ? k : find_row(grid, threshold->at),
                      threshold->is_vertical ? dj_terminal_choose_glyph(out, "┊", "|")
                                             : dj_terminal_choose_glyph(out, "╌", "-"),
                      colors[threshold->role]);
        }
    }
}

static void set_interval(struct dj_terminal *out, struct grid *grid,
                         const struct dj_chart_point *point, int color)
{
    if (isfinite(point->low) && isfinite(point->high)) {
        for (int row = find_row(grid, point->high); row <= find_row(grid, point->low);
             row++) {
            set_place(grid, find_column(grid, point->x), row,
                      dj_terminal_choose_glyph(out, "│", "|"), color);
        }
    }
}

/* Draws the line from the previous point to this point. */
static void set_line(struct dj_terminal *out, struct grid *grid,
                     const struct dj_chart_series *series, size_t index)
{
    const struct dj_chart_point *to = &series->points[index];
    const struct dj_chart_point *from = &series->points[index > 0 ? index - 1 : 0];
    int first = find_column(grid, from->x);
    int last = find_column(grid, to->x);
    for (int column = first; column <= last; column++) {
        double part = last > first ? (double)(column - first) / (last - first) : 0;
        double y =
            series->mark == DJ_MARK_STEP ? from->y : from->y + part * (to->y - from->y);
        set_place(grid, column, find_row(grid, y),
                  dj_terminal_choose_glyph(out, "─", "-"), colors[series->role]);
    }
}

static const char *choose_mark(const struct dj_terminal *out, size_t series)
{
    size_t i = series % COUNT_OF(unicode_marks);
    return dj_terminal_choose_glyph(out, unicode_marks[i], ascii_marks[i]);
}

static void set_series(struct dj_terminal *out, struct grid *grid,
                       const struct dj_chart *chart)
{
    for (size_t i = 0; i < chart->series_count; i++) {
        const struct dj_chart_series *series = &chart->series[i];
        bool joined = series->mark == DJ_MARK_LINE || series->mark == DJ_MARK_STEP;
        for (size_t k = 0; k < series->point_count; k++) {
            const struct dj_chart_point *point = &series->points[k];
            if (joined) {
                set_line(out, grid, series, k);
                continue;
            }
            set_interval(out, grid, point, colors[series->role]);
            set_place(grid, find_column(grid, point->x), find_row(grid, point->y),
                      choose_mark(out, i), colors[series->role]);
        }
    }
}

static void write_grid(struct dj_terminal *out, const struct grid *grid)
{
    for (int row = 0; row < ROWS; row++) {
        double height = grid->range.y_last - grid->range.y_first;
        double y = grid->range.y_last - height * row / (ROWS - 1);
        if (row % 4 == 0) {
            dj_text_format(out->text, "%*.4g ", AXIS - 2, y);
        } else {
            dj_terminal_write_repeated(out, " ", AXIS - 1);
        }
        dj_text_add(out->text, dj_terminal_choose_glyph(out, "│", "|"));
        for (int i = 0; i < grid->columns; i++) {
            const struct place *place = &grid->places[row * grid->columns + i];
            if (place->mark == NULL) {
                dj_text_add(out->text, " ");
            } else {
                dj_terminal_write_colored(out, place->color, place->mark);
            }
        }
        dj_text_add(out->text, "\n");
    }
}

/* Writes the values or names at both ends of the x axis. */
static void write_x_axis(struct dj_terminal *out, const struct dj_chart *chart,
                         const struct grid *grid)
{
    char numbers[2][40];
    const char *ends[2] = {numbers[0], numbers[1]};
    snprintf(numbers[0], sizeof(numbers[0]), "%.4g", grid->range.x_first);
    snprintf(numbers[1], sizeof(numbers[1]), "%.4g", grid->range.x_last);
    if (chart->tick_count > 0) {
        ends[0] = chart->ticks[0].label;
        ends[1] = chart->ticks[chart->tick_count - 1].label;
    }
    int used = (int)(dj_name_count_columns(ends[0]) + dj_name_count_columns(ends[1]));
    int middle = grid->columns - used;
    dj_terminal_write_repeated(out, " ", AXIS);
    dj_terminal_write_words(out, ends[0]);
    if (middle > 0) {
        dj_terminal_write_repeated(out, " ", (size_t)middle);
        dj_terminal_write_words(out, ends[1]);
    }
    dj_text_add(out->text, "\n");
}

static void write_legend(struct dj_terminal *out, const struct dj_chart *chart)
{
    struct dj_text words = {0};
    dj_text_format(&words, "%s%s%s", chart->y.label, chart->y.unit[0] != '\0' ? ", " : "",
                   chart->y.unit);
    for (size_t i = 0; i < chart->series_count && chart->series_count > 1; i++) {
        bool joined = chart->series[i].mark == DJ_MARK_LINE ||
                      chart->series[i].mark == DJ_MARK_STEP;
        dj_text_format(&words, "; %s" DJ_GLUE "%s",
                       joined ? dj_terminal_choose_glyph(out, "─", "-")
                              : choose_mark(out, i),
                       chart->series[i].name);
    }
    for (size_t i = 0; i < chart->threshold_count; i++) {
        if (!chart->thresholds[i].is_vertical) {
            dj_text_format(&words, "; %s" DJ_GLUE "%s",
                           dj_terminal_choose_glyph(out, "╌", "-"),
                           chart->thresholds[i].label);
        }
    }
    dj_terminal_wrap_and_finish(out, "", "  ", &words);
}

static void write_marks(struct dj_terminal *out, const struct dj_chart *chart)
{
    int columns = out->style.width - AXIS;
    struct grid grid = {.range = dj_chart_compute_range(chart),
                        .columns = columns > COLUMNS_MAX ? COLUMNS_MAX : columns};
    grid.places = dj_xcalloc((size_t)(ROWS * grid.columns), sizeof(*grid.places));
    set_thresholds(out, &grid, chart);
    set_series(out, &grid, chart);
    write_legend(out, chart);
    write_grid(out, &grid);
    write_x_axis(out, chart, &grid);
    free(grid.places);
}

struct rows {
    struct dj_terminal *out;
    const struct dj_chart *chart;
    struct dj_chart_range range;
    int label_columns, columns;
};

static double get_x(const struct rows *rows, int column)
{
    double width = rows->range.x_last - rows->range.x_first;
    return rows->range.x_first + width * column / rows->columns;
}

/* Returns the series whose spans fill the largest part of a column, or NULL if the column
 * is empty. */
static const struct dj_chart_series *find_series(const struct rows *rows, double row,
                                                 int column)
{
    const struct dj_chart_series *found = NULL;
    double largest = 0;
    double from = get_x(rows, column), to = get_x(rows, column + 1);
    for (size_t i = 0; i < rows->chart->series_count; i++) {
        const struct dj_chart_series *series = &rows->chart->series[i];
        double part = 0;
        for (size_t k = 0; k < series->point_count; k++) {
            const struct dj_chart_point *point = &series->points[k];
            double common = fmin(to, point->x_end) - fmax(from, point->x);
            part += point->y == row && common > 0 ? common : 0;
        }
        found = part > largest ? series : found;
        largest = fmax(largest, part);
    }
    return found;
}

static bool has_threshold(const struct rows *rows, double row, int column)
{
    for (size_t i = 0; i < rows->chart->threshold_count; i++) {
        const struct dj_chart_threshold *one = &rows->chart->thresholds[i];
        if ((one->row == row || isnan(one->row)) && one->at >= get_x(rows, column) &&
            one->at < get_x(rows, column + 1)) {
            return true;
        }
    }
    return false;
}

void dj_chart_write_mark(struct dj_terminal *out, const struct dj_chart_series *series)
{
    if (out->style.color) {
        dj_text_format(out->text, "\033[97;48;5;%dm%c\033[0m", colors[series->role],
                       series->letter);
    } else {
        dj_text_append(out->text, &series->letter, 1);
    }
}

/* Writes the start of the row's name that fits. */
static void write_row_name(const struct rows *rows, const char *name)
{
    struct dj_text escaped = {0};
    int used = 0;
    dj_name_escape(&escaped, name, !rows->out->style.unicode);
    for (size_t i = 0; i < escaped.length;) {
        struct dj_character one =
            dj_name_read_character(escaped.data + i, escaped.length - i);
        if (used + one.columns > rows->label_columns - 1) {
            break;
        }
        dj_text_append(rows->out->text, escaped.data + i, one.bytes);
        used += one.columns;
        i += one.bytes;
    }
    dj_terminal_write_repeated(rows->out, " ", (size_t)(rows->label_columns - used));
    dj_text_finish(&escaped);
}

void dj_chart_write_legend(struct dj_terminal *out, const struct dj_chart *chart)
{
    int used = 0;
    for (size_t i = 0; i < chart->series_count; i++) {
        const struct dj_chart_series *series = &chart->series[i];
        int columns = 4 + (int)dj_name_count_columns(series->name);
        if (used > 0 && used + columns > out->style.width) {
            dj_text_add(out->text, "\n");
            used = 0;
        }
        dj_chart_write_mark(out, series);
        dj_text_format(out->text, " %s  ", series->name);
        used += columns;
    }
    dj_text_add(out->text, "\n");
}

/* Writes one line per row. On a narrow terminal, a row has two lines: its name, then its
 * spans. */
static void write_spans(struct dj_terminal *out, const struct dj_chart *chart)
{
    enum { NARROW = 60, LABEL_COLUMNS = 26 };
    int label_columns = out->style.width < NARROW ? 0 : LABEL_COLUMNS;
    struct rows rows = {out, chart, dj_chart_compute_range(chart), label_columns,
                        out->style.width - label_columns};
    for (size_t i = 0; i < chart->tick_count; i++) {
        if (label_columns > 0) {
            write_row_name(&rows, chart->ticks[i].label);
        } else {
            dj_terminal_wrap(out, "", "  ", chart->ticks[i].label);
        }
        for (int column = 0; column < rows.columns; column++) {
            const struct dj_chart_series *series =
                find_series(&rows, chart->ticks[i].at, column);
            if (has_threshold(&rows, chart->ticks[i].at, column)) {
                dj_text_add(out->text, "|");
            } else if (series == NULL) {
                dj_text_add(out->text, " ");
            } else {
                dj_chart_write_mark(out, series);
            }
        }
        dj_text_add(out->text, "\n");
    }
    dj_chart_write_legend(out, chart);
    if (chart->threshold_count > 0) {
        struct dj_text words = {0};
        dj_text_format(&words, "|" DJ_GLUE "%s", chart->thresholds[0].label);
        dj_terminal_wrap_and_finish(out, "", "", &words);
    }
}

void dj_chart_write_terminal(struct dj_terminal *out, const struct dj_chart *chart)
{
    bool bars = false;
    for (size_t i = 0; i < chart->series_count; i++) {
        bars = bars || chart->series[i].mark == DJ_MARK_BAR;
    }
    write_title(out, chart);
    (chart->has_named_spans       ? dj_chart_write_named_spans
     : dj_chart_has_rows(chart)   ? write_spans
     : dj_chart_has_stacks(chart) ? dj_chart_write_stacks
     : bars                       ? write_bars
                                  : write_marks)(out, chart);
}
