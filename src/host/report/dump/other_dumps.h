/* Converts the parts of a dump that belong to no process to separate dumps. */
#ifndef DEJANK_REPORT_DUMP_OTHER_DUMPS_H
#define DEJANK_REPORT_DUMP_OTHER_DUMPS_H

#include "import/parsed_dump.h"

/* Converts the entries of graphicsstats in *parsed to a computed dump *made: a process
 * for each entry, with one window that is named by version and time. *made has no process
 * if there are no entries. Finish *made with dj_import_finish_dump(). */
void dj_other_dumps_from_graphicsstats(const struct dj_parsed *parsed,
                                       struct dj_parsed *made);

/* Converts the Davey lines in *parsed to a computed dump *made: a process for each pid
 * with logged frames. *made has no process if there are no such lines. Finish *made with
 * dj_import_finish_dump(). */
void dj_other_dumps_from_daveys(const struct dj_parsed *parsed, struct dj_parsed *made);

#endif
