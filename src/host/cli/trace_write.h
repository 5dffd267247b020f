/* `dejank trace read FILE -o TRACE`: a trace of any kind, written for Perfetto. */
#ifndef DEJANK_CLI_TRACE_WRITE_H
#define DEJANK_CLI_TRACE_WRITE_H

#include "base/error.h"
#include "base/text.h"

/* DJ_E_USAGE unless the name ends in .pftrace or .perfetto-trace. */
int dj_trace_write_check(const char *output, struct dj_error *err);

/*
 * Reads `input` (as dj_trace_hand_out()) and writes `output`, event by event. What was in
 * `output` before stays there unless all of it could be written. *note gets a sentence
 * for each thing that the trace lacks.
 */
int dj_trace_write(const char *input, const char *output, struct dj_text *note,
                   struct dj_error *err);

#endif
