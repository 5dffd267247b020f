/* An input (intake.h) of which what is wrapped around it may be cut short: all that could
 * be unwrapped before is read, and that told. What is damaged in between is refused:
 * where the damage began is not known. Of this room only. */
#ifndef DEJANK_TRACE_WRAPPED_H
#define DEJANK_TRACE_WRAPPED_H

#include "input/input.h"
#include "trace/mapped.h"
#include "trace/text_told.h"
#include "trace/trace.h"

/* A part of the input. Zero it but for the first three. */
struct dj_wrapped {
    struct dj_intake *intake;
    struct dj_str first;  /* bytes of it that were read already */
    uint64_t packed_size; /* bytes of the input; 0: unknown */
    char damage[200];     /* "": none */
};

/* As dj_intake_read(), but a part whose wrapping is cut short ends there. */
int dj_wrapped_read(struct dj_wrapped *wrapped, const char **bytes, size_t *length,
                    struct dj_error *err);

/* Maps all of a part, unwrapped. Where it breaks off, what came before is mapped, and
 * *damaged grows by one. DJ_E_IO, DJ_E_INVALID, DJ_E_UNSUPPORTED. */
int dj_wrapped_map(struct dj_wrapped *wrapped, struct dj_mapped *mapped,
                   uint64_t *damaged, struct dj_error *err);

/* Of a part with events: the damage is one more that is told. */
void dj_wrapped_tell(const struct dj_wrapped *wrapped, struct dj_trace *trace);

/* ---- archives with several traces ---- */

/* Goes through the rest of the archive, and adds to trace->members the name of the trace
 * that was read and of each that follows it, where there are any. Damage in the rest is
 * not reported: the trace that was read has none of it. */
void dj_archive_name_others(struct dj_intake *intake, const char *read,
                            struct dj_trace *trace);

/* ---- read_text.c ---- */

/* Reads a part that is text to its end. *trace gets what the text says of itself, *told
 * too. As dj_text_input_take(); DJ_E_INVALID where it goes on and on and tells nothing.
 */
int dj_read_text_part(struct dj_wrapped *part, struct dj_event_sink sink,
                      struct dj_trace *trace, struct dj_trace_told *told,
                      struct dj_error *err);

#endif
