/* The sections that a process recorded, as a trace. Of this room only. */
#ifndef DEJANK_TRACE_READ_SECTIONS_H
#define DEJANK_TRACE_READ_SECTIONS_H

#include "trace/trace.h"

/* Reads a file of sections. Errors are those of dj_sections_read(). */
int dj_read_sections(const char *path, struct dj_trace *trace, struct dj_error *err);

/* The same of the file beside a segment. DJ_E_NO_DATA where there is none. */
int dj_read_sections_beside(const char *path, struct dj_trace *trace,
                            struct dj_error *err);

#endif
