/* Draws the worst frames of a result of triage. */
#ifndef DEJANK_REPORT_TRIAGE_FRAME_BARS_H
#define DEJANK_REPORT_TRIAGE_FRAME_BARS_H

#include "report/terminal/lines.h"
#include "triage/findings.h"

/* The worst frames as bars, with a legend. */
void dj_report_draw_worst_frames(struct dj_terminal *out,
                                 const struct dj_triage_result *result);

#endif
