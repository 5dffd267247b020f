/* The state of a reader of Perfetto traces, for the source files of the reader. */
#ifndef DEJANK_TRACE_PERFETTO_READ_PRIVATE_H
#define DEJANK_TRACE_PERFETTO_READ_PRIVATE_H

#include "trace/perfetto/order.h"
#include "trace/perfetto/read.h"
#include "trace/perfetto/stacks/stacks.h"
#include "trace/perfetto/stacks/symbols.h"
#include "trace/perfetto/tracks.h"

/* A process whose command line is known. */
struct dj_perfetto_process {
    int32_t pid;
    struct dj_str name;
};

/* Lost events of one CPU, from the counters of the kernel. */
struct dj_perfetto_cpu_lost {
    /* Values of the counter at the start and at the end of the trace. */
    uint64_t before, after;
    uint64_t reported; /* Number of losses that bundles of this CPU have reported. */
    bool counted;
};

/* Losses in the buffers of Perfetto's tracing service, from TraceStats. */
struct dj_perfetto_buffers_lost {
    /* Losses in buffers that have neither overwritten nor discarded data. They are
     * certainly inside the trace. */
    uint64_t inside;
    /* Losses in buffers that have overwritten or discarded data. They may be inside the
     * overwritten or discarded data. */
    uint64_t unsure;
    /* Number of chunks of ring buffers that newer chunks have overwritten. */
    uint64_t overwritten;
    /* Number of chunks that were discarded because the buffer was full. */
    uint64_t discarded;
    /* True if the buffers were written to the file repeatedly during the recording.
     * Overwritten chunks are then gaps inside the trace. */
    bool streamed;
};

struct dj_perfetto_reader {
    const struct dj_perfetto_file *file;
    struct dj_event_sink sink;
    /* Error code that stops the reader, or 0. The scan and dj_perfetto_send_event() set
     * it. */
    int code;
    struct dj_perfetto_summary *summary;
    struct dj_perfetto_event_table kernel;
    struct dj_perfetto_clocks clocks;
    struct dj_perfetto_sequences sequences;
    struct dj_perfetto_tracks tracks;
    struct dj_perfetto_stacks stacks; /* The stacks of all samples. */
    struct dj_perfetto_symbols symbols;
    struct dj_perfetto_texts *gpu; /* Names of GPU counters, or NULL if there are none. */
    struct dj_perfetto_process *processes; /* Processes. Owned by this struct. */
    size_t process_count;
    /* One element for each CPU. Owned by this struct. */
    struct dj_perfetto_cpu_lost *lost;
    size_t lost_count;
    /* Losses according to the last TraceStats packet. */
    struct dj_perfetto_buffers_lost buffers;
    uint64_t gaps; /* Number of gaps in sequences that packets have reported. */
    /* True if the trace marks the first packet of each sequence. */
    bool marks_first_packets;
    /* For each block of the file, the earliest time in this block and in all blocks after
     * it. Owned by this struct. */
    int64_t *earliest;
    size_t block_count, block_capacity;
    /* One bit for each bundle: the value `plain` of dj_perfetto_bundle_find_earliest().
     * Owned by this struct. */
    uint64_t *plain;
    size_t plain_capacity; /* Number of words in `plain`. */
    /* Number of bundles that were found so far in the current pass over the file. */
    size_t bundles;
    /* Number of packets with a known time, and of packets with an unknown time. */
    uint64_t timed_count, untimed_count;
    uint64_t foreign_clock;      /* Clock of the last packet with an unknown time. */
    struct dj_perfetto_run *run; /* Items of the current block. */
    struct dj_perfetto_order order;
    /* One element for each CPU. Owned by this struct. */
    struct dj_perfetto_running *running;
    size_t running_count;
    int64_t last_ns; /* Latest time of all events that were passed on. */
};

enum {
    /* Size of a block of the file in bytes. It is chosen so that a block and its waiting
     * events fit into the cache of a CPU. */
    DJ_PF_BLOCK = 1 << 16,
    DJ_PF_MAPPED_BYTES_MAX =
        /* Maximum number of bytes of a mapped file that are in memory at the same time.
         */
    1 << 26
};

/* A packet and its position in the file. */
struct dj_perfetto_packet_place {
    struct dj_str bytes;
    size_t from; /* Offset of the packet's field in the file. */
};

/* Finds the next packet of the file from offset *at on, and updates *at. Returns false at
 * the end of the file. If the rest of the file is invalid, sets *damaged. Skips empty
 * packets, because a small compressed file may contain very many of them. Sometimes
 * returns an empty packet, because the caller frees memory at each packet. */
static inline bool dj_perfetto_find_next_packet(const struct dj_perfetto_file *file,
                                                size_t *at,
                                                struct dj_perfetto_packet_place *place,
                                                bool *damaged)
{
    struct dj_proto_message message = {file->bytes + *at, file->bytes + file->size,
                                       false};
    struct dj_proto_field field;
    /* Memory that is this number of bytes ahead is loaded into the cache, so that the
     * next packets need not wait for it. */
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

/* Stores the thread of a sequence. Old traces describe this thread in a packet of the
 * sequence. */
void dj_perfetto_read_sequence_thread(struct dj_perfetto_sequence *sequence,
                                      const struct dj_perfetto_packet *packet);

bool dj_perfetto_convert_packet_time(struct dj_perfetto_reader *reader,
                                     struct dj_perfetto_sequence *sequence,
                                     const struct dj_perfetto_packet *packet,
                                     int64_t *at_ns);

/* Sets *at_ns to the time of a packet. Returns false if the packet has no time or its
 * clock is unknown. This inline part handles the most frequent case, in which the time is
 * already in the trace's clock. */
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

/* Reads the whole file once. Stores the clocks, the tracks and the earliest times of the
 * blocks. If `first` is true, also stores threads and losses. */
void dj_perfetto_scan_file(struct dj_perfetto_reader *reader, bool first);

/* Returns whether the next bundle of the file is plain, and moves to the bundle after it.
 */
bool dj_perfetto_is_next_bundle_plain(struct dj_perfetto_reader *reader);

/* Reads a packet without events, for example names of threads or numbers of lost events.
 * Called in the first scan. */
void dj_perfetto_read_metadata(struct dj_perfetto_reader *reader,
                               const struct dj_perfetto_packet *packet);

/* Returns whether packets of this kind contain no events. */
bool dj_perfetto_is_metadata_packet(uint32_t kind);
/* Returns true if ring buffers have overwritten the start of the recording. Missing data
 * at the start of the trace is then not a gap. */
bool dj_perfetto_begins_late(const struct dj_perfetto_reader *reader);
/* Counts a loss that a bundle has reported. Such a loss is not reported again as a loss
 * of the whole trace. */
void dj_perfetto_count_loss(struct dj_perfetto_reader *reader, int32_t cpu);
/* Passes an event to the sink. Does nothing if reader->code is not 0. */
void dj_perfetto_send_event(struct dj_perfetto_reader *reader,
                            const struct dj_event *event);
void dj_perfetto_report_thread(struct dj_perfetto_reader *reader, int32_t tid,
                               int32_t pid, struct dj_str name, struct dj_str process);
/* Reports data that is known only after all packets were read: the names of processes and
 * the total losses. */
void dj_perfetto_report_end(struct dj_perfetto_reader *reader);
/* Reports the clocks. Called before the first event. */
void dj_perfetto_report_clocks(struct dj_perfetto_reader *reader);

/* Converts a TrackEvent to items and adds them to reader->run. */
void dj_perfetto_read_track_event(struct dj_perfetto_reader *reader,
                                  struct dj_perfetto_sequence *sequence,
                                  const struct dj_perfetto_packet *packet, int64_t at_ns);

/* Converts a PerfSample or StackSample to an item and adds it to reader->run. */
void dj_perfetto_read_sample(struct dj_perfetto_reader *reader,
                             struct dj_perfetto_sequence *sequence,
                             const struct dj_perfetto_packet *packet, int64_t at_ns);

/* Converts an item to an event. The event may point to *frame. Returns false if the item
 * contains no event. */
bool dj_perfetto_convert_item(struct dj_perfetto_reader *reader,
                              const struct dj_perfetto_item *item, struct dj_event *event,
                              struct dj_event_frame *frame);

#endif
