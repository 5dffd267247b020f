/* Writes sections as text to the kernel's trace, so that one file contains them next
 * to the scheduler's events. On request only, because each event costs a system call. */
#ifndef DEJANK_RECORDER_TRACE_MARKER_H
#define DEJANK_RECORDER_TRACE_MARKER_H

#include "segment/sections_writer.h"

/* Opens the requested file (settings.h), once. */
void dj_trace_marker_open(const char *path);

/* Writes the event in the format of Android's atrace: "B|PID|NAME", "E|PID", "S|" and
 * "F|" with a cookie, "C|" with a value. Does nothing if no file is open.
 * Async-signal-safe; keeps errno. */
void dj_trace_marker_write(const struct dj_section_data *note);

#endif
