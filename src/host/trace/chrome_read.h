/*
 * Reads a trace in Chrome's JSON (Trace Event Format) in pieces: its events, and the
 * kernel's text that it contains as a string (`systemTraceEvents`, from `systrace
 * --json`, Chrome and Perfetto's traceconv).
 */
#ifndef DEJANK_TRACE_CHROME_READ_H
#define DEJANK_TRACE_CHROME_READ_H

#include "trace/chrome_events.h"
#include "trace/ftrace_text.h"

struct dj_chrome_read;

/* Returns 1 if the text begins like such a trace, 0 if not, −1 if it is too short to
 * decide. */
int dj_chrome_read_sniff(const char *bytes, size_t length);

/* Events go to events->sink, or into `events`, which must outlive the reader. */
struct dj_chrome_read *dj_chrome_read_create(struct dj_chrome_events *events);
void dj_chrome_read_destroy(struct dj_chrome_read *reader); /* NULL is allowed */

/* As the functions of struct dj_ftrace_text. */
int dj_chrome_read_take(struct dj_chrome_read *reader, const char *bytes, size_t length,
                        struct dj_error *err);
int dj_chrome_read_end(struct dj_chrome_read *reader, struct dj_error *err);

/* Returns the summary so far. */
struct dj_trace_told dj_chrome_read_told(const struct dj_chrome_read *reader);

#endif
