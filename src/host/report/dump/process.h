/* Adds one process of a gfxinfo dump to a document. */
#ifndef DEJANK_REPORT_DUMP_PROCESS_H
#define DEJANK_REPORT_DUMP_PROCESS_H

#include "report/document.h"
#include "report/view/view.h"

/* Adds the verdict, the windows and the notes of the process with index `index`. `views`
 * are the views of this process. There is at least one. */
void dj_dump_add_process(struct dj_document *document, const struct dj_parsed *parsed,
                         size_t index, const struct dj_view *views, size_t count);

#endif
