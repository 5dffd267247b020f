/* A Perfetto trace while it is read: what its parts share. Of this room only, and of it
 * for perfetto_*.c alone. */
#ifndef DEJANK_TRACE_PERFETTO_READER_H
#define DEJANK_TRACE_PERFETTO_READER_H

#include "trace/perfetto_order.h"
#include "trace/perfetto_read.h"
#include "trace/perfetto_tracks.h"

/* A process that was told by its command line. */
struct dj_pf_process {
    int32_t pid;
    struct dj_str name;
};

/* What a CPU lost, as it counted itself. */
struct dj_pf_cpu_lost {
    uint64_t before, after; /* counted when the trace began, and when it ended */
    uint64_t told;          /* losses that bundles told of */
    bool counted;
};

/* What the buffers of the tracing service lost, as TraceStats counts it. */
struct dj_pf_buffers_lost {
    uint64_t inside;      /* losses of buffers that kept all else from start to end */
    uint64_t unsure;      /* losses of other buffers: maybe of what they did not keep */
    uint64_t overwritten; /* chunks of ring buffers that newer ones replaced */
    uint64_t discarded;   /* chunks that came when a buffer was full */
    bool streamed; /* buffers were written to the file repeatedly, so that chunks that
                      were overwritten in between are gaps in the trace */
};

struct dj_pf_reader {
    const struct dj_perfetto_file *file;
    struct dj_event_sink sink;
    int code; /* of the scan and of what dj_pf_tell() told: 0, or the reading ends */
    struct dj_perfetto_told *told;
    struct dj_pf_kernel kernel;
    struct dj_pf_clocks clocks;
    struct dj_pf_sequences sequences;
    struct dj_pf_tracks tracks;
    struct dj_pf_texts *gpu;         /* names of its counters; NULL: none */
    struct dj_pf_process *processes; /* owned */
    size_t process_count;
    struct dj_pf_cpu_lost *lost; /* by CPU; owned */
    size_t lost_count;
    struct dj_pf_buffers_lost buffers; /* by the last count */
    uint64_t gaps;                     /* in sequences, as packets report them */
    bool firsts;                       /* sequences say where they begin */
    int64_t *earliest; /* of each block of the file and all that follow it; owned */
    size_t block_count, block_capacity;
    uint64_t *plain; /* a bit per bundle, as dj_pf_bundle_earliest() has it; owned */
    size_t plain_capacity; /* of words */
    size_t bundles;        /* of the file, as far as it was gone through or read */
    uint64_t placed, unplaced, foreign_clock; /* packets by whether their time is known */
    struct dj_pf_run *run;                    /* of the block that is being read */
    struct dj_pf_order order;
    struct dj_pf_running *running; /* by CPU; owned */
    size_t running_count;
    int64_t last_ns; /* of what was handed out */
};

enum {
    DJ_PF_BLOCK = 1 << 16, /* with what waits of it, it fits into a core's own cache */
    DJ_PF_KEPT = 1 << 26   /* bytes of a file that may lie in our memory at one time */
};

/* One packet of a file. */
struct dj_pf_place {
    struct dj_str bytes;
    size_t from; /* where its field begins */
};

/* The file's next packet; *at is where to go on. False: there is none; *damaged: since
 * the rest makes no sense. Empty ones, which cost a compressed file nothing, are passed
 * over, but for one here and there: who reads leaves memory behind at each. */
static inline bool dj_pf_next_packet(const struct dj_perfetto_file *file, size_t *at,
                                     struct dj_pf_place *place, bool *damaged)
{
    struct dj_proto_message message = {file->bytes + *at, file->bytes + file->size,
                                       false};
    struct dj_proto_field field;
    enum { AHEAD = 1024 }; /* bytes; their first use would wait for memory */
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

/* A packet that tells the thread of its sequence, as those of old traces do. */
void dj_pf_take_thread(struct dj_pf_sequence *sequence,
                       const struct dj_pf_packet *packet);

bool dj_pf_time_by_clock(struct dj_pf_reader *reader, struct dj_pf_sequence *sequence,
                         const struct dj_pf_packet *packet, int64_t *at_ns);

/* The time of a packet. False: it has none, or its clock is not known. Most are of the
 * trace's clock. */
static inline bool dj_pf_time_of(struct dj_pf_reader *reader,
                                 struct dj_pf_sequence *sequence,
                                 const struct dj_pf_packet *packet, int64_t *at_ns)
{
    if (packet->timed && packet->clock == 0 && sequence->clock == 0) {
        *at_ns = (int64_t)packet->timestamp;
        return *at_ns >= 0;
    }
    return dj_pf_time_by_clock(reader, sequence, packet, at_ns);
}

/* Goes through the file once: clocks, tracks, when blocks begin; the first time threads
 * and losses too. */
void dj_pf_scan(struct dj_pf_reader *reader, bool first);

/* Whether the next bundle that is read is plain. */
bool dj_pf_is_plain(struct dj_pf_reader *reader);

/* What a packet of a kind tells beside events (scan, first time), and whether it is one
 * of those that tell no event. */
void dj_pf_learn(struct dj_pf_reader *reader, const struct dj_pf_packet *packet);
bool dj_pf_is_about_trace(uint32_t kind);
/* Whether the trace begins later than its recording did, since ring buffers overwrote
 * what came first. That is no gap. */
bool dj_pf_begins_late(const struct dj_pf_reader *reader);
/* A bundle told of a loss: it is not to be told again with those of the whole trace. */
void dj_pf_count_lost(struct dj_pf_reader *reader, int32_t cpu);
/* Hands an event to the sink, unless the reading ends: reader->code. */
void dj_pf_tell(struct dj_pf_reader *reader, const struct dj_event *event);
void dj_pf_hand_thread(struct dj_pf_reader *reader, int32_t tid, int32_t pid,
                       struct dj_str name, struct dj_str process);
/* What is told when all has been read: names of processes, what was lost in all. */
void dj_pf_tell_rest(struct dj_pf_reader *reader);
/* What is told before all: clocks. */
void dj_pf_tell_clocks(struct dj_pf_reader *reader);

/* A TrackEvent becomes items. */
void dj_pf_take_track_event(struct dj_pf_reader *reader, struct dj_pf_sequence *sequence,
                            const struct dj_pf_packet *packet, int64_t at_ns);

/* An item becomes an event; false: it says nothing. *frame is room for what it may refer
 * to. */
bool dj_pf_fill_event(struct dj_pf_reader *reader, const struct dj_pf_item *item,
                      struct dj_event *event, struct dj_event_frame *frame);

#endif
