/* The verdicts on the page of a dump. */
#ifndef DEJANK_REPORT_DUMP_VERDICT_H
#define DEJANK_REPORT_DUMP_VERDICT_H

#include "report/terminal/lines.h"
#include "report/verdict/assessment.h"

/* Appends the verdict of a dump that does not have exactly one process: why it has none,
 * or which process is worst (index `worst`). Appends nothing if the dump has one process,
 * or no process but other data. */
void dj_verdict_write_dump(struct dj_terminal *out, const struct dj_parsed *parsed,
                           size_t worst);

/* Appends the verdict of a process on one line, then the figures that support it. */
void dj_verdict_write_process(struct dj_terminal *out, const struct dj_parsed *parsed,
                              size_t index, const struct dj_assessment *assessment);

#endif
