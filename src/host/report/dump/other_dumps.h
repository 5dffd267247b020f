/* Parts of a dump other than frames and statistics, as dumps of their own. */
#ifndef DEJANK_REPORT_DUMP_OTHER_DUMPS_H
#define DEJANK_REPORT_DUMP_OTHER_DUMPS_H

#include "import/parsed_dump.h"

/* Converts one kind of data in *parsed to a computed dump *made: a process for each entry
 * of graphicsstats, with one window named by version and time, or a process for each pid
 * with logged frames. *made has no process if there is no such data. Finish it with
 * dj_import_finish_dump(). */
void dj_other_dumps_from_graphicsstats(const struct dj_parsed *parsed,
                                       struct dj_parsed *made);
void dj_other_dumps_from_daveys(const struct dj_parsed *parsed, struct dj_parsed *made);

#endif
