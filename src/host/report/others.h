/* What else a dump holds — entries of graphicsstats, log lines of very long frames — in
 * the form of a dump, so that whatever shows dumps shows these. */
#ifndef DEJANK_REPORT_OTHERS_H
#define DEJANK_REPORT_OTHERS_H

#include "report/parsed.h"

/* Each makes *made, computed, of one kind of what is in *parsed: a process per entry of
 * graphicsstats (its one window is named by version and time), or one per pid whose
 * frames the log named. Where there are none it has no process. Finish it with
 * dj_parsed_finish(). */
void dj_others_graphicsstats(const struct dj_parsed *parsed, struct dj_parsed *made);
void dj_others_daveys(const struct dj_parsed *parsed, struct dj_parsed *made);

#endif
