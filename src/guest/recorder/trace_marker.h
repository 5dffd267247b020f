/* Writes section events as text to the kernel's trace, so that one file contains both the
 * sections and the scheduler's events. The user must request this, because each event
 * costs a system call. */
#ifndef DEJANK_RECORDER_TRACE_MARKER_H
#define DEJANK_RECORDER_TRACE_MARKER_H

#include "segment/sections_writer.h"

/* Opens the file of the setting trace_marker (settings.h). Call this function once. */
void dj_trace_marker_open(const char *path);

/* Writes the event in the format of Android's atrace: "B|PID|NAME", "E|PID",
 * "S|PID|NAME|COOKIE", "F|PID|NAME|COOKIE" or "C|PID|NAME|VALUE". Does nothing if no
 * file is open. Async-signal-safe. Keeps errno. */
void dj_trace_marker_write(const struct dj_section_data *note);

#endif
