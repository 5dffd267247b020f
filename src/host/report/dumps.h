/* The report of dumps as a document: for each window the verdict, figures, histogram,
 * stages, findings and notes. */
#ifndef DEJANK_REPORT_DUMPS_H
#define DEJANK_REPORT_DUMPS_H

#include "report/document.h"
#include "report/view/view.h"

/* Adds all views to an empty document. */
void dj_report_build_views(struct dj_document *document, const struct dj_views *views);

/* Adds the content of a picture of all views. */
void dj_report_build_picture(struct dj_document *document, const struct dj_views *views);

#endif
