/* Adds the content of a view to a document. */
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

/* Adds the content of a view for a picture: six figures, the most severe findings, and
 * the charts. */
void dj_view_add_picture(struct dj_document *document, const struct dj_view *view);

/* The next functions add charts. A function adds nothing if the view lacks the data of
 * its chart. For a picture, the bars of a few long frames are cut off or share one bar,
 * so that these frames do not flatten all others. */

/* Adds the histogram of the rows, in parts of the frame interval. */
void dj_view_add_exact_histogram(struct dj_document *document, const struct dj_view *view,
                                 bool is_picture);

/* Adds the histogram of all frames that hwui counted, in hwui's buckets, if hwui counted
 * more frames than there are rows. */
void dj_view_add_hwui_histogram(struct dj_document *document, const struct dj_view *view,
                                bool is_picture);

/* Adds a chart of the stages of each frame, as stacks. */
void dj_view_add_stage_chart(struct dj_document *document, const struct dj_view *view,
                             bool is_picture);

/* Adds a chart of the rows of the simple dump, as stacks. */
void dj_view_add_profile_chart(struct dj_document *document, const struct dj_view *view,
                               bool is_picture);

/* Adds the stages of the worst frames: the frames that the findings name, then the
 * longest ones. */
void dj_view_add_worst_chart(struct dj_document *document, const struct dj_view *view);

#endif
