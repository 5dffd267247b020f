/* Reads a recording in any format that dejank knows. The content of the file determines
 * the format. */
#ifndef DEJANK_TRACE_READ_H
#define DEJANK_TRACE_READ_H

#include "trace/trace.h"

/* Reads a file. If the file is a segment (the frames of a process), reads the sections
 * file next to it instead. The caller must finish *trace, even after an error. Returns 0,
 * DJ_E_INVALID if the format of the file is unknown, DJ_E_NO_DATA if the process of a
 * segment has recorded no sections, or an error of dj_segment_sections_read(). */
int dj_trace_read(const char *path, struct dj_trace *trace, struct dj_error *err);

/* Reads a file as dj_trace_read() does, but passes the events to the sink and does not
 * store them. For recordings of dejank, the events include the frames of the process.
 * *summary receives only the properties of the whole trace: its source, and what is
 * missing. Zero *summary before the call, and finish it after the call. If the sink
 * returns a value other than 0, returns this value, and *err may be empty. */
int dj_trace_read_events(const char *path, struct dj_event_sink sink,
                         struct dj_trace *summary, struct dj_error *err);

#endif
