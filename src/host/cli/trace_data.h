/* A trace as data, for programs: JSON (docs/format/trace.md) and CSV. For trace_forms. */
#ifndef DEJANK_CLI_TRACE_DATA_H
#define DEJANK_CLI_TRACE_DATA_H

#include "trace/trace.h"

/* What is being written. */
struct dj_trace_paper {
    struct dj_trace *trace;
    struct dj_text text;
    struct dj_error *err;
    int code; /* of the first piece that could not be written */
};

/* Writes what has been collected. */
void dj_trace_flush(struct dj_trace_paper *paper);
/* The same once it is much. False once nothing more can be written. */
bool dj_trace_go_on(struct dj_trace_paper *paper);

/* A name as one line, whatever it holds: tabs and line ends would look like our own. */
void dj_trace_name(struct dj_text *text, const char *name);
/* The same as a quoted field of CSV. */
void dj_trace_csv_name(struct dj_text *text, const char *name);

void dj_trace_json(struct dj_trace_paper *paper);
void dj_trace_csv(struct dj_trace_paper *paper);

#endif
