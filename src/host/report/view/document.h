/* Adds what a view shows to a document. */
#ifndef DEJANK_REPORT_VIEW_DOCUMENT_H
#define DEJANK_REPORT_VIEW_DOCUMENT_H

#include "report/document.h"
#include "report/view/view.h"

/* Adds the figures, the histogram, the stages and the findings of a view, then its other
 * figures and charts as details. `with_counts` is false if another view of the document
 * shows the same counters: then the histogram of hwui is omitted. Adds nothing for an
 * empty view. */
void dj_view_add_figures(struct dj_document *document, const struct dj_view *view,
                         bool with_counts);

/* Adds the notes on the view. */
void dj_view_add_notes(struct dj_document *document, const struct dj_view *view);

/* Adds what a picture shows of a view: six figures, the most severe findings, and the
 * charts. */
void dj_view_add_picture(struct dj_document *document, const struct dj_view *view);

/* ---- charts (charts.c); each adds nothing if the view lacks its data. For a picture,
 * few long frames do not flatten all others: their bars are cut or share a bar. ---- */

/* The histogram of the rows, in parts of the frame interval; and the histogram of all
 * frames that hwui counted, in its own buckets, if these are more than the rows. */
void dj_view_add_exact_histogram(struct dj_document *document, const struct dj_view *view,
                                 bool is_picture);
void dj_view_add_hwui_histogram(struct dj_document *document, const struct dj_view *view,
                                bool is_picture);

/* The stages of each frame, and the rows of the simple dump, as stacks. */
void dj_view_add_stage_chart(struct dj_document *document, const struct dj_view *view,
                             bool is_picture);
void dj_view_add_profile_chart(struct dj_document *document, const struct dj_view *view,
                               bool is_picture);

/* The stages of the worst frames: those that the findings name, then the longest. */
void dj_view_add_worst_chart(struct dj_document *document, const struct dj_view *view);

#endif
