/* The state of reading a Perfetto trace, which the files of the reader share. */
#ifndef DEJANK_TRACE_PERFETTO_READ_PRIVATE_H
#define DEJANK_TRACE_PERFETTO_READ_PRIVATE_H

#include "trace/perfetto/order.h"
#include "trace/perfetto/read.h"
#include "trace/perfetto/tracks.h"

/* A process with a known command line. */
struct dj_perfetto_process {
    int32_t pid;
    struct dj_str name;
};

/* The losses of a CPU by its own counters. */
struct dj_perfetto_cpu_lost {
    uint64_t before, after; /* values at the start and at the end of the trace */
    uint64_t reported;      /* losses that bundles reported */
    bool counted;
};

/* The losses of the tracing service's buffers, from TraceStats. */
struct dj_perfetto_buffers_lost {
    uint64_t inside; /* losses of buffers that kept everything else from start to end */
    /* losses of other buffers, possibly of data that they did not keep */
    uint64_t unsure;
    uint64_t overwritten; /* chunks of ring buffers that newer ones replaced */
    uint64_t discarded;   /* chunks that came when a buffer was full */
    bool streamed; /* buffers were written to the file repeatedly, so chunks that were
                      overwritten in between are gaps in the trace */
};

struct dj_perfetto_reader {
    const struct dj_perfetto_file *file;
    struct dj_event_sink sink;
    int code; /* result of the scan and of dj_perfetto_send_event(): 0, or the code that
                 ends the reading */
    struct dj_perfetto_summary *summary;
    struct dj_perfetto_event_table kernel;
    struct dj_perfetto_clocks clocks;
    struct dj_perfetto_sequences sequences;
    struct dj_perfetto_tracks tracks;
    struct dj_perfetto_texts *gpu;         /* names of GPU counters; NULL: none */
    struct dj_perfetto_process *processes; /* owned */
    size_t process_count;
    struct dj_perfetto_cpu_lost *lost; /* by CPU; owned */
    size_t lost_count;
    struct dj_perfetto_buffers_lost buffers; /* from the last count */
    uint64_t gaps;                           /* in sequences, as packets report them */
    bool marks_first_packets;                /* sequences mark their first packet */
    int64_t *earliest; /* earliest time in each block of the file and in all blocks after
                          it; owned */
    size_t block_count, block_capacity;
    /* one bit per bundle, the `plain` of dj_perfetto_bundle_find_earliest(); owned */
    uint64_t *plain;
    size_t plain_capacity; /* in words */
    size_t bundles;        /* bundles of the file that were scanned or read so far */
    uint64_t timed_count,
        untimed_count;           /* packets with a known time, and with an unknown one */
    uint64_t foreign_clock;      /* clock of the last packet with an unknown time */
    struct dj_perfetto_run *run; /* of the current block */
    struct dj_perfetto_order order;
    struct dj_perfetto_running *running; /* by CPU; owned */
    size_t running_count;
    int64_t last_ns; /* of events that were passed on */
};

enum {
    /* with its waiting events, a block fits into the cache of a CPU */
    DJ_PF_BLOCK = 1 << 16,
    DJ_PF_MAPPED_BYTES_MAX =
        1 << 26 /* maximum bytes of a file that stay in our memory at one time */
};

/* One packet of a file. */
struct dj_perfetto_packet_place {
    struct dj_str bytes;
    size_t from; /* offset of its field */
};

/* Reads the file's next packet. *at is the offset to continue from. Returns false at the
 * end; sets *damaged if the rest is invalid. Skips empty packets, which cost nothing in a
 * compressed file, but returns one at intervals, because the caller frees memory at each
 * packet. */
static inline bool dj_perfetto_find_next_packet(const struct dj_perfetto_file *file,
                                                size_t *at,
                                                struct dj_perfetto_packet_place *place,
                                                bool *damaged)
{
    struct dj_proto_message message = {file->bytes + *at, file->bytes + file->size,
                                       false};
    struct dj_proto_field field;
    enum { AHEAD = 1024 }; /* in bytes; the first access would wait for memory */
    const size_t begun = *at;
    place->from = *at;
    __builtin_prefetch((const void *)((uintptr_t)message.at + AHEAD));
    while (dj_proto_next(&message, &field)) {
        *at = (size_t)(message.at - file->bytes);
        if (field.number == DJ_PF_TRACE_PACKET && field.wire == DJ_PROTO_BYTES &&
            (field.bytes.length > 0 || *at - begun > DJ_PF_BLOCK)) {
            place->bytes = field.bytes;
            return true;
        }
        place->from = *at;
    }
    *damaged = message.failed;
    return false;
}

/* Handles a packet that names the thread of its sequence, as in old traces. */
void dj_perfetto_read_sequence_thread(struct dj_perfetto_sequence *sequence,
                                      const struct dj_perfetto_packet *packet);

bool dj_perfetto_convert_packet_time(struct dj_perfetto_reader *reader,
                                     struct dj_perfetto_sequence *sequence,
                                     const struct dj_perfetto_packet *packet,
                                     int64_t *at_ns);

/* Returns the time of a packet. Returns false if it has none, or if its clock is unknown.
 * Most packets use the trace's clock. */
static inline bool dj_perfetto_get_packet_time(struct dj_perfetto_reader *reader,
                                               struct dj_perfetto_sequence *sequence,
                                               const struct dj_perfetto_packet *packet,
                                               int64_t *at_ns)
{
    if (packet->timed && packet->clock == 0 && sequence->clock == 0) {
        *at_ns = (int64_t)packet->timestamp;
        return *at_ns >= 0;
    }
    return dj_perfetto_convert_packet_time(reader, sequence, packet, at_ns);
}

/* Scans the file once: clocks, tracks, and the start times of blocks; at the first scan
 * also threads and losses. */
void dj_perfetto_scan_file(struct dj_perfetto_reader *reader, bool first);

/* Returns true if the next bundle is plain. */
bool dj_perfetto_is_next_bundle_plain(struct dj_perfetto_reader *reader);

/* Learns the facts in a packet that are no events (first scan).
 * dj_perfetto_is_metadata_packet() returns true for kinds of packets that contain no
 * event. */
void dj_perfetto_read_metadata(struct dj_perfetto_reader *reader,
                               const struct dj_perfetto_packet *packet);
bool dj_perfetto_is_metadata_packet(uint32_t kind);
/* Returns true if the trace begins later than its recording did because ring buffers
 * overwrote the start. That is not a gap. */
bool dj_perfetto_begins_late(const struct dj_perfetto_reader *reader);
/* Counts a loss that a bundle reported, so that the losses of the whole trace do not
 * include it again. */
void dj_perfetto_count_loss(struct dj_perfetto_reader *reader, int32_t cpu);
/* Passes an event to the sink, unless the reading has ended (reader->code). */
void dj_perfetto_send_event(struct dj_perfetto_reader *reader,
                            const struct dj_event *event);
void dj_perfetto_report_thread(struct dj_perfetto_reader *reader, int32_t tid,
                               int32_t pid, struct dj_str name, struct dj_str process);
/* Reports what is known after all packets were read: names of processes, and total
 * losses. */
void dj_perfetto_report_end(struct dj_perfetto_reader *reader);
/* Reports the clocks, before all events. */
void dj_perfetto_report_clocks(struct dj_perfetto_reader *reader);

/* Converts a TrackEvent to items. */
void dj_perfetto_read_track_event(struct dj_perfetto_reader *reader,
                                  struct dj_perfetto_sequence *sequence,
                                  const struct dj_perfetto_packet *packet, int64_t at_ns);

/* Converts an item to an event. Returns false if it has no content. The event may point
 * to *frame. */
bool dj_perfetto_convert_item(struct dj_perfetto_reader *reader,
                              const struct dj_perfetto_item *item, struct dj_event *event,
                              struct dj_event_frame *frame);

#endif
