/* Writes a trend part by part: each part is freed before the next one is read, and what
 * is written of it waits in a file. So a store of any size needs little memory. */
#ifndef DEJANK_REPORT_TREND_PAGES_H
#define DEJANK_REPORT_TREND_PAGES_H

#include "output/spool.h"
#include "report/trend.h"
#include "report/trend/summary.h"

/* A picture has at most so many trends. */
enum { DJ_TREND_PICTURE_MAX = 100 };

/* Set the first group of members, and zero the rest. Finish it in every case. */
struct dj_trend_pages {
    struct dj_store *history;
    const char *path; /* Of the file; NULL: stdout. */
    /* The writer for programs; NULL: a document, as text or in the format of `path`. */
    const struct dj_trend_form *form;
    struct dj_terminal_style style;
    bool with_details; /* Text has the section of each trend. */
    size_t rows;       /* Versions in the tables of text and Markdown. */
    const char *store; /* The option --store, or NULL. */
    bool names_metric; /* The query names metrics. */
    struct dj_error *err;

    struct dj_trend_summary summary;
    struct dj_output_spool parts;
    struct dj_text before, after; /* What is around the parts. */
    struct dj_document picture;   /* The sections of a picture. */
    bool has_worse;               /* A change for the worse holds and is not accepted. */
};

/* The callback of dj_trend_read_parts(). `user` is the struct dj_trend_pages. */
int dj_report_trend_pages_add(void *user, const struct dj_trend *part);
/* Writes the whole result. Returns 0, DJ_E_OUTPUT, or the error of a picture. The trend
 * must have had a segment unless `form` is set. */
int dj_report_trend_pages_write(struct dj_trend_pages *pages,
                                const struct dj_trend_totals *totals,
                                struct dj_error *err);
void dj_report_trend_pages_finish(struct dj_trend_pages *pages);

#endif
