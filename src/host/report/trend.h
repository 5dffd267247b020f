/*
 * Renders trends for a terminal, a page or a script: each history with its versions as a
 * table and a line of points, changes with what is known about them, frame times of each
 * version. trend/trend.h defines the terms.
 */
#ifndef DEJANK_REPORT_TREND_H
#define DEJANK_REPORT_TREND_H

#include "report/terminal/style.h"
#include "trend/trend.h"

enum { DJ_TREND_STACK_MAX = 12, DJ_TREND_ROWS = 20 };

/* A row of the table: consecutive points of one version (or commit if they have no
 * version). */
struct dj_trend_row {
    size_t first, count, runs; /* Numbers of points; `first` is an index. */
    double value;              /* Median of the points' values. */
    struct dj_bounds ci;       /* Of a single point; else NaN. */
};

/* Frame times of some versions of one history, oldest first. */
struct dj_trend_stack {
    const struct dj_trend_segment *segment;
    struct {
        char name[DJ_TREND_NAME_BYTES];
        struct dj_histogram times; /* In ns, exponential keys of scale 6. */
    } version[DJ_TREND_STACK_MAX];
    size_t count;
};

/* Input of the forms: a part of a trend, and the state that is carried from part to part.
 * Zero it before the first part. */
struct dj_trend_page {
    const struct dj_trend *trend; /* The part. */
    struct dj_trend_stack *stacks;
    size_t stack_count;
    size_t before;                 /* Number of segments in the parts before it. */
    double y;                      /* The lower end of the drawing so far. */
    char last[DJ_TREND_KEY_BYTES]; /* Key of the last history that got a heading. */
    /* For dj_report_trend_text, as is `rows`: the maximum number of rows of each table,
     * 0: no maximum. */
    const struct dj_terminal_style *style;
    size_t rows;
};

/* A form. Its file is assembled after all parts were read: head, the output of `draw` for
 * each part, middle, the output of `part` for each part, tail. A NULL member adds
 * nothing. All functions append. */
struct dj_trend_form {
    const char *suffix;
    bool stacks; /* The form shows frame times of versions. */
    void (*draw)(struct dj_text *text, struct dj_trend_page *page);
    void (*part)(struct dj_text *text, struct dj_trend_page *page);
    void (*head)(struct dj_text *text, const struct dj_trend_page *page,
                 const struct dj_trend_totals *told);
    const char *middle, *tail;
};
extern const struct dj_trend_form dj_report_trend_text, dj_report_trend_html,
    dj_report_trend_svg, dj_report_trend_json /* schema dejank.history/1 */,
    dj_report_trend_csv /* a line for each point */, dj_report_trend_markdown;

/* Fills the stacks from the store, with at most DJ_TREND_STACK_MAX versions of each
 * history: the first, the last, and some between. Returns 0 or the error of reading. */
int dj_report_read_trend_stacks(struct dj_trend_page *page, struct dj_store *history,
                                struct dj_error *err);
/* Ends a part: frees its stacks and keeps the state that is carried on. */
void dj_report_end_trend_part(struct dj_trend_page *page);

/* Reads the row that starts at a point. Returns false if there is none. */
bool dj_report_read_trend_row(const struct dj_trend_segment *segment, size_t first,
                              struct dj_trend_row *row);
/* The first change at one of those points; NULL: there is none. */
const struct dj_trend_change *
dj_report_find_trend_change(const struct dj_trend_segment *segment, size_t first,
                            size_t count);
/* Index of the point where the last `most` rows start (0: all rows). */
size_t dj_report_find_trend_row(const struct dj_trend_segment *segment, size_t most);

/* Functions that append text. They escape the names in it. */

/* "com.example, flow scroll, Pixel 7 (serial-1), release 14, for 10 s". */
void dj_report_describe_trend_segment(struct dj_text *text,
                                      const struct dj_trend_segment *segment);
/* The name of a point, from dj_trend_format_point_name(). */
void dj_report_describe_trend_point(struct dj_text *text,
                                    const struct dj_trend_point *point);
/* "16.42"; NaN: "–". */
void dj_report_format_trend_value(struct dj_text *text,
                                  const struct dj_trend_segment *segment, double value);
/* Appends an interval with its values between the strings; nothing if it is unknown. */
void dj_report_format_trend_interval(struct dj_text *text,
                                     const struct dj_trend_segment *segment,
                                     const struct dj_bounds *ci,
                                     const char *const between[3]);
/* "+12.0 %", or "up" or "down" if the size is unknown. */
void dj_report_format_trend_size(struct dj_text *text,
                                 const struct dj_trend_change *change);
/* "+12.0 % [+10.9, +13.1], p 2e-09, since 1.25 (2021-03-04): worse". */
void dj_report_describe_trend_change(struct dj_text *text,
                                     const struct dj_trend_segment *segment,
                                     const struct dj_trend_change *change);
/* "accepted by ann on 2021-03-05: more shadows", or without a blessing: "last before 1.24
 * (c0000024), first after 1.25 (c0000025); 3 commits to look at, by git: …". */
void dj_report_describe_trend_reason(struct dj_text *text,
                                     const struct dj_trend_segment *segment,
                                     const struct dj_trend_change *change);
/* Appends note `note` on a segment, one sentence or nothing:
 * "9 points: no changes are looked for in fewer than 15";
 * "perhaps smaller changes too: -3.1 % since 1.25, +4.0 % since 1.31; or they only
 * wander: neighbours go together (ρ 0.28)";
 * "frames on time: 90.1 % (1.0) → 98.2 % (2.3), objective 98 %", for jank. */
enum { DJ_TREND_NOTES = 3 };
void dj_report_describe_trend_note(struct dj_text *text,
                                   const struct dj_trend_segment *segment, size_t note);
/* "2021-03-04", UTC; "" if the time is unknown. */
void dj_report_format_trend_day(struct dj_text *text, int64_t unix_ms);

/* The start of an SVG, and the drawing of a part, which moves page->y. */
void dj_report_write_trend_svg_head(struct dj_text *text,
                                    const struct dj_trend_page *page,
                                    const struct dj_trend_totals *told);
void dj_report_draw_trend_svg(struct dj_text *text, struct dj_trend_page *page);

#endif
