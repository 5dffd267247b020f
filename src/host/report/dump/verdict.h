/* Chooses the verdicts on the dumps and processes of an input, and adds them to a
 * document. */
#ifndef DEJANK_REPORT_DUMP_VERDICT_H
#define DEJANK_REPORT_DUMP_VERDICT_H

#include "report/document.h"
#include "report/verdict/assessment.h"

enum dj_tone dj_verdict_get_tone(enum dj_grade grade);

/* Adds a verdict on the whole dump. If the dump has no process, the verdict says why. If
 * it has several, the verdict names the worst one, which has the index `worst`. Adds
 * nothing if the dump has exactly one process, or no process but other data. */
void dj_verdict_add_dump(struct dj_document *document, const struct dj_parsed *parsed,
                         size_t worst);

/* Adds the verdict of a process, the sample that the verdict omits, and the meaning of
 * the verdict, unless the verdict of the dump already contains it. */
void dj_verdict_add_process(struct dj_document *document, const struct dj_parsed *parsed,
                            size_t index, const struct dj_assessment *assessment);

/* Adds a note on the frame rate of the process's window with the most rows. */
void dj_verdict_add_rate(struct dj_document *document, const struct dj_parsed *parsed,
                         size_t index, const struct dj_assessment *assessment);

#endif
