/* Converts a trace in any format that dejank can read to a Perfetto trace. */
#ifndef DEJANK_TRACE_REWRITE_H
#define DEJANK_TRACE_REWRITE_H

#include "base/error.h"
#include "base/text.h"

/* Returns 0 if the name ends in .pftrace or .perfetto-trace, and DJ_E_USAGE otherwise. */
int dj_trace_rewrite_check(const char *output, struct dj_error *err);

/*
 * Reads `input` as dj_trace_read_events() does, and writes its events to `output` one by
 * one. An existing file `output` is replaced only if all events could be written. For
 * each problem of the input that affects the output, appends a phrase to *note.
 */
int dj_trace_rewrite(const char *input, const char *output, struct dj_text *note,
                     struct dj_error *err);

#endif
