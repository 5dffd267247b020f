/*
 * Reads Perfetto traces. A trace is a sequence of protobuf packets, which need not be in
 * order of time. The reader reads all packets twice, so they must be in memory or in a
 * mapped file. In addition, the reader stores the data to which packets refer (names,
 * tracks, clocks), and the events that must wait for earlier ones.
 *
 * Events are passed on in order of time. Events with equal times are passed on in the
 * order of the file. About DJ_PERFETTO_WAITING events can wait. Some files need more
 * waiting events, for example a file that contains one sequence of packets after the
 * other. In this case the earliest waiting events are passed on too early. Then only the
 * events of each CPU are in order, provided that the bundles of the CPU are in order.
 *
 * DJ_EVENT_CLOCK and most DJ_EVENT_THREAD are passed on before all other events. Losses
 * that concern the whole trace are passed on last.
 *
 * docs/format/trace.md lists the kinds of packets and how they are read.
 */
#ifndef DEJANK_TRACE_PERFETTO_READ_H
#define DEJANK_TRACE_PERFETTO_READ_H

#include "trace/trace.h"

enum { DJ_PERFETTO_WAITING = 1 << 20 };

struct dj_perfetto_file {
    const uint8_t *bytes;
    size_t size;
    /* True if `bytes` are the result of unpacking. A packet that is still compressed is
     * then an error: it is damaged, or it is nested too deeply. */
    bool is_unpacked;
    /* True if the bytes are a mapped file. The kernel may then free pages that were read.
     */
    bool mapped;
};

struct dj_perfetto_summary {
    uint64_t events;
    uint64_t packets;
    /* Number of chunks of ring buffers that were overwritten, so that the trace begins
     * later. */
    uint64_t overwritten;
    /* Number of packets that were skipped because they refer to overwritten chunks. */
    uint64_t skipped;
    uint64_t listed; /* Number of threads and processes that were reported. */
    /* Number of packets or fields that are invalid or use an unknown clock. */
    uint64_t damaged;
    /* Maximum frequency of each CPU, as in struct dj_trace. */
    int64_t core_khz[DJ_TRACE_CPUS];
};

/* Returns true if the bytes may be the start of a Perfetto trace. For this, the known
 * fields of the first packet must have valid types and lengths. `whole` is true if the
 * bytes are the whole file. */
bool dj_perfetto_sniff(const uint8_t *bytes, size_t length, bool whole);

/* Reads all packets and passes their events to the sink. If the sink returns a value
 * other than 0, stops and returns this value. Returns DJ_E_UNSUPPORTED if packets are
 * compressed and file->is_unpacked is false. The sink has then received names of threads
 * at most. */
int dj_perfetto_read(const struct dj_perfetto_file *file, struct dj_event_sink sink,
                     struct dj_perfetto_summary *summary);

#endif
