/* The state of a reader of Perfetto traces. The source files of the reader share it. */
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

/* The number of events that one CPU lost, from the kernel's counters. */
struct dj_perfetto_cpu_lost {
    /* Values of the counter at the start and at the end of the trace. */
    uint64_t before, after;
    uint64_t reported; /* Losses that bundles have reported. */
    bool counted;
};

/* The losses in the buffers of Perfetto's tracing service, from TraceStats. */
struct dj_perfetto_buffers_lost {
    /* Losses in buffers that neither overwrote nor discarded any data. */
    uint64_t inside;
    /* Losses in buffers that overwrote or discarded data. The losses may be in that
     * data. */
    uint64_t unsure;
    uint64_t overwritten; /* Chunks of ring buffers that newer chunks replaced. */
    uint64_t discarded;   /* Chunks that were discarded because the buffer was full. */
    /* The buffers were written to the file repeatedly during the recording. Then
     * overwritten chunks are gaps inside the trace. */
    bool streamed;
};

struct dj_perfetto_reader {
    const struct dj_perfetto_file *file;
    struct dj_event_sink sink;
    /* 0, or the error code that stops the reader. Set by the scan and by
     * dj_perfetto_send_event(). */
    int code;
    struct dj_perfetto_summary *summary;
    struct dj_perfetto_event_table kernel;
    struct dj_perfetto_clocks clocks;
    struct dj_perfetto_sequences sequences;
    struct dj_perfetto_tracks tracks;
    struct dj_perfetto_texts *gpu; /* Names of GPU counters, or NULL if there are none. */
    struct dj_perfetto_process *processes; /* Owned. */
    size_t process_count;
    struct dj_perfetto_cpu_lost *lost; /* Indexed by CPU. Owned. */
    size_t lost_count;
    struct dj_perfetto_buffers_lost buffers; /* Values of the last TraceStats packet. */
    uint64_t gaps;            /* Number of gaps in sequences, as packets report them. */
    bool marks_first_packets; /* The first packet of each sequence has a mark. */
    /* For each block of the file, the earliest time in this block and in all later
     * blocks. Owned. */
    int64_t *earliest;
    size_t block_count, block_capacity;
    /* For each bundle, one bit: the result `plain` of
     * dj_perfetto_bundle_find_earliest(). Owned. */
    uint64_t *plain;
    size_t plain_capacity; /* Number of words in `plain`. */
    /* Number of bundles that the current pass over the file has reached. */
    size_t bundles;
    /* Number of packets with a known time, and of packets with an unknown time. */
    uint64_t timed_count, untimed_count;
    uint64_t foreign_clock;      /* Clock of the last packet with an unknown time. */
    struct dj_perfetto_run *run; /* Items of the current block. */
    struct dj_perfetto_order order;
    struct dj_perfetto_running *running; /* Indexed by CPU. Owned. */
    size_t running_count;
    int64_t last_ns; /* Latest time of all events that were passed on. */
};

enum {
    /* Size of a block of the file in bytes. A block and its waiting events fit into a
     * CPU's cache. */
    DJ_PF_BLOCK = 1 << 16,
    DJ_PF_MAPPED_BYTES_MAX =
        /* Maximum number of bytes of a mapped file that stay in memory at the same
         * time. */
    1 << 26
};

/* A packet and its position in the file. */
struct dj_perfetto_packet_place {
    struct dj_str bytes;
    size_t from; /* Offset of the packet's field in the file. */
};

/* Finds the next packet of the file. *at is the offset at which to start, and is
 * updated. Returns false at the end, and sets *damaged if the rest of the file is
 * invalid. Skips empty packets, because a small compressed file may contain very many
 * of them. Returns an empty packet from time to time, because the caller frees memory
 * at each packet. */
static inline bool dj_perfetto_find_next_packet(const struct dj_perfetto_file *file,
                                                size_t *at,
                                                struct dj_perfetto_packet_place *place,
                                                bool *damaged)
{
    struct dj_proto_message message = {file->bytes + *at, file->bytes + file->size,
                                       false};
    struct dj_proto_field field;
    /* Number of bytes to load in advance, so that the next packets do not wait for
     * memory. */
    enum { AHEAD = 1024 };
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

/* Stores the thread of a sequence, which old traces describe in a packet of the
 * sequence. */
void dj_perfetto_read_sequence_thread(struct dj_perfetto_sequence *sequence,
                                      const struct dj_perfetto_packet *packet);

bool dj_perfetto_convert_packet_time(struct dj_perfetto_reader *reader,
                                     struct dj_perfetto_sequence *sequence,
                                     const struct dj_perfetto_packet *packet,
                                     int64_t *at_ns);

/* Sets *at_ns to the time of a packet. Returns false if the packet has no time or if
 * its clock is unknown. This inline part handles the most frequent case: a time of the
 * trace's clock. */
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

/* Reads the whole file once and stores clocks, tracks, and the start times of blocks.
 * The first scan also stores threads and losses. */
void dj_perfetto_scan_file(struct dj_perfetto_reader *reader, bool first);

/* Returns true if the next bundle of the file is plain. */
bool dj_perfetto_is_next_bundle_plain(struct dj_perfetto_reader *reader);

/* Reads a packet that contains no event, for example names of threads or counts of
 * losses. Called in the first scan. dj_perfetto_is_metadata_packet() returns true if
 * packets of this kind contain no event. */
void dj_perfetto_read_metadata(struct dj_perfetto_reader *reader,
                               const struct dj_perfetto_packet *packet);
bool dj_perfetto_is_metadata_packet(uint32_t kind);
/* Returns true if ring buffers overwrote the start of the recording. Then the missing
 * data at the start of the trace is not a gap. */
bool dj_perfetto_begins_late(const struct dj_perfetto_reader *reader);
/* Counts a loss that a bundle reported, so that it is not counted again as a loss of
 * the whole trace. */
void dj_perfetto_count_loss(struct dj_perfetto_reader *reader, int32_t cpu);
/* Passes an event to the sink. Does nothing if reader->code is not 0. */
void dj_perfetto_send_event(struct dj_perfetto_reader *reader,
                            const struct dj_event *event);
void dj_perfetto_report_thread(struct dj_perfetto_reader *reader, int32_t tid,
                               int32_t pid, struct dj_str name, struct dj_str process);
/* Reports data that is complete only after all packets were read: names of processes,
 * and total losses. */
void dj_perfetto_report_end(struct dj_perfetto_reader *reader);
/* Reports the clocks. Called before the first event. */
void dj_perfetto_report_clocks(struct dj_perfetto_reader *reader);

/* Converts a TrackEvent to items and adds them to reader->run. */
void dj_perfetto_read_track_event(struct dj_perfetto_reader *reader,
                                  struct dj_perfetto_sequence *sequence,
                                  const struct dj_perfetto_packet *packet, int64_t at_ns);

/* Converts an item to an event. Returns false if the item is empty. The event may point
 * to *frame. */
bool dj_perfetto_convert_item(struct dj_perfetto_reader *reader,
                              const struct dj_perfetto_item *item, struct dj_event *event,
                              struct dj_event_frame *frame);

#endif
