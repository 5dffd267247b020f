/* Sections of the page of a dump. */
#ifndef DEJANK_REPORT_DUMP_PAGE_PARTS_H
#define DEJANK_REPORT_DUMP_PAGE_PARTS_H

#include "report/standing.h"
#include "report/terminal_page.h"

/* Appends the notes, sums and windows of a process. `views` are its own, at least one. */
void dj_page_process(struct dj_terminal *out, const struct dj_view *views, size_t count);

/* Appends the lines, except those that `before` contains (may be NULL). */
void dj_page_notes(struct dj_terminal *out, const struct dj_text *lines,
                   const struct dj_text *before);

/* Appends the verdict of a dump that does not have exactly one process: why it has none,
 * or which process is worst (index `worst`). Appends nothing if the dump has one process,
 * or no process but other data. */
void dj_verdict_of_dump(struct dj_terminal *out, const struct dj_parsed *parsed,
                        size_t worst);

/* Appends the verdict of a process on one line, then the figures that support it. */
void dj_verdict_of_process(struct dj_terminal *out, const struct dj_parsed *parsed,
                           size_t index, const struct dj_standing *standing);

#endif
