/* Calls a function for each window of a dump, in their order. */
#ifndef DEJANK_REPORT_DUMP_WINDOWS_H
#define DEJANK_REPORT_DUMP_WINDOWS_H

#include "import/parsed_dump.h"

/* A function that is called for each window. Returns the number of rows that it wrote. */
typedef size_t dj_window_visitor(void *context, const struct dj_parsed *parsed,
                                 const struct dj_dump_process *process,
                                 const struct dj_dump_window *window,
                                 const struct dj_window_facts *facts);

/* Visits every window of a dump in the order of the dump. Then visits a window for each
 * process with frames in Davey lines. Returns the sum of the visitor's results. */
size_t dj_parsed_visit_windows(const struct dj_parsed *parsed, dj_window_visitor *visit,
                               void *context);

/* Returns the title of the window, or NULL if it has none. */
const char *dj_parsed_get_window_title(const struct dj_dump_window *window);

/* Sets *total_ns to FrameCompleted − IntendedVsync. Returns false if one of these stamps
 * is unknown, or if the difference overflows. */
bool dj_parsed_compute_guide_total(const struct dj_frame *frame, int64_t *total_ns);

#endif
