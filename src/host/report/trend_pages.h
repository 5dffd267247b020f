/* Draws a trend part by part: each part is freed before the next one is read. */
#ifndef DEJANK_REPORT_TREND_PAGES_H
#define DEJANK_REPORT_TREND_PAGES_H

#include "output/spool.h"
#include "report/trend.h"
#include "trend/trend.h"

/* Zero the rest; finish it in every case. */
struct dj_trend_pages {
    struct dj_store *history;
    const struct dj_trend_form *form;
    struct dj_trend_page page; /* style and rows are the caller's */
    struct dj_error *err;
    struct dj_text head;
    struct dj_output_spool drawn, parts;
    bool stands; /* a change for the worse that no one has accepted */
};

/* Of dj_trend_read_parts(); `user` is the pages. */
int dj_report_trend_pages_add(void *user, const struct dj_trend *part);
/* Writes all to `path`, NULL: to stdout. DJ_E_OUTPUT. */
int dj_report_trend_pages_write(struct dj_trend_pages *pages,
                                const struct dj_trend_totals *told, const char *path,
                                struct dj_error *err);
void dj_report_trend_pages_finish(struct dj_trend_pages *pages);

#endif
