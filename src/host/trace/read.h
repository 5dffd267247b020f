/* Reads a recording of any kind. The content shows the kind. */
#ifndef DEJANK_TRACE_READ_H
#define DEJANK_TRACE_READ_H

#include "trace/trace.h"

/* Reads a file. For a segment, reads the sections file next to it. Returns DJ_E_NO_DATA
 * if the process of a segment recorded no sections, DJ_E_INVALID if the file is no known
 * recording, else as dj_segment_sections_read(). The caller must finish *trace, also
 * after an error. */
int dj_trace_read(const char *path, struct dj_trace *trace, struct dj_error *err);

/* The same, but passes the events to the sink, one by one, and keeps none. *summary gets
 * the facts about the trace as a whole: its source and what is missing. Zero it before
 * and finish it afterwards. For dejank's own recordings, the events include the frames of
 * the process. Returns the sink's code if it is not 0; then err may be empty. */
int dj_trace_read_events(const char *path, struct dj_event_sink sink,
                         struct dj_trace *summary, struct dj_error *err);

#endif
