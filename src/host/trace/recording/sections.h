/* Reads the sections of one process from a recording of dejank, and converts them to a
 * trace model. */
#ifndef DEJANK_TRACE_RECORDING_SECTIONS_H
#define DEJANK_TRACE_RECORDING_SECTIONS_H

#include "trace/trace.h"

/* Reads a sections file. Returns 0 or the error of dj_segment_sections_read(). */
int dj_trace_read_sections(const char *path, struct dj_trace *trace,
                           struct dj_error *err);

/* Reads the sections file that belongs to the segment `path`. Returns DJ_E_NO_DATA if
 * there is no such file. */
int dj_trace_read_sections_of_segment(const char *path, struct dj_trace *trace,
                                      struct dj_error *err);

#endif
