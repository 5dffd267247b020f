/* The parts of the output of `dejank trace read`: the start of the list and the summary,
 * sums, JSON (docs/format/trace.md) and CSV. */
#ifndef DEJANK_REPORT_TRACE_WRITER_H
#define DEJANK_REPORT_TRACE_WRITER_H

#include "report/document.h"
#include "trace/trace.h"

enum { DJ_TRACE_TABLE_NUMBERS = 8 }; /* The most columns of numbers of a table. */

/* The state of an output. */
struct dj_table_writer {
    struct dj_trace *trace;
    const struct dj_terminal_style *style; /* The style of the list and the summary. */
    const char *operand;                   /* The operand that the user gave. */
    struct dj_text text;                   /* The output that is not yet written. */
    struct dj_error *err;
    int code;        /* The error of the first piece that could not be written, or 0. */
    bool fits_width; /* Rows of tables fit the width of the style. */
    /* The current table and the parts of its current row in `text` (trace/table.h). */
    const struct dj_trace_table *table;
    size_t row_start, number_count, number_ends[DJ_TRACE_TABLE_NUMBERS];
};

/* Adds to an empty document what the trace contains, its clock, and what is missing. */
void dj_trace_build_head(struct dj_document *document, const struct dj_trace *trace);

/* Writes the text that was collected. */
void dj_trace_writer_flush(struct dj_table_writer *paper);
/* Writes the text once it is long. Returns false if nothing more can be written. */
bool dj_trace_writer_continue(struct dj_table_writer *paper);

/* Appends a name as a quoted CSV field in one line. The name may contain any bytes. */
void dj_trace_writer_csv_name(struct dj_text *text, const char *name);

void dj_trace_write_json(struct dj_table_writer *paper);
void dj_trace_write_csv(struct dj_table_writer *paper);

/* Writes the member `frames` of the JSON. */
void dj_trace_write_json_frames(struct dj_table_writer *paper);
/* Writes lines of the CSV. */
void dj_trace_write_csv_frames(struct dj_table_writer *paper);
/* Writes a line per layer. Writes nothing if the trace has no frames. */
void dj_trace_write_frame_sums(struct dj_table_writer *paper);

/* Writes a member of the JSON for each kind. */
void dj_trace_write_json_spans(struct dj_table_writer *paper);
/* Writes lines of the CSV. */
void dj_trace_write_csv_spans(struct dj_table_writer *paper);
/* Writes tables of sums. Writes nothing if the trace has none of these events. */
void dj_trace_write_span_sums(struct dj_table_writer *paper);

/* Formats a dev_t of the kernel as "8:0". */
enum { DJ_TRACE_DEVICE_BYTES = 32 };
void dj_trace_device(char text[DJ_TRACE_DEVICE_BYTES], int64_t device);

#endif
