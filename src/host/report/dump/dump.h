/* The output forms of `dejank parse`: JSON, table and page. All functions append to text;
 * none prints. */
#ifndef DEJANK_REPORT_DUMP_DUMP_H
#define DEJANK_REPORT_DUMP_DUMP_H

#include "import/dump_input.h"
#include "report/dump/log_tables.h"
#include "report/terminal/style.h"
#include "report/verdict/next_step.h"

/* JSON with schema dejank.parse/1 (docs/format/parse.md), written while the dumps arrive:
 * open, then for each input begin, its dumps, end; then close. */
struct dj_dump_json {
    struct dj_text graphicsstats, daveys; /* Elements that come after all processes. */
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

/* A page of text, written while the dumps of an input arrive: verdicts, printed and exact
 * figures, notes. Dumps in which a process drew frames come first, then the others (up to
 * a maximum; further ones are counted), graphicsstats and log lines, and the next step.
 * Zero it before each input, except `style` and `with_details`. */
struct dj_dump_page {
    struct dj_terminal_style style;
    bool with_details;
    bool any;            /* Something was appended. */
    struct dj_text weak; /* Pages of the dumps without frames. */
    size_t weak_beyond;
    struct dj_log_tables logs;
    /* The best evidence so far, which decides the next step. */
    struct dj_assessment assessment;
    int evidence;
    enum dj_next_step step;
    struct dj_next_subject subject;
    struct dj_text name; /* The first name that a dump contains. */
};

/* Appends a dump; dumps without frames wait for the end of the page. */
void dj_report_write_page_dump(struct dj_text *text, struct dj_dump_page *page,
                               const struct dj_parsed *parsed);
void dj_report_end_page(struct dj_text *text, struct dj_dump_page *page,
                        const struct dj_dump_input *input); /* Also finishes `page`. */

/* Frees a page that was not ended. */
void dj_report_finish_page(struct dj_dump_page *page);

/* Appends member "stats": a statistics block as printed, or null. */
void dj_report_write_json_stats(struct dj_text *text, const struct dj_stats_block *block);

/* Appends an element of "windows", judged by the dialect; with `rows`, also its rows. */
void dj_report_write_json_window(struct dj_text *text, const struct dj_dialect *dialect,
                                 const struct dj_dump_window *window,
                                 const struct dj_window_facts *facts, bool rows);

/* Appends an array of milliseconds with two decimals; a negative value is unknown and
 * becomes null. Without `prepare` the array lacks that column. */
void dj_report_write_json_profile_row(struct dj_text *text,
                                      const struct dj_profile_row *row, bool prepare);

#endif
