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

#endif
