/*
 * Trends as a person, a page or a script reads them: each history with its versions as
 * a table and a line of points, changes with what is known of them, frame times version
 * by version. What they mean is trend/trend.h.
 */
#ifndef DEJANK_REPORT_TREND_H
#define DEJANK_REPORT_TREND_H

#include "report/terminal.h"
#include "trend/trend.h"

enum { DJ_TREND_STACK = 12, DJ_TREND_ROWS = 20 };

/* Points that follow each other and are of one version (or else commit): a row of the
 * table. */
struct dj_trend_row {
    size_t first, count, runs; /* points */
    double value;              /* median of the points' */
    struct dj_bounds ci;       /* of a single point; else NaN */
};

/* Frame times of some versions of one history, oldest first. */
struct dj_trend_stack {
    const struct dj_trend_segment *segment;
    struct {
        char name[DJ_TREND_NAME];
        struct dj_histogram times; /* ns, exponential keys of scale 6 */
    } version[DJ_TREND_STACK];
    size_t count;
};

/* What forms are made of: a part of a trend, and what goes on from part to part. Zero it
 * before the first. */
struct dj_trend_page {
    const struct dj_trend *trend; /* the part */
    struct dj_trend_stack *stacks;
    size_t stack_count;
    size_t before;                         /* segments of the parts before it */
    double y;                              /* the lower end of what is drawn */
    char last[DJ_TREND_KEY];               /* history that was headed last */
    const struct dj_terminal_style *style; /* dj_trend_terminal: also rows of each table,
                                              0: all */
    size_t rows;
};

/* A form is put together, once all parts were seen: head, what `draw` gave of each part,
 * middle, what `part` gave of each, tail. NULL: nothing. All append. */
struct dj_trend_form {
    const char *suffix;
    bool stacks; /* it shows them */
    void (*draw)(struct dj_text *text, struct dj_trend_page *page);
    void (*part)(struct dj_text *text, struct dj_trend_page *page);
    void (*head)(struct dj_text *text, const struct dj_trend_page *page,
                 const struct dj_trend_told *told);
    const char *middle, *tail;
};
extern const struct dj_trend_form dj_trend_terminal, dj_trend_html, dj_trend_svg,
    dj_trend_json /* schema dejank.history/1 */, dj_trend_csv /* a line for each point */,
    dj_trend_markdown;

/* Fills stacks from the store, of at most DJ_TREND_STACK versions of each history: the
 * first, the last, and some between. 0, or what reading says. */
int dj_trend_stacks_read(struct dj_trend_page *page, struct dj_history *history,
                         struct dj_error *err);
/* The part is done with: its stacks are gone, what goes on stays. */
void dj_trend_page_next(struct dj_trend_page *page);

/* The row that begins at a point; false: there is none. */
bool dj_trend_row_at(const struct dj_trend_segment *segment, size_t first,
                     struct dj_trend_row *row);
/* The first change at a point of those; NULL: there is none. */
const struct dj_trend_change *dj_trend_change_in(const struct dj_trend_segment *segment,
                                                 size_t first, size_t count);
/* Where the last `most` rows begin (0: all). */
size_t dj_trend_rows_from(const struct dj_trend_segment *segment, size_t most);

/* ---- words: appended; names in them are escaped ---- */

/* "com.example, flow scroll, Pixel 7 (serial-1), release 14, for 10 s". */
void dj_trend_words_segment(struct dj_text *text, const struct dj_trend_segment *segment);
/* What a point is called, as dj_trend_point_name() has it. */
void dj_trend_words_point(struct dj_text *text, const struct dj_trend_point *point);
/* "16.42"; NaN: "–". */
void dj_trend_words_value(struct dj_text *text, const struct dj_trend_segment *segment,
                          double value);
/* An interval as values between these; nothing where it is unknown. */
void dj_trend_words_interval(struct dj_text *text, const struct dj_trend_segment *segment,
                             const struct dj_bounds *ci, const char *const between[3]);
/* "+12.0 %", or where that is unknown "up" or "down". */
void dj_trend_words_size(struct dj_text *text, const struct dj_trend_change *change);
/* "+12.0 % [+10.9, +13.1], p 2e-09, since 1.25 (2021-03-04): worse". */
void dj_trend_words_change(struct dj_text *text, const struct dj_trend_segment *segment,
                           const struct dj_trend_change *change);
/* "accepted by ann on 2021-03-05: more shadows", or where nobody did: "last before 1.24
 * (c0000024), first after 1.25 (c0000025); 3 commits to look at, by git: …". */
void dj_trend_words_reason(struct dj_text *text, const struct dj_trend_segment *segment,
                           const struct dj_trend_change *change);
/* What is said of a segment beside its changes, a sentence each, or nothing:
 * "9 points: no changes are looked for in fewer than 15";
 * "perhaps smaller changes too: -3.1 % since 1.25, +4.0 % since 1.31; or they only
 * wander: neighbours go together (ρ 0.28)";
 * "frames on time: 90.1 % (1.0) → 98.2 % (2.3), objective 98 %", of jank. */
enum { DJ_TREND_NOTES = 3 };
void dj_trend_words_note(struct dj_text *text, const struct dj_trend_segment *segment,
                         size_t note);
/* "2021-03-04", UTC; "" where nobody knows. */
void dj_trend_words_day(struct dj_text *text, int64_t unix_ms);

/* Of SVG: what stands before the drawings, and what draws a part's and moves page->y. */
void dj_trend_svg_head(struct dj_text *text, const struct dj_trend_page *page,
                       const struct dj_trend_told *told);
void dj_trend_svg_draw(struct dj_text *text, struct dj_trend_page *page);

#endif
