/* Parses the markers that apps write to trace_marker: "B|PID|NAME", "E|PID", … */
#ifndef DEJANK_TRACE_KERNEL_MARKER_H
#define DEJANK_TRACE_KERNEL_MARKER_H

#include "trace/event.h"

/* Sets kind, name, value and, if still unknown, pid from the text of a marker. Returns
 * false and changes nothing if the text is no known marker. */
bool dj_marker_parse(struct dj_str text, struct dj_event *event);

#endif
