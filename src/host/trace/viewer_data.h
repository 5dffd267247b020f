/* A trace within a page of catapult's trace2html: base64, mostly of gzip. Of this room
 * only. */
#ifndef DEJANK_TRACE_VIEWER_DATA_H
#define DEJANK_TRACE_VIEWER_DATA_H

#include "trace/chrome_events.h"
#include "trace/ftrace_text.h"

struct dj_viewer_data;

/* `events` as those of text_input.h. */
struct dj_viewer_data *dj_viewer_data_create(struct dj_chrome_events *events);
void dj_viewer_data_destroy(struct dj_viewer_data *data); /* NULL is fine */

/* Takes bytes of base64, with or without line ends. As dj_ftrace_text_take(). */
int dj_viewer_data_take(struct dj_viewer_data *data, const char *bytes, size_t length,
                        struct dj_error *err);
int dj_viewer_data_end(struct dj_viewer_data *data, struct dj_error *err);
struct dj_trace_told dj_viewer_data_told(const struct dj_viewer_data *data);

#endif
