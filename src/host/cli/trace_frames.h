/* The frames of a trace, in the forms of `dejank trace read`. For trace_forms and
 * trace_data. */
#ifndef DEJANK_CLI_TRACE_FRAMES_H
#define DEJANK_CLI_TRACE_FRAMES_H

#include "cli/trace_data.h"

/* The key `frames` of the JSON. */
void dj_trace_json_frames(struct dj_trace_paper *paper);
/* Lines of the CSV. */
void dj_trace_csv_frames(struct dj_trace_paper *paper);
/* A line per layer; nothing where there are no frames. */
void dj_trace_sum_frames(struct dj_trace_paper *paper);

#endif
