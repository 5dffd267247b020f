/*
 * Trends as a person, a page or a script reads them: each history with its versions as
 * a table and a line of points, changes with what is known of them, frame times version
 * by version. What they mean is judge/trend.h.
 */
#ifndef DEJANK_REPORT_TREND_H
#define DEJANK_REPORT_TREND_H

#include "judge/trend.h"
#include "report/terminal.h"

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

/* What forms are made of. Zero it; finish it in every case. */
struct dj_trend_page {
    const struct dj_trend *trend;
    struct dj_trend_stack *stacks;
    size_t stack_count;
};

/* Fills stacks from the store, of at most DJ_TREND_STACK versions of each history: the
 * first, the last, and some between. DJ_E_NO_MEMORY, and what reading says. */
int dj_trend_stacks_read(struct dj_trend_page *page, struct dj_history *history,
                         struct dj_error *err);
void dj_trend_page_finish(struct dj_trend_page *page);

/* The row that begins at a point; false: there is none. */
bool dj_trend_row_at(const struct dj_trend_segment *segment, size_t first,
                     struct dj_trend_row *row);
/* Where the last `most` rows begin (0: all). */
size_t dj_trend_rows_from(const struct dj_trend_segment *segment, size_t most);

/* ---- words: appended; names in them are escaped ---- */

/* "com.example, flow scroll, Pixel 7 (serial-1), release 14, for 10 s". */
void dj_trend_words_segment(struct dj_text *text, const struct dj_trend_segment *segment);
/* "16.42"; NaN: "–". */
void dj_trend_words_value(struct dj_text *text, const struct dj_trend_segment *segment,
                          double value);
/* "+12.0 % [+10.9, +13.1], p 2e-09, since 1.25 (2021-03-04): worse". */
void dj_trend_words_change(struct dj_text *text, const struct dj_trend_segment *segment,
                           const struct dj_trend_change *change);
/* "accepted by ann on 2021-03-05: more shadows"; nothing where nobody did. */
void dj_trend_words_blessing(struct dj_text *text, const struct dj_trend_change *change);
/* "last good 1.24 (c0000024), first bad 1.25 (c0000025); 3 commits between, by git: …".
 */
void dj_trend_words_bisect(struct dj_text *text, const struct dj_trend_segment *segment,
                           const struct dj_trend_change *change);
/* "9 points: no changes are looked for in fewer than 15"; nothing where all is well. */
void dj_trend_words_gap(struct dj_text *text, const struct dj_trend_segment *segment);
/* "perhaps smaller changes too: -3.1 % since 1.25, +4.0 % since 1.31; or they only
 * wander: neighbours go together (ρ 0.28)"; nothing where there are none. */
void dj_trend_words_hints(struct dj_text *text, const struct dj_trend_segment *segment);
/* "frames on time: 90.1 % (1.0) → 98.2 % (2.3), objective 98 %"; nothing but of jank. */
void dj_trend_words_on_time(struct dj_text *text, const struct dj_trend_segment *segment);
/* "2021-03-04", UTC; "" where nobody knows. */
void dj_trend_words_day(struct dj_text *text, int64_t unix_ms);

/* ---- forms ---- */

void dj_trend_terminal(struct dj_text *text, const struct dj_trend_page *page,
                       const struct dj_terminal_style *style, size_t rows);
/* Schema dejank.history/1. */
int dj_trend_json(struct dj_text *text, const struct dj_trend_page *page,
                  struct dj_error *err);
int dj_trend_csv(struct dj_text *text, const struct dj_trend_page *page,
                 struct dj_error *err); /* a line for each point */
int dj_trend_markdown(struct dj_text *text, const struct dj_trend_page *page,
                      struct dj_error *err);
int dj_trend_svg(struct dj_text *text, const struct dj_trend_page *page,
                 struct dj_error *err);
int dj_trend_html(struct dj_text *text, const struct dj_trend_page *page,
                  struct dj_error *err);

/* The drawing alone, of the segment `index`: an <svg> element of height px; of the page's
 * stack of its history, if it has one and the segment is the first of it. Returns the
 * height. */
double dj_trend_draw(struct dj_text *text, const struct dj_trend_page *page, size_t index,
                     double y);

#endif
