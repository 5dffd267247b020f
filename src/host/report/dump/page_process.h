/* A process on the page of a dump. */
#ifndef DEJANK_REPORT_DUMP_PAGE_PROCESS_H
#define DEJANK_REPORT_DUMP_PAGE_PROCESS_H

#include "report/terminal/lines.h"
#include "report/view/view.h"

/* Appends the notes, sums and windows of a process. `views` are its own, at least one. */
void dj_page_write_process(struct dj_terminal *out, const struct dj_view *views,
                           size_t count);

/* Appends the lines, except those that `before` contains (may be NULL). */
void dj_page_write_notes(struct dj_terminal *out, const struct dj_text *lines,
                         const struct dj_text *before);

#endif
