/*
 * Reads a trace in Chrome's JSON format (Trace Event Format). The caller passes the file
 * in pieces of any size. Reads the events, and also the kernel's trace text in the string
 * `systemTraceEvents`. `systrace --json`, Chrome and Perfetto's traceconv write this
 * string.
 */
#ifndef DEJANK_TRACE_CHROME_READ_H
#define DEJANK_TRACE_CHROME_READ_H

#include "trace/chrome/events.h"
#include "trace/text/ftrace.h"

struct dj_chrome_reader;

/* Returns 1 if the text begins like a trace in this format, 0 if it does not, and −1 if
 * the text is too short to decide. */
int dj_chrome_reader_sniff(const char *bytes, size_t length);

/* Creates a reader. It stores events in *events, or passes them to events->sink. *events
 * must stay valid until the reader is destroyed. */
struct dj_chrome_reader *dj_chrome_reader_create(struct dj_chrome_events *events);
/* Frees the reader. Does nothing if `reader` is NULL. */
void dj_chrome_reader_destroy(struct dj_chrome_reader *reader);

/* Reads the next piece of the file, as dj_ftrace_text_read() does. */
int dj_chrome_reader_read(struct dj_chrome_reader *reader, const char *bytes,
                          size_t length, struct dj_error *err);

/* Ends the file, as dj_ftrace_text_end() does. */
int dj_chrome_reader_end(struct dj_chrome_reader *reader, struct dj_error *err);

/* Returns a summary of everything that was read so far. */
struct dj_text_summary
dj_chrome_reader_get_summary(const struct dj_chrome_reader *reader);

#endif
