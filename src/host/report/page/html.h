/* Writes parts of HTML pages. */
#ifndef DEJANK_REPORT_PAGE_HTML_H
#define DEJANK_REPORT_PAGE_HTML_H

#include "report/page/embedded.h"
#include "report/view/view.h"

/* The start of a page without a script, up to the first rule of its style. */
#define DJ_HTML_PLAIN_HEAD                                                               \
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"            \
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"         \
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "        \
    "style-src 'unsafe-inline'\">\n<style>\n:root{color-scheme:light dark}\n"            \
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;"          \
    "padding:0 1rem}\n"

/* Appends the page with these parts in its slots, and finishes the parts. The title must
 * be escaped; the data must not contain '<'. */
void dj_html_write_page(struct dj_text *text, const struct dj_page *page,
                        struct dj_text parts[DJ_PAGE_END]);

/* Appends the data as JSON without '<'. The schema "dejank.report-page/1" is internal to
 * the page. */
void dj_report_write_page_data(struct dj_text *text, const struct dj_views *views);

#endif
