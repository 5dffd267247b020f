/* `dejank trace read FILE -o TRACE`: a trace of any kind, written as another; which, the
 * file's ending says. */
#ifndef DEJANK_CLI_TRACE_WRITE_H
#define DEJANK_CLI_TRACE_WRITE_H

#include "base/error.h"
#include "base/text.h"

/* Whether a file of that name can be written: DJ_E_USAGE where its ending is none of
 * those. */
int dj_trace_write_check(const char *output, struct dj_error *err);

/*
 * Reads `input` (as dj_trace_hand_out()) and writes `output`, event by event. What was in
 * `output` before stays there unless all of it could be written. *note gets a sentence
 * for each thing that the trace lacks.
 */
int dj_trace_write(const char *input, const char *output, struct dj_text *note,
                   struct dj_error *err);

#endif
