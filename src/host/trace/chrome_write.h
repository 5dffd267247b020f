/*
 * Events become a trace in Chrome's JSON (Trace Event Format), event by event, in memory
 * that does not grow with them. It holds less than one for Perfetto does
 * (pftrace_write.h): docs/format/pftrace.md says what.
 */
#ifndef DEJANK_TRACE_CHROME_WRITE_H
#define DEJANK_TRACE_CHROME_WRITE_H

#include "trace/pftrace_write.h"

struct dj_chrome;

/* As dj_pftrace_create() and those that follow it. Stamps are CLOCK_MONOTONIC where that
 * is known, as Chrome's are, else as they come. */
int dj_chrome_create(struct dj_chrome **writer, int fd, const char *name,
                     const struct dj_trace_origin *origin, struct dj_error *err);
struct dj_event_sink dj_chrome_sink(struct dj_chrome *writer);
/* Only then it is JSON. */
int dj_chrome_end(struct dj_chrome *writer, struct dj_error *err);
void dj_chrome_destroy(struct dj_chrome *writer);

#endif
