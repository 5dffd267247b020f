/*
 * Reads Perfetto's traces: protobuf packets (packet = 1, one after the other), in any
 * order of time. The reader goes through the packets twice, so they must be in memory,
 * preferably mapped. In addition it stores what packets refer to (names, tracks,
 * clocks), and only those events that wait for earlier ones.
 *
 * Order: the reader passes events on by time, and events with equal stamps in the order
 * of the file, whatever the order of the packets. If more than DJ_PERFETTO_WAITING
 * events must wait (a file with one sequence after the other), the earliest of them go
 * first. Then the events of each CPU are still in order if their bundles are.
 * DJ_EVENT_CLOCK and most DJ_EVENT_THREAD come first, losses of the whole trace last.
 *
 * Source: docs/format/trace.md lists how each kind of packet is read.
 */
#ifndef DEJANK_TRACE_PERFETTO_READ_H
#define DEJANK_TRACE_PERFETTO_READ_H

#include "trace/trace.h"

enum { DJ_PERFETTO_WAITING = 1 << 20 };

struct dj_perfetto_file {
    const uint8_t *bytes;
    size_t size;
    bool is_unpacked; /* anything still compressed is damaged or nested too deeply */
    bool mapped;      /* the kernel may free pages that were read */
};

struct dj_perfetto_summary {
    uint64_t events;
    uint64_t packets;
    uint64_t overwritten; /* chunks that ring buffers overwrote before the trace begins */
    uint64_t skipped;     /* packets that refer to such chunks */
    uint64_t listed;      /* threads and processes that were reported apart from events */
    uint64_t damaged;     /* packets or parts that are invalid or have an unknown clock */
    int64_t core_khz[DJ_TRACE_CPUS]; /* as in struct dj_trace */
};

/* Returns true if the bytes begin such a trace: each field of the first packet, as far as
 * it is in the bytes, has a valid length. `whole`: the file has no more bytes. */
bool dj_perfetto_sniff(const uint8_t *bytes, size_t length, bool whole);

/* Reads packets. An error of the sink ends it. Returns DJ_E_UNSUPPORTED if some packets
 * are compressed; then the sink got at most names of threads. */
int dj_perfetto_read(const struct dj_perfetto_file *file, struct dj_event_sink sink,
                     struct dj_perfetto_summary *summary);

#endif
