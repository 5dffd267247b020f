/* Sections as text for the kernel's trace: beside what the scheduler did, in one file. On
 * wish; a system call for each. */
#ifndef DEJANK_RECORDER_TRACE_MARKER_H
#define DEJANK_RECORDER_TRACE_MARKER_H

#include "segment/sections_writer.h"

/* Opens the file that was asked for (settings.h), once. */
void dj_trace_marker_open(const char *path);

/* Writes the event as Android's atrace does: "B|PID|NAME", "E|PID", "S|" and "F|" with a
 * cookie, "C|" with a value. Nothing where no file is open. Async-signal-safe; leaves
 * errno. */
void dj_trace_marker_write(const struct dj_section_note *note);

#endif
