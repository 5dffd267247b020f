/* Reading a recording, whatever kind it is: its contents tell. */
#ifndef DEJANK_TRACE_READ_H
#define DEJANK_TRACE_READ_H

#include "trace/trace.h"

/*
 * Reads a file: a process's sections, or its segment, beside which they are. DJ_E_NO_DATA
 * where the process of a segment recorded none; DJ_E_INVALID where it is no recording
 * this build knows; else as dj_sections_read(). Finish *trace also after errors.
 */
int dj_trace_read(const char *path, struct dj_trace *trace, struct dj_error *err);

/*
 * The same, but the events go to the sink, one by one, and none is kept: *told, which is
 * zeroed before and finished after, gets what is told of the trace as a whole (its
 * source, what is missing). Of our recordings a process's frames are among them. Ends
 * with what the sink answers, if that is not 0; err then may say nothing.
 */
int dj_trace_hand_out(const char *path, struct dj_event_sink sink, struct dj_trace *told,
                      struct dj_error *err);

#endif
