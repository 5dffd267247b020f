/* An app's markers as they are written to trace_marker: "B|PID|NAME", "E|PID", … Of this
 * room only. */
#ifndef DEJANK_TRACE_MARKER_H
#define DEJANK_TRACE_MARKER_H

#include "trace/event.h"

/* Fills kind, name, value and, where it is not known yet, pid from the marker's text.
 * False, and nothing is changed: it is none of those that mean something. */
bool dj_marker_read(struct dj_str text, struct dj_event *event);

#endif
