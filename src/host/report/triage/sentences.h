/* Sentences about a cause and its evidence. */
#ifndef DEJANK_REPORT_TRIAGE_SENTENCES_H
#define DEJANK_REPORT_TRIAGE_SENTENCES_H

#include "base/text.h"
#include "triage/findings.h"

/* Appends one line of text: when a cause was longest, in which sections it was, and which
 * thread ended it. */
void dj_report_describe_evidence(struct dj_text *text,
                                 const struct dj_triage_evidence *evidence);

#endif
