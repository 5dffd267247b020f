/* The windows of a dump, in its order. */
#ifndef DEJANK_REPORT_DUMP_WINDOWS_H
#define DEJANK_REPORT_DUMP_WINDOWS_H

#include "import/parsed_dump.h"

/* Returns how many rows it wrote. */
typedef size_t dj_window_visitor(void *context, const struct dj_parsed *parsed,
                                 const struct dj_dump_process *process,
                                 const struct dj_dump_window *window,
                                 const struct dj_window_facts *facts);

/* Visits every window of a dump in its order, then a window per process for the frames of
 * Davey lines. Returns what the visitor returned, in total. */
size_t dj_parsed_visit_windows(const struct dj_parsed *parsed, dj_window_visitor *visit,
                               void *context);

/* NULL: it has none. */
const char *dj_parsed_get_window_title(const struct dj_dump_window *window);

/* FrameCompleted − IntendedVsync; false: one of them is unknown, or it overflows. */
bool dj_parsed_compute_guide_total(const struct dj_frame *frame, int64_t *total_ns);

#endif
