/* Adds a gfxinfo dump to a document. */
#ifndef DEJANK_REPORT_DUMP_DOCUMENT_H
#define DEJANK_REPORT_DUMP_DOCUMENT_H

#include "report/document.h"
#include "report/view/view.h"

/* Adds the verdict of the dump, a table of its processes if there are several, the worst
 * process, and as details the others. `worst` is the index of the worst process. */
void dj_dump_add(struct dj_document *document, const struct dj_parsed *parsed,
                 const struct dj_views *views, size_t worst);

#endif
