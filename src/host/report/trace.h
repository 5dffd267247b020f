/* The output formats of `dejank trace read` and `dejank trace symbolize`. */
#ifndef DEJANK_REPORT_TRACE_H
#define DEJANK_REPORT_TRACE_H

#include "base/error.h"
#include "base/text.h"
#include "report/document.h"
#include "report/terminal/style.h"
#include "trace/symbolize.h"
#include "trace/trace.h"

enum dj_trace_form {
    DJ_TRACE_FORM_LIST,    /* A line per section and counter value, sorted by time. */
    DJ_TRACE_FORM_SUMMARY, /* A summary with a line for each name. */
    DJ_TRACE_FORM_JSON,    /* Schema dejank.trace/1, docs/format/trace.md. */
    DJ_TRACE_FORM_CSV
};

struct dj_trace_output {
    enum dj_trace_form form;
    struct dj_terminal_style style; /* The style of the list and the summary. */
    bool fits_width;     /* Tables fit the width of the style, and may need more lines. */
    const char *operand; /* The operand that the user gave. */
};

/* Writes the trace to stdout in pieces. Returns 0 or DJ_E_OUTPUT. */
int dj_report_trace_write(struct dj_trace *trace, const struct dj_trace_output *output,
                          struct dj_error *err);

/* Adds the result of a symbolization to a document. `output` is the path of the written
 * file. */
void dj_report_add_symbolized(struct dj_document *document, const char *output,
                              const struct dj_symbolized *result);

/* Appends the result of a symbolization as JSON with the schema dejank.trace-symbolize/1
 * (docs/format/symbolize.md). `output` is the path of the written file. */
void dj_report_symbolized_json(struct dj_text *text, const char *output,
                               const struct dj_symbolized *result);

#endif
