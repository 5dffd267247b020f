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
                               /* `rows`: whether to include the rows of the dump. */
                               const struct dj_parsed *parsed, bool rows);
void dj_report_end_json_input(
    struct dj_text *text, struct dj_dump_json *json,
    const struct dj_dump_input *input); /* Also frees the memory of `json`. */
void dj_report_close_json(struct dj_text *text);

/* Appends the rows of the dump as a table. Returns the number of rows. */
size_t dj_report_write_dump_table(struct dj_text *text, const struct dj_parsed *parsed);

/* State of a page of text that is written while the dumps of an input arrive. The page
 * contains verdicts, printed and exact figures, and notes. Dumps with frames come first,
 * then other dumps up to a maximum, then graphicsstats and log lines, and finally the
 * next step. The page states how many dumps exceed the maximum. Before each input, zero
 * all members except `style` and `with_details`. */
struct dj_dump_page {
    struct dj_terminal_style style;
    bool with_details;
    bool any;            /* True if the page has content. */
    struct dj_text weak; /* Text about the dumps without frames. */
    size_t weak_beyond;
    struct dj_log_tables logs;
    struct dj_surface_tables layers;
    /* Best evidence found so far. It decides which next step the page suggests. */
    struct dj_assessment assessment;
    int evidence;
    enum dj_next_step step;
    struct dj_next_subject subject;
    struct dj_text name; /* First app name that occurs in a dump. */
};

/* Appends a dump to the page. Text about a dump without frames is appended at the end of
 * the page. */
void dj_report_write_page_dump(struct dj_text *text, struct dj_dump_page *page,
                               const struct dj_parsed *parsed);
void dj_report_end_page(struct dj_text *text, struct dj_dump_page *page,
                        /* Also frees the memory of `page`. */
                        const struct dj_dump_input *input);

/* Frees the memory of a page that was not ended. */
void dj_report_finish_page(struct dj_dump_page *page);

/* Appends a layer of SurfaceFlinger as an element of "surfaces". */
void dj_report_write_json_surface(struct dj_text *text,
                                  const struct dj_dump_surface *surface);

/* Appends the member "stats": a statistics block as it was printed, or null. */
void dj_report_write_json_stats(struct dj_text *text, const struct dj_stats_block *block);

/* Appends a window as an element of "windows". Frames are judged by the rule of the
 * dialect. If `rows` is true, the element contains the rows. */
void dj_report_write_json_window(struct dj_text *text, const struct dj_dialect *dialect,
                                 const struct dj_dump_window *window,
                                 const struct dj_window_facts *facts, bool rows);

/* Appends a row as an array of numbers in ms with two decimals. A negative value is
 * unknown and becomes null. If `prepare` is false, the array does not contain the column
 * Prepare. */
void dj_report_write_json_profile_row(struct dj_text *text,
                                      const struct dj_profile_row *row, bool prepare);

#endif
