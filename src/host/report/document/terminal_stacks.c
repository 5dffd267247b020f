#include <math.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "report/document/terminal_chart.h"

/* The chart has 12 lines, because 12 is divisible by the possible heights of 2, 3, 4, 6
 * and 12 units. So the threshold, which is at 1 unit, is on the edge of a line. */
enum { LINES = 12, AXIS = 7 };

struct stacks {
    struct dj_terminal *out;
    const struct dj_chart *chart;
    struct dj_chart_range range;
    double unit;   /* The threshold, or half of the highest stack. */
    size_t height; /* The height of the chart in units. */
    size_t columns, per_column;
    double *x; /* The x of the stack that each column shows. */
    size_t beyond;
};

static double get_total(const struct stacks *stacks, double x)
{
    return dj_chart_find_base(stacks->chart, stacks->chart->series_count, x);
}

/* Assigns several neighbouring stacks to each column. The column shows the highest of
 * them. */
static void choose_columns(struct stacks *stacks)
{
    size_t count = (size_t)(stacks->range.x_last - stacks->range.x_first);
    size_t space = (size_t)stacks->out->style.width - AXIS;
    stacks->per_column = (count + space - 1) / space;
    stacks->columns = (count + stacks->per_column - 1) / stacks->per_column;
    stacks->x = dj_xcalloc(stacks->columns + 1, sizeof(*stacks->x));
    for (size_t i = 0; i < count; i++) {
        double *shown = &stacks->x[i / stacks->per_column];
        double x = stacks->range.x_first + (double)i;
        *shown = i % stacks->per_column == 0 ||
                         get_total(stacks, x) > get_total(stacks, *shown)
                     ? x
                     : *shown;
    }
}

/* Chooses the least height that at most a tenth of the columns exceeds, so that a few
 * high stacks do not flatten all others. */
static void choose_height(struct stacks *stacks)
{
    static const size_t heights[] = {2, 3, 4, 6, LINES};
    stacks->unit = stacks->range.y_last / 2;
    for (size_t i = 0; i < stacks->chart->threshold_count; i++) {
        bool is_level = !stacks->chart->thresholds[i].is_vertical;
        stacks->unit = is_level ? stacks->chart->thresholds[i].at : stacks->unit;
    }
    for (size_t i = 0; i < COUNT_OF(heights); i++) {
        stacks->height = heights[i];
        stacks->beyond = 0;
        for (size_t k = 0; k < stacks->columns; k++) {
            stacks->beyond +=
                get_total(stacks, stacks->x[k]) > stacks->unit * (double)stacks->height;
        }
        if (stacks->beyond * 10 <= stacks->columns) {
            return;
        }
    }
}

/* Returns the series at this height of a column, or NULL above the stack. */
static const struct dj_chart_series *find_series(const struct stacks *stacks,
                                                 size_t column, double height)
{
    for (size_t i = 0; i < stacks->chart->series_count; i++) {
        if (height < dj_chart_find_base(stacks->chart, i + 1, stacks->x[column])) {
            return &stacks->chart->series[i];
        }
    }
    return NULL;
}

/* Writes the value at the lower edge of a line: only the unit and its multiples. */
static void write_axis(const struct stacks *stacks, size_t line, size_t unit_line)
{
    struct dj_terminal *out = stacks->out;
    if (line % unit_line != 0) {
        dj_terminal_write_repeated(out, " ", AXIS);
        return;
    }
    double value = stacks->unit * (double)line / (double)unit_line;
    dj_terminal_set_color(out, line == unit_line ? DJ_COLOR_DEADLINE : DJ_COLOR_MUTED);
    dj_text_format(out->text,
                   value >= 1000  ? "%6.0f"
                   : value >= 100 ? "%6.1f"
                                  : "%6.2f",
                   value);
    dj_text_add(out->text,
                line == unit_line ? dj_terminal_choose_glyph(out, "▁", "_") : " ");
    dj_terminal_set_color(out, DJ_COLOR_NONE);
}

static void write_line(const struct stacks *stacks, size_t line, size_t unit_line)
{
    struct dj_terminal *out = stacks->out;
    double top = stacks->unit * (double)stacks->height;
    write_axis(stacks, line, unit_line);
    for (size_t i = 0; i < stacks->columns; i++) {
        const struct dj_chart_series *series =
            find_series(stacks, i, ((double)line + 0.5) * top / LINES);
        if (line == LINES - 1 && get_total(stacks, stacks->x[i]) > top) {
            dj_text_add(out->text, dj_terminal_choose_glyph(out, "▲", "^"));
        } else if (series != NULL) {
            dj_chart_write_mark(out, series);
        } else if (line == unit_line) {
            dj_terminal_write_colored(out, DJ_COLOR_DEADLINE,
                                      dj_terminal_choose_glyph(out, "▁", "_"));
        } else {
            dj_text_add(out->text, " ");
        }
    }
    dj_text_add(out->text, "\n");
}

static void write_remarks(const struct stacks *stacks)
{
    struct dj_text words = {0};
    if (stacks->per_column > 1) {
        dj_text_format(&words, "Each column shows the longest of %zu %ss. ",
                       stacks->per_column, stacks->chart->x.label);
    }
    if (stacks->beyond > 0) {
        dj_text_format(&words, "%zu column%s %s beyond the top.", stacks->beyond,
                       stacks->beyond == 1 ? "" : "s",
                       stacks->beyond == 1 ? "reaches" : "reach");
    }
    if (words.length > 0) {
        dj_terminal_wrap_and_finish(stacks->out, "", "", &words);
    }
}

void dj_chart_write_stacks(struct dj_terminal *out, const struct dj_chart *chart)
{
    struct stacks stacks = {
        .out = out, .chart = chart, .range = dj_chart_compute_range(chart)};
    choose_columns(&stacks);
    choose_height(&stacks);
    for (size_t line = LINES; line-- > 0;) {
        write_line(&stacks, line, LINES / stacks.height);
    }
    dj_chart_write_legend(out, chart);
    write_remarks(&stacks);
    free(stacks.x);
}
