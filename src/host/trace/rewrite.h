/* Writes a trace of any readable format as a Perfetto trace. */
#ifndef DEJANK_TRACE_REWRITE_H
#define DEJANK_TRACE_REWRITE_H

#include "base/error.h"
#include "base/text.h"

/* DJ_E_USAGE unless the name ends in .pftrace or .perfetto-trace. */
int dj_trace_rewrite_check(const char *output, struct dj_error *err);

/*
 * Reads `input` (as dj_trace_read_events()) and writes `output`, event by event. The old
 * content of `output` stays unless all events could be written. Appends a sentence to
 * *note for each thing that the trace lacks.
 */
int dj_trace_rewrite(const char *input, const char *output, struct dj_text *note,
                     struct dj_error *err);

#endif
