/* What a trace tells of processors, interruptions and requests, in the forms of `dejank
 * trace read`. For trace_forms and trace_data. */
#ifndef DEJANK_CLI_TRACE_SPANS_H
#define DEJANK_CLI_TRACE_SPANS_H

#include "cli/trace_data.h"

/* A key of the JSON for each kind. */
void dj_trace_json_spans(struct dj_trace_paper *paper);
/* Lines of the CSV. */
void dj_trace_csv_spans(struct dj_trace_paper *paper);
/* What they add up to; nothing where there are none. */
void dj_trace_sum_spans(struct dj_trace_paper *paper);

/* "8:0" of a dev_t as the kernel has it. */
enum { DJ_TRACE_DEVICE_BYTES = 32 };
void dj_trace_device(char text[DJ_TRACE_DEVICE_BYTES], int64_t device);

#endif
