/*
 * Reads an input (input/input.h) that may be compressed or an archive. If the input is
 * truncated, returns all data before the truncation and reports the damage. If the input
 * is damaged in the middle, returns an error, because it is unknown where the damage
 * starts.
 */
#ifndef DEJANK_TRACE_INPUT_PACKED_INPUT_H
#define DEJANK_TRACE_INPUT_PACKED_INPUT_H

#include "input/input.h"
#include "trace/mapped_file.h"
#include "trace/text/summary.h"
#include "trace/trace.h"

/* One file of an archive, or the only file of the input. Zero the struct and set
 * `reader`, `first` and packed_size. */
struct dj_packed_input {
    struct dj_input_reader *reader;
    struct dj_str first;  /* Bytes of the file that the caller has already read. */
    uint64_t packed_size; /* Size of the whole input in bytes, or 0 if unknown. */
    char damage[200];     /* Description of the damage, or "" if there is none. */
};

/* Reads the next bytes, as dj_input_read() does. If the file is truncated, the end of its
 * data is not an error. */
int dj_packed_input_read(struct dj_packed_input *wrapped, const char **bytes,
                         size_t *length, struct dj_error *err);

/* Unpacks and maps the whole file. If the file is truncated, maps the bytes before the
 * truncation and adds 1 to *damaged. Returns 0, DJ_E_IO, DJ_E_INVALID or
 * DJ_E_UNSUPPORTED. */
int dj_packed_input_map(struct dj_packed_input *wrapped, struct dj_trace_file *mapped,
                        uint64_t *damaged, struct dj_error *err);

/* Copies the description of the damage to *trace. Does nothing if the file is not
 * damaged. Call this function only for a file that contains events. */
void dj_packed_input_report_damage(const struct dj_packed_input *wrapped,
                                   struct dj_trace *trace);

/* Reads the rest of the archive. If it contains further traces, adds the name of the
 * trace that was read (`read`) and then the names of the further traces to
 * trace->members. Damage in the rest of the archive is ignored, because it does not
 * affect the trace that was read. */
void dj_packed_input_list_traces(struct dj_input_reader *reader, const char *read,
                                 struct dj_trace *trace);

/* Reads a text file to its end. Stores the properties of the whole trace in *trace and
 * *summary. Returns the result of dj_text_input_read(), or DJ_E_INVALID if a very long
 * input contains no events. */
int dj_packed_text_read(struct dj_packed_input *part, struct dj_event_sink sink,
                        struct dj_trace *trace, struct dj_text_summary *summary,
                        struct dj_error *err);

#endif
