/* The forms in which `dejank trace read` says what a recording holds. */
#ifndef DEJANK_CLI_TRACE_FORMS_H
#define DEJANK_CLI_TRACE_FORMS_H

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"

enum dj_trace_form {
    DJ_TRACE_FORM_LIST,    /* a line per slice and count, by time */
    DJ_TRACE_FORM_SUMMARY, /* a line per name */
    DJ_TRACE_FORM_JSON,    /* schema dejank.trace/1, docs/format/trace.md */
    DJ_TRACE_FORM_CSV
};

/* Writes it to stdout, piece by piece. 0 or DJ_E_OUTPUT. */
int dj_trace_forms_write(struct dj_trace *trace, enum dj_trace_form form,
                         struct dj_error *err);

/* ---- -o: a trace of any kind, written for Perfetto ---- */

/* DJ_E_USAGE unless the name ends in .pftrace or .perfetto-trace. */
int dj_trace_write_check(const char *output, struct dj_error *err);

/*
 * Reads `input` (as dj_trace_hand_out()) and writes `output`, event by event. What was in
 * `output` before stays there unless all of it could be written. *note gets a sentence
 * for each thing that the trace lacks.
 */
int dj_trace_write(const char *input, const char *output, struct dj_text *note,
                   struct dj_error *err);

#endif
