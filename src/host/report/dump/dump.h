/* Writes the output formats of `dejank parse`: JSON, a table, and a page of text. All
 * functions append to `text` and print nothing. */
#ifndef DEJANK_REPORT_DUMP_DUMP_H
#define DEJANK_REPORT_DUMP_DUMP_H

#include "import/dump_input.h"
#include "report/dump/log_tables.h"
#include "report/dump/surface_tables.h"
#include "report/terminal/style.h"
#include "report/verdict/next_step.h"

/* The state of JSON with schema dejank.parse/1 (docs/format/parse.md), which is written
 * while the dumps arrive. Call the open function once. For each input, call the begin
 * function, the write function for each of its dumps, and the end function. Then call the
 * close function once. */
struct dj_dump_json {
    /* Elements that come after all processes. */
    struct dj_text graphicsstats, daveys, surfaces;
};
void dj_report_open_json(struct dj_text *text);
void dj_report_begin_json_input(struct dj_text *text, const char *source);
void dj_report_write_json_dump(struct dj_text *text, struct dj_dump_json *json,
                               /* `rows`: include the rows. */
                               const struct dj_parsed *parsed, bool rows);
void dj_report_end_json_input(
    struct dj_text *text, struct dj_dump_json *json,
    const struct dj_dump_input *input); /* Also finishes `json`. */
void dj_report_close_json(struct dj_text *text);

/* Appends the rows as a table. Returns their number. */
size_t dj_report_write_dump_table(struct dj_text *text, const struct dj_parsed *parsed);

/* The state of a page of text, which is written while the dumps of an input arrive. The
 * page contains verdicts, printed and exact figures, and notes. It has the dumps in which
 * a process drew frames first, then the other dumps up to a maximum, then graphicsstats
 * and log lines, and then the next step. It gives the number of dumps beyond the maximum.
 * Zero the struct before each input, except `style` and `with_details`. */
struct dj_dump_page {
    struct dj_terminal_style style;
    bool with_details;
    bool any;            /* The page has content. */
    struct dj_text weak; /* Pages of the dumps without frames. */
    size_t weak_beyond;
    struct dj_log_tables logs;
    struct dj_surface_tables layers;
    /* The best evidence so far, which decides the next step. */
    struct dj_assessment assessment;
    int evidence;
    enum dj_next_step step;
    struct dj_next_subject subject;
    struct dj_text name; /* The first name that a dump contains. */
};

/* Appends a dump. Keeps a dump without frames until the end of the page. */
void dj_report_write_page_dump(struct dj_text *text, struct dj_dump_page *page,
                               const struct dj_parsed *parsed);
void dj_report_end_page(struct dj_text *text, struct dj_dump_page *page,
                        const struct dj_dump_input *input); /* Also finishes `page`. */

/* Frees a page that was not ended. */
void dj_report_finish_page(struct dj_dump_page *page);

/* Appends a layer of SurfaceFlinger as an element of "surfaces". */
void dj_report_write_json_surface(struct dj_text *text,
                                  const struct dj_dump_surface *surface);

/* Appends member "stats": a statistics block as printed, or null. */
void dj_report_write_json_stats(struct dj_text *text, const struct dj_stats_block *block);

/* Appends a window as an element of "windows". The rule of the dialect judges its frames.
 * With `rows`, the element contains the rows. */
void dj_report_write_json_window(struct dj_text *text, const struct dj_dialect *dialect,
                                 const struct dj_dump_window *window,
                                 const struct dj_window_facts *facts, bool rows);

/* Appends a row as an array of milliseconds with two decimals. An unknown value, which is
 * negative, becomes null. Without `prepare` the array lacks the column Prepare. */
void dj_report_write_json_profile_row(struct dj_text *text,
                                      const struct dj_profile_row *row, bool prepare);

#endif
