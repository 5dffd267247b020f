/*
 * Perfetto's traces: packets of protobuf (packet = 1, one after the other), in any order
 * of time. They are gone through twice, so that they have to lie in memory, best mapped;
 * beside them the reader keeps what packets refer to (names, tracks, clocks), and of the
 * events only those that are waiting for earlier ones. Of this room only.
 *
 * Order: events are handed out by time, equal stamps as they lie in the file, whatever
 * order their packets are in. Where more than DJ_PERFETTO_WAITING events have to wait
 * (a file whose sequences lie one behind the other), the earliest of those go first: then
 * each CPU's events are still in order among themselves where their bundles are.
 * DJ_EVENT_CLOCK and most DJ_EVENT_THREAD come first of all, what was lost in the whole
 * trace last.
 *
 * Source: docs/format/trace.md says which packets are read how.
 */
#ifndef DEJANK_TRACE_PERFETTO_READ_H
#define DEJANK_TRACE_PERFETTO_READ_H

#include "trace/trace.h"

enum { DJ_PERFETTO_WAITING = 1 << 20 };

struct dj_perfetto_file {
    const uint8_t *bytes;
    size_t size;
    bool unfolded; /* what is still compressed is damaged, or too deep */
    bool mapped;   /* pages that are read already may be given back to the system */
};

struct dj_perfetto_told {
    uint64_t events;
    uint64_t packets;
    uint64_t overwritten; /* chunks of ring buffers, before the trace begins */
    uint64_t skipped;     /* packets that refer to such chunks */
    uint64_t listed;      /* threads and processes that were told beside events */
    uint64_t damaged;     /* packets or parts without sense, or of an unknown clock */
    int64_t core_khz[DJ_TRACE_CORES]; /* as struct dj_trace has them */
};

/* Whether bytes begin such a trace: as far as they reach, each field of the first packet
 * has a length that fits. `whole`: there are no more bytes. */
bool dj_perfetto_sniff(const uint8_t *bytes, size_t length, bool whole);

/* Reads packets. An error of the sink ends it; DJ_E_UNSUPPORTED where some are
 * compressed: at most threads' names have been told then. */
int dj_perfetto_read(const struct dj_perfetto_file *file, struct dj_event_sink sink,
                     struct dj_perfetto_told *told);

#endif
