/* The verdict with which a page begins: is it bad, of how many frames, by which rule.
 * What is missing is said as such. */
#ifndef DEJANK_REPORT_DUMP_VERDICT_H
#define DEJANK_REPORT_DUMP_VERDICT_H

#include "report/standing.h"
#include "report/terminal_page.h"

/* Of a dump that has not exactly one process: why there is none, or which of them looks
 * worst (index `worst`). Nothing of others, nor of a dump that has something else. */
void dj_verdict_of_dump(struct dj_terminal *out, const struct dj_parsed *parsed,
                        size_t worst);

/* Of a process: the verdict in a line, then the figures that it stands on. */
void dj_verdict_of_process(struct dj_terminal *out, const struct dj_parsed *parsed,
                           size_t index, const struct dj_standing *standing);

#endif
