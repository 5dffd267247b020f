/*
 * Reads an input (input/input.h). Its outer format (compression, archive) may be
 * truncated. It reads everything before the truncation and reports the damage. It refuses
 * damage in the middle, because the start of that damage is unknown.
 */
#ifndef DEJANK_TRACE_PACKED_INPUT_H
#define DEJANK_TRACE_PACKED_INPUT_H

#include "input/input.h"
#include "trace/mapped_file.h"
#include "trace/text/summary.h"
#include "trace/trace.h"

/* A part of the input. Zero it and set the first three members. */
struct dj_packed_input {
    struct dj_input_reader *intake;
    struct dj_str first;  /* bytes of the part that were already read */
    uint64_t packed_size; /* size of the input in bytes; 0: unknown */
    char damage[200];     /* "" none */
};

/* As dj_input_read(), but a truncated part ends at the truncation. */
int dj_packed_input_read(struct dj_packed_input *wrapped, const char **bytes,
                         size_t *length, struct dj_error *err);

/* Unpacks and maps the whole part. If the part breaks off, maps what came before and adds
 * 1 to *damaged. Returns DJ_E_IO, DJ_E_INVALID or DJ_E_UNSUPPORTED. */
int dj_packed_input_map(struct dj_packed_input *wrapped, struct dj_trace_file *mapped,
                        uint64_t *damaged, struct dj_error *err);

/* Adds the damage of a part that has events to the trace's report. */
void dj_packed_input_report_damage(const struct dj_packed_input *wrapped,
                                   struct dj_trace *trace);

/* ---- archives with several traces ---- */

/* Reads the rest of the archive. If it contains further traces, adds the name of the
 * trace that was read and the names of the others to trace->members. Ignores damage in
 * the rest: it does not affect the trace that was read. */
void dj_packed_input_list_traces(struct dj_input_reader *intake, const char *read,
                                 struct dj_trace *trace);

/* Reads a text part to its end. *trace and *summary get what the text says about itself.
 * Returns as dj_text_input_read(), or DJ_E_INVALID if a very long input contains no
 * trace. */
int dj_packed_text_read(struct dj_packed_input *part, struct dj_event_sink sink,
                        struct dj_trace *trace, struct dj_text_summary *summary,
                        struct dj_error *err);

#endif
