/* Reads trace.dat, the file format of trace-cmd. Supports versions 6 and 7 and
 * compressed files. */
#ifndef DEJANK_TRACE_KERNEL_TRACE_DAT_H
#define DEJANK_TRACE_KERNEL_TRACE_DAT_H

#include "trace/kernel_trace.h"
#include "trace/mapped_file.h"

bool dj_trace_dat_sniff(const char *bytes, size_t length);

/* Passes all events to the sink, in order of time. Events before an error are passed to
 * the sink too. Returns DJ_E_VERSION for an unknown version. Returns DJ_E_UNSUPPORTED for
 * big-endian files, latency traces and unknown compression methods. Returns DJ_E_INVALID
 * for a malformed file. The message then contains the name and the offset of the
 * malformed part. */
int dj_trace_dat_read(const struct dj_trace_file *file, struct dj_event_sink sink,
                      struct dj_trace_ring_summary *summary, struct dj_error *err);

#endif
