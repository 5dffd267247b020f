/* Reads frames from a file other than the analysed trace: a gfxinfo dump, or another
 * trace of the same time, for example one with FrameTimeline. */
#ifndef DEJANK_TRIAGE_FRAMES_FILE_H
#define DEJANK_TRIAGE_FRAMES_FILE_H

#include "base/messages.h"
#include "trace/trace.h"
#include "triage/rows.h"

/* Appends the frames of a file. The content of the file determines its format. Finish
 * *rows, also after an error. Returns 0, the error of reading the file, or DJ_E_NO_DATA
 * if the file has no frames. */
int dj_triage_rows_read_file(struct dj_triage_rows *rows, const char *path,
                             const struct dj_messages *messages, struct dj_error *err);

/* Appends the frames of a trace. They are found by the rules that triage uses by
 * default. */
int dj_triage_rows_add_trace(struct dj_triage_rows *rows, const struct dj_trace *trace,
                             struct dj_error *err);

#endif
