/* The sections of a batch document that `dejank report` and `dejank show` share. */
#ifndef DEJANK_REPORT_BATCHES_SECTIONS_H
#define DEJANK_REPORT_BATCHES_SECTIONS_H

#include "report/batches.h"

/* Adds the verdict of one batch, what was measured, its runs, and why runs do not count.
 */
void dj_batches_add_head(struct dj_document *document, const struct dj_batches *batches,
                         size_t index);

/* Adds the table of the figures that a report shows first. */
void dj_batches_add_main_figures(struct dj_document *document,
                                 const struct dj_batches *batches);

/* Adds the tables of all other figures, the deviations of the main figures, and a
 * sentence that names the counts that are always zero. */
void dj_batches_add_other_figures(struct dj_document *document,
                                  const struct dj_batches *batches);

#endif
