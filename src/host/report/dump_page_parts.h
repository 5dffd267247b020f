/* What the files of a dump's page share. Private to the dump_page*.c files. */
#ifndef DEJANK_REPORT_DUMP_PAGE_PARTS_H
#define DEJANK_REPORT_DUMP_PAGE_PARTS_H

#include "report/standing.h"
#include "report/terminal_page.h"

/* A process's notes, sums and windows; `views` are its own, at least one. */
void dj_page_process(struct dj_terminal *out, const struct dj_view *views, size_t count);

/* The lines, but those that stand in `before` (may be NULL). */
void dj_page_notes(struct dj_terminal *out, const struct dj_text *lines,
                   const struct dj_text *before);

/* Of a dump that has not exactly one process: why there is none, or which of them looks
 * worst (index `worst`). Nothing of others, nor of a dump that has something else. */
void dj_verdict_of_dump(struct dj_terminal *out, const struct dj_parsed *parsed,
                        size_t worst);

/* Of a process: the verdict in a line, then the figures that it stands on. */
void dj_verdict_of_process(struct dj_terminal *out, const struct dj_parsed *parsed,
                           size_t index, const struct dj_standing *standing);

#endif
