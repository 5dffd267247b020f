/* Writes how regularly the display showed the frames of each layer. */
#ifndef DEJANK_REPORT_TRIAGE_PRESENTS_H
#define DEJANK_REPORT_TRIAGE_PRESENTS_H

#include "report/document.h"
#include "triage/result.h"

/* Appends the member "presents" to an open object. */
void dj_report_write_json_presents(struct dj_text *text,
                                   const struct dj_triage_result *result);

/* Adds a table with a row per layer as details, or nothing if there are no layers. */
void dj_report_add_presents(struct dj_document *document,
                            const struct dj_triage_result *result);

#endif
