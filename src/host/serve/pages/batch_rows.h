/* Adds a table of batches, each with links to its page and its project. */
#ifndef DEJANK_SERVE_PAGES_BATCH_ROWS_H
#define DEJANK_SERVE_PAGES_BATCH_ROWS_H

#include "report/stored_batch.h"

/* Adds the first `most` batches of the list. With `names_project`, the table has a column
 * for the project. */
void dj_serve_add_batch_rows(struct dj_document *document,
                             const struct dj_batch_list *list, size_t most,
                             bool names_project);

#endif
