/* Parts of a dump other than frames and statistics, as dumps of their own. */
#ifndef DEJANK_REPORT_OTHER_DUMPS_H
#define DEJANK_REPORT_OTHER_DUMPS_H

#include "import/parsed_dump.h"

/* Each makes *made, computed, of one kind of what is in *parsed: a process per entry of
 * graphicsstats (its one window is named by version and time), or one per pid whose
 * frames the log named. Where there are none it has no process. Finish it with
 * dj_parsed_finish(). */
void dj_others_graphicsstats(const struct dj_parsed *parsed, struct dj_parsed *made);
void dj_others_daveys(const struct dj_parsed *parsed, struct dj_parsed *made);

#endif
