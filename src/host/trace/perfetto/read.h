/*
 * Reads Perfetto traces. A trace is a sequence of protobuf packets in any order of
 * time. The reader reads the packets twice, so they must be in memory, preferably
 * mapped. In addition to the packets, it stores the data that packets refer to (names,
 * tracks, clocks), and the events that wait for earlier ones.
 *
 * Events are passed on in order of time. Events with equal times have the order of the
 * file. At most about DJ_PERFETTO_WAITING events can wait. More are needed if, for
 * example, a file contains one sequence of packets after the other. Then the earliest
 * of the waiting events are passed on too early, and only the events of each CPU are in
 * order, if the bundles of the CPU are. DJ_EVENT_CLOCK and most DJ_EVENT_THREAD come
 * first. Losses of the whole trace come last.
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
    /* The packets were already unpacked. Packets that are still compressed are damaged
     * or nested too deeply. */
    bool is_unpacked;
    /* The bytes are a mapped file, so the kernel may free pages that were read. */
    bool mapped;
};

struct dj_perfetto_summary {
    uint64_t events;
    uint64_t packets;
    /* Chunks that ring buffers overwrote before the trace begins. */
    uint64_t overwritten;
    /* Packets that were skipped because they refer to overwritten chunks. */
    uint64_t skipped;
    uint64_t listed;  /* Threads and processes that were reported. */
    uint64_t damaged; /* Packets or fields that are invalid or use an unknown clock. */
    int64_t core_khz[DJ_TRACE_CPUS]; /* As in struct dj_trace. */
};

/* Returns true if the bytes may be the start of a Perfetto trace, that is, if the known
 * fields of the first packet have valid types and lengths. `whole` is true if the bytes
 * are the whole file. */
bool dj_perfetto_sniff(const uint8_t *bytes, size_t length, bool whole);

/* Reads all packets. If the sink returns an error, stops and returns its code. Returns
 * DJ_E_UNSUPPORTED if packets are compressed and file->is_unpacked is false. In this
 * case the sink has received at most names of threads. */
int dj_perfetto_read(const struct dj_perfetto_file *file, struct dj_event_sink sink,
                     struct dj_perfetto_summary *summary);

#endif
