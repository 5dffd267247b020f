#include "memory/memory.h"
#include "trace/mapped_file.h"
#include "trace/perfetto/read_private.h"

bool dj_perfetto_convert_packet_time(struct dj_perfetto_reader *reader,
                                     struct dj_perfetto_sequence *sequence,
                                     const struct dj_perfetto_packet *packet,
                                     int64_t *at_ns)
{
    uint64_t clock = packet->clock != 0 ? packet->clock : sequence->clock;
    if (packet->timed) {
        return dj_perfetto_clocks_convert(&reader->clocks, packet->sequence, clock,
                                          packet->timestamp, at_ns);
    }
    /* In old traces, each thread has its own time in microseconds. */
    if (packet->kind != DJ_PF_PACKET_TRACK_EVENT || sequence->tid == 0) {
        return false;
    }
    DJ_PF_FIELDS(got, packet->body, DJ_PF_EVENT_ABSOLUTE_US);
    uint64_t time_us = (uint64_t)dj_proto_int(&got[DJ_PF_EVENT_ABSOLUTE_US]);
    if (time_us == 0) {
        sequence->time_us = (int64_t)((uint64_t)sequence->time_us +
                                      (uint64_t)dj_proto_int(&got[DJ_PF_EVENT_DELTA_US]));
        time_us = (uint64_t)sequence->time_us;
    }
    return dj_perfetto_clocks_convert(&reader->clocks, packet->sequence,
                                      clock != 0 ? clock : DJ_PF_MONOTONIC,
                                      time_us * 1000, at_ns) ||
           (*at_ns = (int64_t)(time_us * 1000)) >= 0;
}

/* Updates the earliest time of the block that contains the offset `from`. */
static void note_time(struct dj_perfetto_reader *reader, size_t from, int64_t at_ns)
{
    size_t block = from / DJ_PF_BLOCK;
    if (block >= reader->block_capacity) {
        DJ_XRESERVE(reader->earliest, reader->block_capacity,
                    reader->file->size / DJ_PF_BLOCK + 1);
    }
    while (reader->block_count <= block) {
        reader->earliest[reader->block_count++] = INT64_MAX;
    }
    if (at_ns < reader->earliest[block]) {
        reader->earliest[block] = at_ns;
    }
}

/* Stores `plain` as the property of the next bundle of the file. */
static void note_plain(struct dj_perfetto_reader *reader, bool plain)
{
    size_t word = reader->bundles / 64;
    DJ_XRESERVE(reader->plain, reader->plain_capacity, word + 1);
    uint64_t bit = UINT64_C(1) << reader->bundles++ % 64;
    reader->plain[word] = (bit == 1 ? 0 : reader->plain[word]) | (plain ? bit : 0);
}

bool dj_perfetto_is_next_bundle_plain(struct dj_perfetto_reader *reader)
{
    size_t bundle = reader->bundles++;
    /* A bundle that the scan has not found is possible only if the file was changed after
     * the scan. */
    return bundle / 64 < reader->plain_capacity &&
           (reader->plain[bundle / 64] >> bundle % 64 & 1) != 0;
}

void dj_perfetto_read_sequence_thread(struct dj_perfetto_sequence *sequence,
                                      const struct dj_perfetto_packet *packet)
{
    DJ_PF_FIELDS(got, packet->body, DJ_PF_THREAD_DESCRIPTOR_REFERENCE_US);
    sequence->tid = (int32_t)dj_proto_int(&got[DJ_PF_THREAD_DESCRIPTOR_TID]);
    sequence->pid = (int32_t)dj_proto_int(&got[DJ_PF_THREAD_DESCRIPTOR_PID]);
    sequence->time_us = dj_proto_int(&got[DJ_PF_THREAD_DESCRIPTOR_REFERENCE_US]);
}

/* Updates the state of a sequence, except for its names. Names are not needed to compute
 * times. */
static struct dj_perfetto_sequence *update_state(struct dj_perfetto_reader *reader,
                                                 const struct dj_perfetto_packet *packet)
{
    struct dj_perfetto_sequence *sequence =
        dj_perfetto_sequences_get(&reader->sequences, packet->sequence);
    dj_perfetto_sequence_apply_frame(sequence, packet);
    if (packet->kind == DJ_PF_PACKET_THREAD_DESCRIPTOR) {
        dj_perfetto_read_sequence_thread(sequence, packet);
    }
    return sequence;
}

static int64_t scan_bundle(struct dj_perfetto_reader *reader,
                           const struct dj_perfetto_packet *packet)
{
    bool plain;
    int64_t at_ns = dj_perfetto_bundle_find_earliest(packet->body, &reader->clocks,
                                                     packet->sequence, &plain);
    reader->timed_count += at_ns != INT64_MAX;
    note_plain(reader, plain);
    return at_ns;
}

/* Returns the time of a packet, or INT64_MAX if it has none. */
static int64_t scan_time(struct dj_perfetto_reader *reader,
                         struct dj_perfetto_sequence *sequence,
                         const struct dj_perfetto_packet *packet)
{
    int64_t at_ns;
    bool counts = !dj_perfetto_is_metadata_packet(packet->kind);
    if (dj_perfetto_get_packet_time(reader, sequence, packet, &at_ns)) {
        reader->timed_count += counts;
        return at_ns;
    }
    if (counts && packet->timed) {
        reader->untimed_count++;
        reader->foreign_clock = packet->clock != 0 ? packet->clock : sequence->clock;
    }
    return INT64_MAX;
}

static void scan_packet(struct dj_perfetto_reader *reader,
                        const struct dj_perfetto_packet_place *place, bool first)
{
    struct dj_perfetto_packet packet;
    dj_perfetto_packet_read(place->bytes, &packet);
    if (packet.kind == DJ_PF_PACKET_COMPRESSED ||
        packet.kind == DJ_PF_PACKET_COMPRESSED_ZSTD) {
        reader->code = reader->file->is_unpacked ? 0 : DJ_E_UNSUPPORTED;
        return;
    }
    struct dj_perfetto_sequence *sequence = update_state(reader, &packet);
    int64_t at_ns = packet.kind == DJ_PF_PACKET_FTRACE_EVENTS
                        ? scan_bundle(reader, &packet)
                        : scan_time(reader, sequence, &packet);
    if (packet.kind == DJ_PF_PACKET_CLOCK_SNAPSHOT) {
        dj_perfetto_clocks_add_snapshot(&reader->clocks, packet.sequence, packet.body);
    } else if (first) {
        reader->marks_first_packets |= packet.first;
        dj_perfetto_read_metadata(reader, &packet);
    }
    if (at_ns != INT64_MAX) {
        note_time(reader, place->from, at_ns);
    }
}

void dj_perfetto_scan_file(struct dj_perfetto_reader *reader, bool first)
{
    struct dj_perfetto_packet_place place;
    /* During the scan, memory is freed only for a large file. A smaller file stays in
     * memory, so it is read from the disk only once. */
    struct dj_trace_file_trail trail = {
        NULL, reader->file->mapped && reader->file->size > DJ_PF_MAPPED_BYTES_MAX};
    bool damaged = false;
    dj_perfetto_sequences_reset(&reader->sequences);
    reader->block_count = 0;
    reader->bundles = 0;
    reader->timed_count = reader->untimed_count = 0;
    for (size_t at = 0; reader->code == 0 && dj_perfetto_find_next_packet(
                                                 reader->file, &at, &place, &damaged);) {
        dj_trace_file_free_before(&trail, reader->file->bytes + place.from);
        scan_packet(reader, &place, first);
    }
    for (size_t i = reader->block_count; i-- > 1;) {
        if (reader->earliest[i] < reader->earliest[i - 1]) {
            reader->earliest[i - 1] = reader->earliest[i];
        }
    }
    dj_perfetto_sequences_reset(&reader->sequences);
    reader->bundles = 0;
}
