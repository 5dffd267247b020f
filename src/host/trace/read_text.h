/* Reading a part of an input (intake.h) that is text. Of this room only. */
#ifndef DEJANK_TRACE_READ_TEXT_H
#define DEJANK_TRACE_READ_TEXT_H

#include "trace/text_told.h"
#include "trace/trace.h"
#include "trace/wrapped.h"

/* Reads the part to its end. *trace gets what the text says of itself, *told too. As
 * dj_text_input_take(); DJ_E_INVALID where it goes on and on and tells nothing. */
int dj_read_text_part(struct dj_wrapped *part, struct dj_event_sink sink,
                      struct dj_trace *trace, struct dj_trace_told *told,
                      struct dj_error *err);

#endif
