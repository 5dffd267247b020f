/*
 * Reads a trace in Chrome's JSON format (Trace Event Format) that the caller passes in
 * pieces. Reads the events, and the kernel's trace text in the string
 * `systemTraceEvents`, which `systrace --json`, Chrome and Perfetto's traceconv write.
 */
#ifndef DEJANK_TRACE_CHROME_READ_H
#define DEJANK_TRACE_CHROME_READ_H

#include "trace/chrome/events.h"
#include "trace/text/ftrace.h"

struct dj_chrome_reader;

/* Returns 1 if the text begins like such a trace, 0 if it does not, and −1 if it is too
 * short to decide. */
int dj_chrome_reader_sniff(const char *bytes, size_t length);

/* Creates a reader that passes events to events->sink or stores them in *events.
 * *events must stay valid until the reader is destroyed. */
struct dj_chrome_reader *dj_chrome_reader_create(struct dj_chrome_events *events);
/* Does nothing if `reader` is NULL. */
void dj_chrome_reader_destroy(struct dj_chrome_reader *reader);

/* These functions work like those of struct dj_ftrace_text. */
int dj_chrome_reader_read(struct dj_chrome_reader *reader, const char *bytes,
                          size_t length, struct dj_error *err);
int dj_chrome_reader_end(struct dj_chrome_reader *reader, struct dj_error *err);

/* Returns a summary of everything that was read so far. */
struct dj_text_summary
dj_chrome_reader_get_summary(const struct dj_chrome_reader *reader);

#endif
