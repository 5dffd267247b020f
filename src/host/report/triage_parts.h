/* Parts of triage's answer for people. Of this room only. */
#ifndef DEJANK_REPORT_TRIAGE_PARTS_H
#define DEJANK_REPORT_TRIAGE_PARTS_H

#include "report/triage.h"

/* The worst frames as bars, with a legend. */
void dj_report_triage_frames(struct dj_text *text, const struct dj_triage_result *result,
                             const struct dj_terminal_style *style);

#endif
