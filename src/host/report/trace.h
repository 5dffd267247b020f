/* The output formats of `dejank trace read`. */
#ifndef DEJANK_REPORT_TRACE_H
#define DEJANK_REPORT_TRACE_H

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
int dj_report_trace_write(struct dj_trace *trace, enum dj_trace_form form,
                          struct dj_error *err);

#endif
