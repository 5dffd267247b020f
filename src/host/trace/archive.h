/* Archives with several traces: one is read, the others are named. Private to trace. */
#ifndef DEJANK_TRACE_ARCHIVE_H
#define DEJANK_TRACE_ARCHIVE_H

#include "intake/intake.h"
#include "trace/trace.h"

/* Goes through the rest of the archive, and adds to trace->members the name of the trace
 * that was read and of each that follows it, where there are any. Damage in the rest is
 * not reported: the trace that was read has none of it. */
void dj_archive_name_others(struct dj_intake *intake, const char *read,
                            struct dj_trace *trace);

#endif
