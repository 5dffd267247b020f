/* What the files of a dump's page share. Private to the dump_page*.c files. */
#ifndef DEJANK_REPORT_DUMP_PAGE_PARTS_H
#define DEJANK_REPORT_DUMP_PAGE_PARTS_H

#include "report/terminal_page.h"
#include "report/view.h"

/* A process's notes, sums and windows; `views` are its own, at least one. */
void dj_page_process(struct dj_terminal *out, const struct dj_view *views, size_t count);

/* The lines, but those that stand in `before` (may be NULL). */
void dj_page_notes(struct dj_terminal *out, const struct dj_text *lines,
                   const struct dj_text *before);

#endif
