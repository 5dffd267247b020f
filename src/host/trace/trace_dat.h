/* trace.dat, trace-cmd's file: versions 6 and 7, also compressed. Of this room only. */
#ifndef DEJANK_TRACE_TRACE_DAT_H
#define DEJANK_TRACE_TRACE_DAT_H

#include "trace/kernel.h"
#include "trace/mapped.h"

bool dj_trace_dat_sniff(const char *bytes, size_t length);

/*
 * Reads all events into the sink, in order of time. DJ_E_INVALID names the part that does
 * not read and its byte; DJ_E_VERSION: another version; DJ_E_UNSUPPORTED: big-endian, a
 * latency trace, or a compression that is not known. Where events came before an error
 * they have been handed out.
 */
int dj_trace_dat_read(const struct dj_mapped *file, struct dj_event_sink sink,
                      struct dj_ring_told *told, struct dj_error *err);

#endif
