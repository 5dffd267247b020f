/* Converts a trace of any readable format to a Perfetto trace. */
#ifndef DEJANK_TRACE_REWRITE_H
#define DEJANK_TRACE_REWRITE_H

#include "base/error.h"
#include "base/text.h"

/* Returns DJ_E_USAGE unless the name ends in .pftrace or .perfetto-trace, else 0. */
int dj_trace_rewrite_check(const char *output, struct dj_error *err);

/*
 * Reads `input` (as dj_trace_read_events()) and writes `output`, one event at a time.
 * Replaces an existing file `output` only if all events could be written. Appends half
 * a sentence to *note for each problem of the input that affects the output.
 */
int dj_trace_rewrite(const char *input, const char *output, struct dj_text *note,
                     struct dj_error *err);

#endif
