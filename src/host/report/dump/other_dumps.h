/* Converts the parts of a dump that belong to no process to separate dumps. */
#ifndef DEJANK_REPORT_DUMP_OTHER_DUMPS_H
#define DEJANK_REPORT_DUMP_OTHER_DUMPS_H

#include "import/parsed_dump.h"

/* Convert one kind of data in *parsed to a computed dump *made. The first function
 * creates a process for each entry of graphicsstats, with one window that is named by
 * version and time. The second one creates a process for each pid with logged frames.
 * *made has no process if *parsed has no such data. Finish *made with
 * dj_import_finish_dump(). */
void dj_other_dumps_from_graphicsstats(const struct dj_parsed *parsed,
                                       struct dj_parsed *made);
void dj_other_dumps_from_daveys(const struct dj_parsed *parsed, struct dj_parsed *made);

#endif
