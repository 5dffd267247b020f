/*
 * A chart: axes, thresholds and series of marks, without its look. The terminal, cairo
 * and the page draw the same description. A chart owns copies of everything in it.
 */
#ifndef DEJANK_REPORT_DOCUMENT_CHART_H
#define DEJANK_REPORT_DOCUMENT_CHART_H

#include <stdbool.h>
#include <stddef.h>

enum dj_mark {
    DJ_MARK_BAR,      /* From x to x_end, from 0 to y. */
    DJ_MARK_LINE,     /* Joins the points. */
    DJ_MARK_STEP,     /* Joins the points by horizontal and vertical lines. */
    DJ_MARK_POINT,    /* A dot at each point. */
    DJ_MARK_INTERVAL, /* A dot, and a line from `low` to `high`. */
    DJ_MARK_SPAN,     /* From x to x_end in row y, a whole number from 0 downwards. */
    DJ_MARK_STACK,    /* A bar of height y at the whole number x, on top of the bars that
                         earlier series have there. */
    DJ_MARK_COUNT
};

/* The colour's role. A back end chooses the colour, for light and dark alike. */
enum dj_color_role {
    DJ_ROLE_GOOD,
    DJ_ROLE_BAD,
    DJ_ROLE_MUTED,
    DJ_ROLE_TEXT,
    DJ_ROLE_DEADLINE,
    DJ_ROLE_FIRST, /* The first, second … thing that is compared. */
    DJ_ROLE_SECOND,
    DJ_ROLE_THIRD,
    DJ_ROLE_FOURTH,
    DJ_ROLE_STAGE, /* The first of ten colours that differ clearly, as of stages. */
    DJ_ROLE_COUNT = DJ_ROLE_STAGE + 10
};

struct dj_chart_point {
    double x;
    double x_end; /* Of a bar; else NaN. */
    double y;
    double low, high; /* Of an interval; else NaN. */
    char *label;      /* Shown when the reader points at it; NULL: its values. */
};

struct dj_chart_series {
    char *name;
    enum dj_mark mark;
    enum dj_color_role role;
    char letter; /* Of spans and stacks: marks them where there is no colour. */
    struct dj_chart_point *points;
    size_t point_count;
};

/* A line across the chart. */
struct dj_chart_threshold {
    double at;
    bool is_vertical; /* At an x, else at a y. */
    double row;       /* In a chart of spans: its row; NaN: all rows. */
    enum dj_color_role role;
    char *label;
};

/* The name of a whole number on the x axis, for example a version. In a chart of spans:
 * the name of a row. */
struct dj_chart_tick {
    double at;
    char *label;
};

struct dj_chart_axis {
    char *label;
    char *unit;         /* "" if it has none. */
    double first, last; /* NaN: the smallest and the largest value of the data. */
    bool from_zero;     /* The axis includes 0. */
};

struct dj_chart {
    char *title;
    struct dj_chart_axis x, y;
    struct dj_chart_series *series;
    size_t series_count;
    struct dj_chart_threshold *thresholds;
    size_t threshold_count;
    struct dj_chart_tick *ticks;
    size_t tick_count;
};

/* Returns an empty chart. dj_chart_free() frees it, or the document that owns it. */
struct dj_chart *dj_chart_create(const char *title);
void dj_chart_free(struct dj_chart *chart);

void dj_chart_set_x(struct dj_chart *chart, const char *label, const char *unit);
void dj_chart_set_y(struct dj_chart *chart, const char *label, const char *unit,
                    bool from_zero);

/* Adds an empty series; the following points belong to it. */
void dj_chart_add_series(struct dj_chart *chart, const char *name, enum dj_mark mark,
                         enum dj_color_role role);
/* Adds a point to the last series. Ignores a point with an unknown x or y (NaN). */
void dj_chart_add_point(struct dj_chart *chart, double x, double y, const char *label);
void dj_chart_add_bar(struct dj_chart *chart, double x, double x_end, double y,
                      const char *label);
void dj_chart_add_span(struct dj_chart *chart, double x, double x_end, size_t row,
                       const char *label);
/* Sets the letter of the last series. */
void dj_chart_set_letter(struct dj_chart *chart, char letter);
void dj_chart_add_interval(struct dj_chart *chart, double x, double y, double low,
                           double high, const char *label);
void dj_chart_add_threshold(struct dj_chart *chart, bool is_vertical, double at,
                            enum dj_color_role role, const char *label);
void dj_chart_add_tick(struct dj_chart *chart, double at, const char *label);

/* A vertical threshold that belongs to one row of spans. */
void dj_chart_add_row_threshold(struct dj_chart *chart, size_t row, double at,
                                enum dj_color_role role, const char *label);

/* Whether the chart consists of spans, or of stacks. */
bool dj_chart_has_rows(const struct dj_chart *chart);
bool dj_chart_has_stacks(const struct dj_chart *chart);
/* The sum of what the series before `series` have at x. */
double dj_chart_find_base(const struct dj_chart *chart, size_t series, double x);
bool dj_chart_is_empty(const struct dj_chart *chart);

/* The range of both axes: as set, else that of the data and of horizontal thresholds,
 * with some space at both ends of y. An empty range is widened. */
struct dj_chart_range {
    double x_first, x_last, y_first, y_last;
};
struct dj_chart_range dj_chart_compute_range(const struct dj_chart *chart);

#endif
