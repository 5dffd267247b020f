/* Reads a recording of any format. The content of the file determines the format. */
#ifndef DEJANK_TRACE_READ_H
#define DEJANK_TRACE_READ_H

#include "trace/trace.h"

/* Reads a file. If the file is a segment, reads the sections file next to the segment
 * instead. Returns DJ_E_NO_DATA if the process of the segment recorded no sections,
 * DJ_E_INVALID if the format of the file is unknown, or the error of
 * dj_segment_sections_read(). The caller must finish *trace, also after an error. */
int dj_trace_read(const char *path, struct dj_trace *trace, struct dj_error *err);

/* Reads a file as dj_trace_read() does, but passes each event to the sink and stores
 * none. Only the properties of the trace as a whole are stored in *summary: its source
 * and what is missing. Zero *summary before, and finish it afterwards. Recordings of
 * dejank also produce events for the frames of the process. If the sink returns a code
 * other than 0, returns this code, and *err may be empty. */
int dj_trace_read_events(const char *path, struct dj_event_sink sink,
                         struct dj_trace *summary, struct dj_error *err);

#endif
