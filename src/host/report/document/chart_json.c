/* Writes charts as JSON for the script of an HTML page. */
#include <stdio.h>

#include "base/json.h"
#include "report/document/render.h"

static const char *const marks[DJ_MARK_COUNT] = {
    [DJ_MARK_BAR] = "bar",     [DJ_MARK_LINE] = "line",         [DJ_MARK_STEP] = "step",
    [DJ_MARK_POINT] = "point", [DJ_MARK_INTERVAL] = "interval", [DJ_MARK_SPAN] = "span",
    [DJ_MARK_STACK] = "stack"};

static const char *const roles[DJ_ROLE_COUNT] = {
    [DJ_ROLE_GOOD] = "good",        [DJ_ROLE_BAD] = "bad",
    [DJ_ROLE_MUTED] = "muted",      [DJ_ROLE_TEXT] = "text",
    [DJ_ROLE_FIRST] = "first",      [DJ_ROLE_SECOND] = "second",
    [DJ_ROLE_THIRD] = "third",      [DJ_ROLE_FOURTH] = "fourth",
    [DJ_ROLE_DEADLINE] = "deadline"};

static void write_role(struct dj_text *text, enum dj_color_role role)
{
    char name[16];
    snprintf(name, sizeof(name), "stage-%d", role - DJ_ROLE_STAGE);
    dj_json_add_string(text, "role", role >= DJ_ROLE_STAGE ? name : roles[role]);
}

static void write_axis(struct dj_text *text, const char *key,
                       const struct dj_chart_axis *axis, double first, double last)
{
    dj_json_open_object(text, key);
    dj_json_add_string(text, "label", axis->label);
    dj_json_add_string(text, "unit", axis->unit);
    dj_json_add_number(text, "first", first);
    dj_json_add_number(text, "last", last);
    dj_json_close(text, "}");
}

static void write_point(struct dj_text *text, const struct dj_chart_point *point)
{
    dj_json_open_array(text, NULL);
    dj_json_add_rounded(text, NULL, 7, point->x);
    dj_json_add_rounded(text, NULL, 7, point->y);
    dj_json_add_rounded(text, NULL, 7, point->x_end);
    dj_json_add_rounded(text, NULL, 7, point->low);
    dj_json_add_rounded(text, NULL, 7, point->high);
    dj_json_add_string(text, NULL, point->label);
    if (point->target != NULL) {
        dj_json_add_string(text, NULL, point->target);
    }
    dj_json_close(text, "]");
}

static void write_series(struct dj_text *text, const struct dj_chart_series *series)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "name", series->name);
    dj_json_add_string(text, "mark", marks[series->mark]);
    write_role(text, series->role);
    dj_json_open_array(text, "points");
    for (size_t i = 0; i < series->point_count; i++) {
        write_point(text, &series->points[i]);
    }
    dj_json_close(text, "]}");
}

static void write_thresholds(struct dj_text *text, const struct dj_chart *chart)
{
    dj_json_open_array(text, "thresholds");
    for (size_t i = 0; i < chart->threshold_count; i++) {
        dj_json_open_object(text, NULL);
        dj_json_add_number(text, "at", chart->thresholds[i].at);
        dj_json_add_bool(text, "vertical", chart->thresholds[i].is_vertical);
        write_role(text, chart->thresholds[i].role);
        dj_json_add_number(text, "row", chart->thresholds[i].row);
        dj_json_add_string(text, "label", chart->thresholds[i].label);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

void dj_chart_write_json(struct dj_text *text, const char *key,
                         const struct dj_chart *chart)
{
    struct dj_chart_range range = dj_chart_compute_range(chart);
    dj_json_open_object(text, key);
    dj_json_add_string(text, "title", chart->title);
    if (chart->has_named_spans) {
        dj_json_add_int(text, "rows", (int64_t)dj_chart_count_rows(chart));
    }
    write_axis(text, "x", &chart->x, range.x_first, range.x_last);
    write_axis(text, "y", &chart->y, range.y_first, range.y_last);
    dj_json_open_array(text, "series");
    for (size_t i = 0; i < chart->series_count; i++) {
        write_series(text, &chart->series[i]);
    }
    dj_json_close(text, "]");
    write_thresholds(text, chart);
    dj_json_open_array(text, "ticks");
    for (size_t i = 0; i < chart->tick_count; i++) {
        dj_json_open_object(text, NULL);
        dj_json_add_number(text, "at", chart->ticks[i].at);
        dj_json_add_string(text, "label", chart->ticks[i].label);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}");
}
