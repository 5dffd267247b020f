/*
 * A trace in Chrome's JSON (Trace Event Format), read in pieces: its events, and the
 * kernel's text that lies in it as a string (`systemTraceEvents`, of `systrace --json`,
 * Chrome and Perfetto's traceconv). Of this room only.
 */
#ifndef DEJANK_TRACE_CHROME_READ_H
#define DEJANK_TRACE_CHROME_READ_H

#include "trace/chrome_events.h"
#include "trace/ftrace_text.h"

struct dj_chrome_read;

/* Whether a text begins so. −1: that is not to be told yet. */
int dj_chrome_read_sniff(const char *bytes, size_t length);

/* What the JSON tells goes to events->sink, or is kept in `events`, which must outlive
 * the reader. */
struct dj_chrome_read *dj_chrome_read_create(struct dj_chrome_events *events);
void dj_chrome_read_destroy(struct dj_chrome_read *reader); /* NULL is fine */

/* As those of ftrace_text.h. */
int dj_chrome_read_take(struct dj_chrome_read *reader, const char *bytes, size_t length,
                        struct dj_error *err);
int dj_chrome_read_end(struct dj_chrome_read *reader, struct dj_error *err);

/* What it told up to now. */
struct dj_trace_told dj_chrome_read_told(const struct dj_chrome_read *reader);

/* ---- viewer_data.c: a trace within a page, in base64 ---- */

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
