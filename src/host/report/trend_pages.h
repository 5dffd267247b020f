/* Writes a trend part by part. Each part is freed before the next one is read, and its
 * output is kept in a temporary file. So a store of any size needs little memory. */
#ifndef DEJANK_REPORT_TREND_PAGES_H
#define DEJANK_REPORT_TREND_PAGES_H

#include "output/spool.h"
#include "report/trend.h"
#include "report/trend/summary.h"

/* Maximum number of trends in a picture. */
enum { DJ_TREND_PICTURE_MAX = 100 };

/* The state of the output. The caller sets the members up to `err`, and zeroes the
 * others. Finish it in every case. */
struct dj_trend_pages {
    struct dj_store *history;
    const char *path; /* The path of the output file, or NULL for stdout. */
    /* The format for programs. NULL for a document, which is text or has the format of
     * the suffix of `path`. */
    const struct dj_trend_form *form;
    struct dj_terminal_style style;
    bool with_details; /* Text on stdout contains the section of each trend. */
    size_t rows;       /* Number of versions in the tables of text and Markdown. */
    const char *store; /* The option --store, or NULL. */
    bool names_metric; /* True if the query names metrics. */
    struct dj_error *err;

    struct dj_trend_summary summary;
    struct dj_output_spool parts;
    struct dj_text before, after; /* The output before and after the parts. */
    struct dj_document picture;   /* The sections of a picture. */
    /* True if a change to the worse of the trend holds (dj_trend_change_holds()). */
    bool has_worse;
};

/* Adds a part of the trend. This is a callback of dj_trend_read_parts(), and `user` is
 * the struct dj_trend_pages. */
int dj_report_trend_pages_add(void *user, const struct dj_trend *part);
/* Writes the whole output after all parts were added. Returns 0, DJ_E_OUTPUT, or the
 * error of a picture. Unless `form` is set, the trend must have at least one segment. */
int dj_report_trend_pages_write(struct dj_trend_pages *pages,
                                const struct dj_trend_totals *totals,
                                struct dj_error *err);
void dj_report_trend_pages_finish(struct dj_trend_pages *pages);

#endif
