/* Parses markers that apps write to the kernel's file trace_marker, for example
 * "B|PID|NAME" or "E|PID". */
#ifndef DEJANK_TRACE_KERNEL_MARKER_H
#define DEJANK_TRACE_KERNEL_MARKER_H

#include "trace/event.h"

/* Parses a marker. Sets kind, name and value of the event, and its pid if that is
 * unknown. Returns false and does not change the event if the text is not a known
 * marker. */
bool dj_marker_parse(struct dj_str text, struct dj_event *event);

#endif
