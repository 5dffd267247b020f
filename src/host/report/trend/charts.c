/* Draws a trend over its versions. */
#include <math.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "report/trend.h"

/* Maximum number of versions named on the x axis. More names never fit below a chart. */
enum { TICKS_MAX = 100 };

/* Values are limited to this size, because differences of larger values would be
 * infinite. */
static const double LARGEST = 7e307;

static double limit(double value)
{
    return isnan(value) ? NAN : fmin(LARGEST, fmax(-LARGEST, value));
}

/* Writes the label of a point: "1.25 (2021-03-04): 17.93 ms (17.90 … 17.96), 4 runs". */
static void write_label(struct dj_text *text, const struct dj_trend_segment *segment,
                        const struct dj_trend_point *point)
{
    dj_report_describe_trend_point(text, point);
    if (point->at_unix_ms != INT64_MIN) {
        dj_text_add(text, " (");
        dj_report_format_trend_day(text, point->at_unix_ms);
        dj_text_add(text, ")");
    }
    dj_text_add(text, ": ");
    dj_report_format_trend_value(text, segment, point->value);
    dj_text_append_name(text, " ", segment->unit, "");
    if (!isnan(point->ci.low)) {
        dj_text_add(text, " (95 % CI ");
        dj_report_format_trend_interval(text, segment, &point->ci);
        dj_text_add(text, ")");
    }
    dj_text_format(text, ", %zu run%s", point->runs, point->runs == 1 ? "" : "s");
}

static void add_points(struct dj_chart *chart, const struct dj_trend_segment *segment)
{
    size_t step = (segment->point_count + DJ_TREND_POINTS_MAX - 1) / DJ_TREND_POINTS_MAX;
    struct dj_text label = {0};
    dj_chart_add_series(chart,
                        segment->imported ? "value" : "batch, with its 95 % interval",
                        DJ_MARK_INTERVAL, DJ_ROLE_FIRST);
    for (size_t i = 0; i < segment->point_count; i += step) {
        const struct dj_trend_point *point = &segment->points[i];
        write_label(&label, segment, point);
        dj_chart_add_interval(chart, (double)i, limit(point->value), limit(point->ci.low),
                              limit(point->ci.high), dj_xtext(&label));
        dj_text_clear(&label);
    }
    dj_text_finish(&label);
}

/* Adds a line for each level: the median of the points between two changes. */
static void add_levels(struct dj_chart *chart, const struct dj_trend_segment *segment)
{
    dj_chart_add_series(chart, "level", DJ_MARK_STEP, DJ_ROLE_TEXT);
    for (size_t i = 0; i < segment->change_count; i++) {
        const struct dj_trend_change *change = &segment->changes[i];
        double x = (double)change->index - 0.5;
        if (i == 0) {
            dj_chart_add_point(chart, (double)change->from, limit(change->before),
                               "level before the first change");
        }
        dj_chart_add_point(chart, x, limit(change->after), "level after the change");
        if (i + 1 == segment->change_count) {
            dj_chart_add_point(chart, (double)change->to - 1, limit(change->after),
                               "level after the last change");
        }
    }
}

static enum dj_color_role choose_role(enum dj_trend_state state)
{
    return state == DJ_TREND_WORSE    ? DJ_ROLE_BAD
           : state == DJ_TREND_BETTER ? DJ_ROLE_GOOD
                                      : DJ_ROLE_MUTED;
}

static void add_changes(struct dj_chart *chart, const struct dj_trend_segment *segment)
{
    for (size_t i = 0; i < segment->hint_count; i++) {
        dj_chart_add_threshold(chart, true, (double)segment->hints[i].index - 0.5,
                               DJ_ROLE_MUTED, "possible smaller change");
    }
    for (size_t i = 0; i < segment->change_count; i++) {
        const struct dj_trend_change *change = &segment->changes[i];
        enum dj_trend_state state = dj_report_get_trend_state(segment, change);
        struct dj_text label = {0};
        dj_report_format_trend_size(&label, change);
        dj_text_add(&label, " since ");
        dj_report_describe_trend_point(&label, &segment->points[change->index]);
        dj_text_format(&label, ": %s", dj_report_get_trend_state_name(state));
        dj_chart_add_threshold(chart, true, (double)change->index - 0.5,
                               choose_role(state), dj_xtext(&label));
        dj_text_finish(&label);
    }
}

static void add_objective(struct dj_chart *chart, const struct dj_trend_segment *segment)
{
    struct dj_text label = {0};
    if (segment->objective.known) {
        dj_text_format(&label, "objective %s ", segment->objective.at_least ? "≥" : "≤");
        dj_report_format_trend_value(&label, segment, segment->objective.bound);
        dj_text_append_name(&label, " ", segment->unit, "");
        dj_chart_add_threshold(chart, false, limit(segment->objective.bound),
                               DJ_ROLE_DEADLINE, dj_xtext(&label));
    }
    dj_text_finish(&label);
}

static void add_ticks(struct dj_chart *chart, const struct dj_trend_segment *segment)
{
    struct dj_trend_row row;
    size_t step = segment->point_count / TICKS_MAX;
    size_t next = 0;
    size_t last = dj_report_find_trend_row(segment, 1);
    struct dj_text name = {0};
    for (size_t at = 0; dj_report_read_trend_row(segment, at, &row); at += row.count) {
        if (at >= next || at == last) {
            dj_report_describe_trend_point(&name, &segment->points[at]);
            dj_chart_add_tick(chart, (double)at, dj_xtext(&name));
            dj_text_clear(&name);
            next = at + step;
        }
    }
    dj_text_finish(&name);
}

/* Returns the title of the x axis. It says which property dj_trend_format_point_name()
 * uses to name the points. */
static const char *choose_x_name(const struct dj_trend_segment *segment)
{
    const struct dj_trend_point *last = &segment->points[segment->point_count - 1];
    return last->version != NULL           ? "version"
           : last->commit != NULL          ? "commit"
           : last->label != NULL           ? "label"
           : last->at_unix_ms != INT64_MIN ? "time"
                                           : "point";
}

/* Writes the title of the chart: "p95 frame time of scroll on Pixel 7 by version". */
static void write_title(struct dj_text *text, const struct dj_trend_segment *segment)
{
    dj_text_append_escaped_name(text, segment->words);
    dj_text_append_name(text, " of ",
                        segment->flow[0] != '\0' ? segment->flow : segment->project, "");
    dj_text_append_name(text, " on ",
                        segment->model != NULL ? segment->model : segment->serial, "");
    dj_text_format(text, " by %s", choose_x_name(segment));
}

/* Sets the name and the unit of the y axis. Escapes them, because they come from outside
 * and a chart does not escape the names of its axes. */
static void name_y_axis(struct dj_chart *chart, const struct dj_trend_segment *segment)
{
    struct dj_text label = {0};
    struct dj_text unit = {0};
    dj_text_append_escaped_name(&label, segment->words);
    dj_text_append_escaped_name(&unit, segment->unit);
    dj_chart_set_y(chart, dj_xtext(&label), dj_xtext(&unit), false);
    dj_text_finish(&label);
    dj_text_finish(&unit);
}

struct dj_chart *dj_report_create_trend_chart(const struct dj_trend_segment *segment)
{
    struct dj_text words = {0};
    write_title(&words, segment);
    struct dj_chart *chart = dj_chart_create(dj_xtext(&words));
    dj_text_finish(&words);
    name_y_axis(chart, segment);
    dj_chart_set_x(chart, choose_x_name(segment), "");
    if (segment->change_count > 0) {
        add_levels(chart, segment);
    }
    add_points(chart, segment);
    add_changes(chart, segment);
    add_objective(chart, segment);
    add_ticks(chart, segment);
    return chart;
}
