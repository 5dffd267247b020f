/* Reads trace.dat, the file of trace-cmd: versions 6 and 7, also compressed. */
#ifndef DEJANK_TRACE_KERNEL_TRACE_DAT_H
#define DEJANK_TRACE_KERNEL_TRACE_DAT_H

#include "trace/kernel_trace.h"
#include "trace/mapped_file.h"

bool dj_trace_dat_sniff(const char *bytes, size_t length);

/* Passes all events to the sink, in order of time. Returns DJ_E_INVALID with the
 * unreadable part and its byte offset, DJ_E_VERSION for another version, or
 * DJ_E_UNSUPPORTED for big-endian files, latency traces and unknown compression. Events
 * before an error were already passed. */
int dj_trace_dat_read(const struct dj_trace_file *file, struct dj_event_sink sink,
                      struct dj_trace_ring_summary *summary, struct dj_error *err);

#endif
