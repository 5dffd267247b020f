/*
 * Reads a trace in Chrome's JSON (Trace Event Format) in pieces: its events, and the
 * kernel's text that it contains as a string (`systemTraceEvents`, from `systrace
 * --json`, Chrome and Perfetto's traceconv).
 */
#ifndef DEJANK_TRACE_CHROME_READ_H
#define DEJANK_TRACE_CHROME_READ_H

#include "trace/chrome/events.h"
#include "trace/text/ftrace.h"

struct dj_chrome_reader;

/* Returns 1 if the text begins like such a trace, 0 if not, −1 if it is too short to
 * decide. */
int dj_chrome_reader_sniff(const char *bytes, size_t length);

/* Events go to events->sink, or into `events`, which must outlive the reader. */
struct dj_chrome_reader *dj_chrome_reader_create(struct dj_chrome_events *events);
void dj_chrome_reader_destroy(struct dj_chrome_reader *reader); /* NULL is allowed */

/* As the functions of struct dj_ftrace_text. */
int dj_chrome_reader_read(struct dj_chrome_reader *reader, const char *bytes,
                          size_t length, struct dj_error *err);
int dj_chrome_reader_end(struct dj_chrome_reader *reader, struct dj_error *err);

/* Returns the summary so far. */
struct dj_text_summary
dj_chrome_reader_get_summary(const struct dj_chrome_reader *reader);

#endif
