/* The forms in which `dejank parse` says what an input holds. All append to text; none
 * prints. */
#ifndef DEJANK_REPORT_DUMP_OUTPUT_H
#define DEJANK_REPORT_DUMP_OUTPUT_H

#include "import/dump_input.h"
#include "report/next_step.h"
#include "report/terminal_page.h"

/* The JSON of dejank.parse/1 (docs/format/parse.md), written as the dumps come: open,
 * then for each input begin, its dumps, end, then close. */
struct dj_json_input {
    struct dj_text graphicsstats, daveys; /* elements that come after all processes */
};
void dj_report_json_open(struct dj_text *text);
void dj_report_json_begin(struct dj_text *text, const char *source);
void dj_report_json_dump(struct dj_text *text, struct dj_json_input *json,
                         const struct dj_parsed *parsed, bool rows); /* with the rows? */
void dj_report_json_end(struct dj_text *text, struct dj_json_input *json,
                        const struct dj_input *input); /* finishes json too */
void dj_report_json_close(struct dj_text *text);

/* The rows as a table for eyes. Returns how many. */
size_t dj_report_dump_table(struct dj_text *text, const struct dj_parsed *parsed);

/* Zero it before use. */
struct dj_logs {
    struct dj_text packages; /* lines of the table; what it cannot hold is counted */
    size_t package_count, packages_beyond;
    struct dj_sample
        worst;        /* of the package that looks worst; no frames: there is none */
    double worst_pct; /* its share of janky frames as printed */
    struct dj_text worst_package;
    struct dj_text daveys; /* the first log lines */
    size_t davey_count;
};

/* ---- the page ---- */

/* A page that a person reads, written as the dumps of an input come: verdicts, figures as
 * printed and exact, notes; dumps in which a process drew as they come, then the others
 * (bounded: further ones are counted), graphicsstats and log lines, and what to do next.
 * Zero it before each input. */
struct dj_page {
    bool any;            /* something was put */
    struct dj_text weak; /* of dumps in which none drew */
    size_t weak_beyond;
    struct dj_logs logs;
    struct dj_standing standing; /* what the next step follows from: the best evidence */
    int evidence;
    enum dj_next_step step;
    struct dj_next_subject subject;
    struct dj_text name; /* the first that any dump knows */
};
void dj_report_page_dump(struct dj_text *text, struct dj_page *page,
                         const struct dj_parsed *parsed);
void dj_report_page_end(struct dj_text *text, struct dj_page *page,
                        const struct dj_input *input); /* finishes page too */
void dj_report_page_finish(struct dj_page *page);

/* ---- parts of the JSON (docs/format/parse.md) ---- */

/* "stats": a statistics block as printed, or null. */
void dj_json_put_stats(struct dj_text *text, const struct dj_stats_block *block);

/* An element of "windows", judged by the dialect; with `rows` its rows too. */
void dj_json_put_window(struct dj_text *text, const struct dj_dialect *dialect,
                        const struct dj_dump_window *window,
                        const struct dj_window_facts *facts, bool rows);

/* An element: an array of milliseconds with two decimals; negative ones are unknown:
 * null. Without `prepare` it lacks that one. */
void dj_json_put_profile_row(struct dj_text *text, const struct dj_profile_row *row,
                             bool prepare);

#endif
