/* Reads frame logs of other tools as frames. The header shows which tool wrote a text.
 * Each tool has a file log_NAME.c and a row in the table of log.c. What a log does not
 * contain stays unknown: times between presents give no stages and no deadlines. */
#ifndef DEJANK_IMPORT_LOG_H
#define DEJANK_IMPORT_LOG_H

#include "base/error.h"
#include "gfxinfo/dump.h"
#include "import/log/frame_log.h"

/* Whether the first lines of a text are those of such a log. The rest is not checked. */
bool dj_import_is_log(const char *bytes, size_t length);

/* Returns the name of a format, as "mangohud". */
const char *dj_log_name(const struct dj_log *log);

/* Reads a text. Lines without a frame are skipped with a note, also a truncated last one.
 * DJ_E_INVALID if no format matches or numbers contradict each other, DJ_E_NO_DATA if
 * there is no frame, DJ_E_LIMIT: log->error_line says where.
 * Finish *log in every case. */
int dj_import_read_log(const char *bytes, size_t length, struct dj_log *log,
                       struct dj_error *err);

void dj_import_finish_log(struct dj_log *log);

/* Returns the number of runs for dj_import_write_dump(), at least 1. */
size_t dj_import_count_runs(const struct dj_log *log);

/* Writes one of the log's runs (from 0) to a dump. Everything unknown is marked as not
 * recorded. The dump has a process for each program and a window for each swap chain.
 * `process` names a program that the log does not name. The caller finishes the dump. */
void dj_import_write_dump(const struct dj_log *log, size_t run, const char *process,
                          struct dj_dump *dump);

#endif
