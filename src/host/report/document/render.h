/* Back ends of documents besides the terminal. Each appends the whole document to
 * `text`. */
#ifndef DEJANK_REPORT_DOCUMENT_RENDER_H
#define DEJANK_REPORT_DOCUMENT_RENDER_H

#include "report/document.h"

struct dj_terminal;

/* Markdown for a merge request or an issue. A chart becomes a code block in which it is
 * drawn as on a terminal. */
void dj_document_write_markdown(struct dj_text *text, const struct dj_document *document);

/* One HTML page that works offline. The page draws the charts with a script; without
 * scripts it shows them as on a terminal. */
void dj_document_write_page(struct dj_text *text, const struct dj_document *document);

/* Only the blocks as HTML, for a page that has more. */
void dj_document_write_html(struct dj_text *text, const struct dj_document *document);

/* Appends what a page has before and after its blocks. The page has the title of the
 * summary, and its button copies the summary as Markdown. */
void dj_document_write_page_frame(struct dj_text *before, struct dj_text *after,
                                  const struct dj_document *summary);

/* A picture that contains the title, the verdicts and the charts. Return 0 or an error as
 * in picture.h. */
int dj_document_write_svg(struct dj_text *text, const struct dj_document *document,
                          struct dj_error *err);
int dj_document_write_png(struct dj_text *text, const struct dj_document *document,
                          struct dj_error *err);

/* The chart as an element of JSON, for the page's script. */
void dj_chart_write_json(struct dj_text *text, const char *key,
                         const struct dj_chart *chart);

/* The chart as lines of a terminal. */
void dj_chart_write_terminal(struct dj_terminal *out, const struct dj_chart *chart);

#endif
