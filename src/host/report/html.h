/* The report as one HTML file. It works offline: style and scripts are inlined. */
#ifndef DEJANK_REPORT_HTML_H
#define DEJANK_REPORT_HTML_H

#include "report/page.h"
#include "report/view.h"

/* What a page begins with that has no script, up to the first rule of its style. */
#define DJ_HTML_PLAIN_HEAD                                                               \
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"            \
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"         \
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "        \
    "style-src 'unsafe-inline'\">\n<style>\n:root{color-scheme:light dark}\n"            \
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;"          \
    "padding:0 1rem}\n"

/* Appends `string` with & < > " ' as character references, and otherwise as
 * dj_text_escaped() does. */
void dj_html_escape(struct dj_text *text, const char *string);

/* The same of a text, which is empty then. */
void dj_html_put(struct dj_text *text, struct dj_text *words);

/* Appends the page with these parts in its slots, and finishes them: a title and a plain
 * form that are escaped, data that holds no '<'. */
void dj_html_page(struct dj_text *text, struct dj_text parts[DJ_PAGE_END]);

/* Appends the whole file, or nothing if there are no views. */
void dj_report_html(struct dj_text *text, const struct dj_views *views);

/* Appends the data, as JSON that holds no '<': schema "dejank.report-page/1", private to
 * the page. */
void dj_report_json(struct dj_text *text, const struct dj_views *views);

#endif
