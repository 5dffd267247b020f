/*
 * A chart: axes, thresholds and series of marks, without colours or sizes. The terminal,
 * cairo and the HTML page draw the same description. A chart owns copies of everything in
 * it.
 */
#ifndef DEJANK_REPORT_DOCUMENT_CHART_H
#define DEJANK_REPORT_DOCUMENT_CHART_H

#include <stdbool.h>
#include <stddef.h>

enum dj_mark {
    DJ_MARK_BAR,      /* A bar from x to x_end and from 0 to y. */
    DJ_MARK_LINE,     /* A line that joins the points. */
    DJ_MARK_STEP,     /* Joins the points by horizontal and vertical lines. */
    DJ_MARK_POINT,    /* A dot at each point. */
    DJ_MARK_INTERVAL, /* A dot, and a line from `low` to `high`. */
    /* A bar from x to x_end in row y. Rows are numbered from 0, top down. */
    DJ_MARK_SPAN,
    DJ_MARK_STACK, /* A bar of height y at the whole number x, on top of the bars that
                      earlier series have there. */
    DJ_MARK_COUNT
};

/* The meaning of a colour. A back end chooses the colours for its light or dark
 * background. */
enum dj_color_role {
    DJ_ROLE_GOOD,
    DJ_ROLE_BAD,
    DJ_ROLE_MUTED,
    DJ_ROLE_TEXT,
    DJ_ROLE_DEADLINE,
    /* The roles FIRST, SECOND and so on are for the compared things, in their order. */
    DJ_ROLE_FIRST,
    DJ_ROLE_SECOND,
    DJ_ROLE_THIRD,
    DJ_ROLE_FOURTH,
    /* The first of ten colours that differ clearly, for example for stages. */
    DJ_ROLE_STAGE,
    DJ_ROLE_COUNT = DJ_ROLE_STAGE + 10
};

struct dj_chart_point {
    double x;
    double x_end; /* Right end of a bar or a span. NaN for other marks. */
    double y;
    double low, high; /* The ends of an interval. NaN for other marks. */
    /* The text that an HTML page shows when the reader points at the point. If it is
     * NULL, the page shows the values. */
    char *label;
    /* The page of the server that shows more about the point, or NULL. */
    char *target;
};

struct dj_chart_series {
    char *name;
    enum dj_mark mark;
    enum dj_color_role role;
    char letter; /* The letter that marks spans and stacks where there is no colour. */
    struct dj_chart_point *points;
    size_t point_count;
};

/* A line across the chart. */
struct dj_chart_threshold {
    double at;
    bool is_vertical; /* `at` is an x. Otherwise it is a y. */
    /* In a chart of spans, the row that the line crosses, or NaN for all rows. */
    double row;
    enum dj_color_role role;
    char *label;
};

/* The name of a whole number on the x axis, for example a version. In a chart of spans,
 * the number is a row. */
struct dj_chart_tick {
    double at;
    char *label;
};

struct dj_chart_axis {
    char *label;
    char *unit; /* Unit of the axis, or "" if it has none. */
    /* The ends of the axis. NaN means the smallest and the largest value of the
     * data. */
    double first, last;
    bool from_zero; /* True if the axis includes 0. */
};

struct dj_chart {
    char *title;
    /* True if each span shows its label. The rows then have no names. */
    bool has_named_spans;
    struct dj_chart_axis x, y;
    struct dj_chart_series *series;
    size_t series_count;
    struct dj_chart_threshold *thresholds;
    size_t threshold_count;
    struct dj_chart_tick *ticks;
    size_t tick_count;
};

/* Returns an empty chart. The caller frees it with dj_chart_free(), unless a document
 * owns the chart. */
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
/* Sets the target of a point. */
void dj_chart_set_target(struct dj_chart_point *point, const char *path);
/* Sets the letter of the last series. */
void dj_chart_set_letter(struct dj_chart *chart, char letter);
void dj_chart_add_interval(struct dj_chart *chart, double x, double y, double low,
                           double high, const char *label);
void dj_chart_add_threshold(struct dj_chart *chart, bool is_vertical, double at,
                            enum dj_color_role role, const char *label);
void dj_chart_add_tick(struct dj_chart *chart, double at, const char *label);

/* Adds a vertical threshold that belongs to one row of spans. */
void dj_chart_add_row_threshold(struct dj_chart *chart, size_t row, double at,
                                enum dj_color_role role, const char *label);

/* Lets each span show its label instead of a name of its row. */
void dj_chart_name_spans(struct dj_chart *chart);
/* Returns the number of rows of a chart of spans. */
size_t dj_chart_count_rows(const struct dj_chart *chart);

/* Returns whether the chart consists of spans, each in a row with a name. */
bool dj_chart_has_rows(const struct dj_chart *chart);

/* Returns whether the chart consists of stacks. */
bool dj_chart_has_stacks(const struct dj_chart *chart);
/* Returns the y at which a bar of a stack starts: the sum of the values at x of the
 * series before `series`. */
double dj_chart_find_base(const struct dj_chart *chart, size_t series, double x);
bool dj_chart_is_empty(const struct dj_chart *chart);

/* The ranges of both axes. A range that was not set includes the data and the horizontal
 * thresholds, and the y axis has some space at both ends. An empty range is widened. */
struct dj_chart_range {
    double x_first, x_last, y_first, y_last;
};
struct dj_chart_range dj_chart_compute_range(const struct dj_chart *chart);

#endif
