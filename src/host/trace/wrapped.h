/* An input (intake.h) of which what is wrapped around it may be cut short: all that could
 * be unwrapped before is read, and that told. What is damaged in between is refused:
 * where the damage began is not known. Of this room only. */
#ifndef DEJANK_TRACE_WRAPPED_H
#define DEJANK_TRACE_WRAPPED_H

#include "intake/intake.h"
#include "trace/trace.h"

/* Zero it but for `intake`, for each part anew. */
struct dj_wrapped {
    struct dj_intake *intake;
    char damage[200]; /* "": none */
};

/* As dj_intake_read(), but a part whose wrapping is cut short ends there. */
int dj_wrapped_read(struct dj_wrapped *wrapped, const char **bytes, size_t *length,
                    struct dj_error *err);

/* Of a part with events: the damage is one more that is told. */
struct dj_trace;
void dj_wrapped_tell(const struct dj_wrapped *wrapped, struct dj_trace *trace);

/* ---- archives with several traces ---- */

/* Goes through the rest of the archive, and adds to trace->members the name of the trace
 * that was read and of each that follows it, where there are any. Damage in the rest is
 * not reported: the trace that was read has none of it. */
void dj_archive_name_others(struct dj_intake *intake, const char *read,
                            struct dj_trace *trace);

#endif
