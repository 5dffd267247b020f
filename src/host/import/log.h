/* Reads logs of frames that other tools have written. The header of a log shows its
 * format. Each format has a file log/NAME.c and an entry in the table of log.c or
 * log/json.c. Everything that a log does not contain remains unknown: times between
 * presents, for example, show no stages and no deadlines of frames. */
#ifndef DEJANK_IMPORT_LOG_H
#define DEJANK_IMPORT_LOG_H

#include "base/error.h"
#include "gfxinfo/dump.h"
#include "import/log/frame_log.h"

/* Returns whether the text is such a log. Only its first lines, or the keys of JSON, are
 * examined. */
bool dj_import_is_log(const char *bytes, size_t length);

/* Returns the name of the format, such as "mangohud". */
const char *dj_log_name(const struct dj_log *log);

/* Reads a text. Lines without a frame, including a truncated last one, are skipped with a
 * note. Returns DJ_E_INVALID if no format matches or numbers contradict each other,
 * DJ_E_NO_DATA if there is no frame, or DJ_E_LIMIT. log->error_line is the line of the
 * error. The caller finishes *log in every case. */
int dj_import_read_log(const char *bytes, size_t length, struct dj_log *log,
                       struct dj_error *err);

void dj_import_finish_log(struct dj_log *log);

/* Returns the number of runs in the log, at least 1. */
size_t dj_import_count_runs(const struct dj_log *log);

/* Converts one run of the log, from 0, to a dump. The dump has a process for each
 * program, and a window for each swap chain. Everything unknown is marked as not
 * recorded. `process` is the name for programs whose name is unknown. The caller finishes
 * the dump. */
void dj_import_write_dump(const struct dj_log *log, size_t run, const char *process,
                          struct dj_dump *dump);

#endif
