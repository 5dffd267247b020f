/* A trace as data, for programs: JSON (docs/format/trace.md) and CSV. For trace_forms. */
#ifndef DEJANK_REPORT_TRACE_WRITER_H
#define DEJANK_REPORT_TRACE_WRITER_H

#include "trace/trace.h"

/* What is being written. */
struct dj_table_writer {
    struct dj_trace *trace;
    struct dj_text text;
    struct dj_error *err;
    int code; /* of the first piece that could not be written */
};

/* Writes what has been collected. */
void dj_trace_writer_flush(struct dj_table_writer *paper);
/* The same once it is much. False once nothing more can be written. */
bool dj_trace_writer_continue(struct dj_table_writer *paper);

/* A name as a quoted field of CSV in one line, whatever it holds. */
void dj_trace_writer_csv_name(struct dj_text *text, const char *name);

void dj_trace_write_json(struct dj_table_writer *paper);
void dj_trace_write_csv(struct dj_table_writer *paper);

/* ---- frames ---- */

/* The key `frames` of the JSON. */
void dj_trace_write_json_frames(struct dj_table_writer *paper);
/* Lines of the CSV. */
void dj_trace_write_csv_frames(struct dj_table_writer *paper);
/* A line per layer; nothing where there are no frames. */
void dj_trace_write_frame_sums(struct dj_table_writer *paper);

/* ---- processors, interruptions and requests ---- */

/* A key of the JSON for each kind. */
void dj_trace_write_json_spans(struct dj_table_writer *paper);
/* Lines of the CSV. */
void dj_trace_write_csv_spans(struct dj_table_writer *paper);
/* What they add up to; nothing where there are none. */
void dj_trace_write_span_sums(struct dj_table_writer *paper);

/* "8:0" of a dev_t as the kernel has it. */
enum { DJ_TRACE_DEVICE_BYTES = 32 };
void dj_trace_device(char text[DJ_TRACE_DEVICE_BYTES], int64_t device);

#endif
