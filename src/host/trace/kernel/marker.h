/* Parses the markers of apps, for example "B|PID|NAME" or "E|PID". Apps write markers to
 * the kernel's file trace_marker. */
#ifndef DEJANK_TRACE_KERNEL_MARKER_H
#define DEJANK_TRACE_KERNEL_MARKER_H

#include "trace/event.h"

/* Parses a marker. Sets the kind, the name and the value of the event, and its pid if the
 * pid is unknown. If the text is not a known marker, returns false and does not change
 * the event. */
bool dj_marker_parse(struct dj_str text, struct dj_event *event);

#endif
