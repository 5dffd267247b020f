/* Declares the back ends of documents other than the terminal. Each appends the whole
 * document to `text`. */
#ifndef DEJANK_REPORT_DOCUMENT_RENDER_H
#define DEJANK_REPORT_DOCUMENT_RENDER_H

#include "report/document.h"

struct dj_terminal;

/* Appends Markdown for a merge request or an issue. A chart becomes a code block that
 * contains the chart as on a terminal. */
void dj_document_write_markdown(struct dj_text *text, const struct dj_document *document);

/* Appends one HTML page that works offline. A script in the page draws the charts.
 * Without scripts, the page shows the charts as on a terminal. */
void dj_document_write_page(struct dj_text *text, const struct dj_document *document);

/* Appends only the blocks as HTML, for a page that has other content, too. */
void dj_document_write_html(struct dj_text *text, const struct dj_document *document);

/* Appends a form as HTML. */
void dj_document_write_form(struct dj_text *text, const struct dj_web_form *form);

/* Appends the HTML before the blocks of a page and the HTML after them. The page has the
 * title of `summary`, and its copy button copies the summary as Markdown. */
void dj_document_write_page_frame(struct dj_text *before, struct dj_text *after,
                                  const struct dj_document *summary);

/* Appends an SVG picture that contains the title, the verdicts and the charts. Returns 0
 * or an error as in picture.h. */
int dj_document_write_svg(struct dj_text *text, const struct dj_document *document,
                          struct dj_error *err);

/* Appends a PNG picture with the same content. Returns 0 or an error as in picture.h. */
int dj_document_write_png(struct dj_text *text, const struct dj_document *document,
                          struct dj_error *err);

/* Appends the chart as JSON for the script of an HTML page. */
void dj_chart_write_json(struct dj_text *text, const char *key,
                         const struct dj_chart *chart);

/* Appends the chart as lines of a terminal. */
void dj_chart_write_terminal(struct dj_terminal *out, const struct dj_chart *chart);

#endif
