#include "trace/perfetto/read.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "memory/memory.h"
#include "trace/perfetto/read_private.h"
#include "trace/perfetto/stack_fields.h"

enum { PAGE = 4096 };

static int send_event(struct dj_perfetto_reader *reader, const struct dj_event *event)
{
    reader->summary->events += event->kind != DJ_EVENT_LOST;
    reader->last_ns = event->at_ns > reader->last_ns ? event->at_ns : reader->last_ns;
    return reader->sink.take(reader->sink.user, event);
}

static struct dj_perfetto_running *get_running(struct dj_perfetto_reader *reader,
                                               int32_t cpu)
{
    size_t place = cpu < 0 || cpu >= DJ_CPUS_MAX ? DJ_CPUS_MAX : (size_t)cpu;
    size_t known = reader->running_count;
    DJ_XEXTEND(reader->running, reader->running_count, place + 1);
    for (; known <= place; known++) {
        reader->running[known] = (struct dj_perfetto_running){-1, {"", 0}};
    }
    return &reader->running[place];
}

/* Reports lost events of a CPU. After a loss, it is unknown which thread runs on the CPU.
 */
static int report_loss(struct dj_perfetto_reader *reader,
                       struct dj_perfetto_bundle *bundle,
                       struct dj_perfetto_running *running)
{
    struct dj_event event = dj_event_make(DJ_EVENT_LOST);
    event.at_ns = bundle->next_ns != INT64_MAX ? bundle->next_ns : reader->last_ns;
    event.tid = -1;
    event.cpu = bundle->cpu;
    bundle->lost = false;
    *running = (struct dj_perfetto_running){-1, {"", 0}};
    return send_event(reader, &event);
}

/* Passes on the next event of a bundle, and all following events of the bundle whose key
 * is less than `until`. */
static int send_from_bundle(struct dj_perfetto_reader *reader,
                            struct dj_perfetto_source *source, dj_perfetto_key until)
{
    struct dj_perfetto_bundle *bundle = source->bundle;
    struct dj_perfetto_running *running = get_running(reader, bundle->cpu);
    int code = bundle->lost ? report_loss(reader, bundle, running) : 0;
    do {
        struct dj_event event;
        if (code == 0 &&
            dj_perfetto_bundle_read_event(bundle, &reader->kernel, running, &event)) {
            code = send_event(reader, &event);
        }
        source->next_ns = bundle->next_ns;
    } while (code == 0 && dj_perfetto_source_get_key(source, 0) < until);
    reader->summary->damaged += bundle->damaged;
    bundle->damaged = 0;
    return code;
}

static int send_from_run(struct dj_perfetto_reader *reader,
                         struct dj_perfetto_source *source, dj_perfetto_key until)
{
    struct dj_perfetto_run *run = source->run;
    int code = 0;
    do {
        struct dj_event event;
        struct dj_event_frame frame;
        if (dj_perfetto_convert_item(reader, &run->items[run->at++], &event, &frame)) {
            code = send_event(reader, &event);
        }
        reader->order.waiting--;
        source->next_ns = run->at < run->count ? run->items[run->at].at_ns : INT64_MAX;
    } while (code == 0 && dj_perfetto_source_get_key(source, 0) < until);
    return code;
}

/* Passes on all events up to limit_ns. If too many events wait, also passes on later
 * events. */
static int send_until(struct dj_perfetto_reader *reader, int64_t limit_ns)
{
    struct dj_perfetto_order *order = &reader->order;
    struct dj_perfetto_source *source;
    const dj_perfetto_key limit = dj_perfetto_key_after(limit_ns);
    bool crowded = order->waiting > DJ_PERFETTO_WAITING;
    int code = 0;
    while (code == 0 && (source = dj_perfetto_order_get_first(order)) != NULL) {
        crowded = crowded && order->waiting > DJ_PERFETTO_WAITING / 2;
        if (!crowded && dj_perfetto_source_get_key(source, 0) >= limit) {
            return 0;
        }
        dj_perfetto_key until = dj_perfetto_order_get_limit(order, source);
        /* If too many events wait, the key of the source may be above `limit`. One event
         * of the source is then passed on. */
        until = limit < until ? limit : until;
        code = source->run != NULL ? send_from_run(reader, source, until)
                                   : send_from_bundle(reader, source, until);
        dj_perfetto_order_update(order, source);
    }
    return code;
}

static void add_item(struct dj_perfetto_reader *reader, uint8_t kind, int64_t at_ns,
                     int64_t value, struct dj_str words)
{
    const struct dj_perfetto_item item = {.at_ns = at_ns,
                                          .value = value,
                                          .words = words,
                                          .track = DJ_PF_NO_TRACK,
                                          .kind = kind};
    dj_perfetto_run_add(reader->run, &item);
}

static int open_bundle(struct dj_perfetto_reader *reader,
                       const struct dj_perfetto_packet *packet,
                       const struct dj_perfetto_sequence *sequence)
{
    bool plain = dj_perfetto_is_next_bundle_plain(reader);
    struct dj_perfetto_bundle *bundle = dj_perfetto_order_get_bundle(&reader->order);
    int code = 0;
    dj_perfetto_bundle_open(bundle, packet->body, plain, &reader->clocks, sequence);
    if (bundle->lost) {
        dj_perfetto_count_loss(reader, bundle->cpu);
    }
    if (bundle->next_ns == INT64_MAX) {
        reader->summary->damaged += bundle->damaged;
        bundle->damaged = 0;
        /* The bundle contains no event, so the loss has no time. It is reported
         * immediately. */
        code = bundle->lost
                   ? report_loss(reader, bundle, get_running(reader, bundle->cpu))
                   : 0;
    }
    dj_perfetto_order_add_bundle(&reader->order, bundle);
    return code;
}

static void read_gpu_counters(struct dj_perfetto_reader *reader,
                              const struct dj_perfetto_packet *packet, int64_t at_ns)
{
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_str value;
    while (dj_perfetto_find_next_bytes(&message, DJ_PF_GPU_VALUE, &value)) {
        DJ_PF_FIELDS(got, value, DJ_PF_GPU_VALUE_DOUBLE);
        struct dj_str name = dj_perfetto_texts_find(
            reader->gpu, (uint64_t)dj_proto_int(&got[DJ_PF_GPU_VALUE_ID]));
        bool real = got[DJ_PF_GPU_VALUE_DOUBLE].number != 0;
        add_item(reader, DJ_EVENT_COUNTER, at_ns,
                 real ? dj_proto_read_whole(got[DJ_PF_GPU_VALUE_DOUBLE].value)
                      : dj_proto_int(&got[DJ_PF_GPU_VALUE_INT]),
                 name.length > 0 ? name : (struct dj_str){"gpu counter", 11});
    }
}

static void read_event(struct dj_perfetto_reader *reader,
                       const struct dj_perfetto_packet *packet,
                       struct dj_perfetto_sequence *sequence, int64_t at_ns)
{
    static const struct dj_str nothing = {"", 0};
    if (packet->needs_state && !sequence->valid) {
        if (sequence->generation == 0 && dj_perfetto_begins_late(reader)) {
            reader->summary->skipped++;
        } else {
            add_item(reader, DJ_EVENT_LOST, at_ns, sequence->last_ns, nothing);
        }
        return;
    }
    switch (packet->kind) {
    case DJ_PF_PACKET_TRACK_EVENT:
        dj_perfetto_read_track_event(reader, sequence, packet, at_ns);
        break;
    case DJ_PF_PACKET_GPU_COUNTERS:
        read_gpu_counters(reader, packet, at_ns);
        break;
    case DJ_PF_PACKET_PERF_SAMPLE:
    case DJ_PF_PACKET_STACK_SAMPLE:
        dj_perfetto_read_sample(reader, sequence, packet, at_ns);
        break;
    case DJ_PF_ITEM_FRAME:
    case DJ_PF_ITEM_TASK:
    case DJ_PF_ITEM_FREQUENCY:
    case DJ_PF_ITEM_RENAME:
        add_item(reader, (uint8_t)packet->kind, at_ns, 0, packet->body);
        break;
    default:
        add_item(reader, DJ_EVENT_OTHER, at_ns, 0, nothing);
        break;
    }
}

/* Returns true if packets are missing before this packet. A sequence marks the packet
 * after a loss, but some traces also mark the first packet of each sequence in this way.
 * If a trace has a separate mark for first packets, a sequence that starts without this
 * mark has lost packets. There is one exception: a ring buffer may have overwritten the
 * start of the sequence. */
static bool is_gap(const struct dj_perfetto_reader *reader,
                   const struct dj_perfetto_packet *packet,
                   const struct dj_perfetto_sequence *sequence)
{
    return packet->dropped && !packet->first &&
           (sequence->seen ||
            (reader->marks_first_packets && !dj_perfetto_begins_late(reader)));
}

static int read_packet(struct dj_perfetto_reader *reader,
                       const struct dj_perfetto_packet_place *place)
{
    struct dj_perfetto_packet packet;
    int64_t at_ns = 0;
    reader->summary->packets++;
    if (!dj_perfetto_packet_read(place->bytes, &packet)) {
        reader->summary->damaged++;
    }
    struct dj_perfetto_sequence *sequence =
        dj_perfetto_sequences_get(&reader->sequences, packet.sequence);
    bool gap = is_gap(reader, &packet, sequence);
    reader->gaps += gap;
    dj_perfetto_sequence_apply_packet(sequence, &packet);
    if (packet.kind == DJ_PF_PACKET_THREAD_DESCRIPTOR) {
        dj_perfetto_read_sequence_thread(sequence, &packet);
    }
    bool timed = packet.kind != DJ_PF_PACKET_FTRACE_EVENTS &&
                 dj_perfetto_get_packet_time(reader, sequence, &packet, &at_ns);
    if (gap) {
        add_item(reader, DJ_EVENT_LOST, timed ? at_ns : 0, sequence->last_ns,
                 (struct dj_str){"", 0});
    }
    sequence->last_ns = timed ? at_ns : sequence->last_ns;
    if (packet.kind == DJ_PF_PACKET_FTRACE_EVENTS) {
        return open_bundle(reader, &packet, sequence);
    }
    if (packet.kind == DJ_PF_PACKET_COMPRESSED ||
        packet.kind == DJ_PF_PACKET_COMPRESSED_ZSTD) {
        reader->summary->damaged++;
    } else if (packet.kind == DJ_PF_PACKET_CLOCK_SNAPSHOT) {
        dj_perfetto_clocks_add_snapshot(&reader->clocks, packet.sequence, packet.body);
    } else if (!dj_perfetto_is_metadata_packet(packet.kind) && timed) {
        read_event(reader, &packet, sequence, at_ns);
    } else if (!dj_perfetto_is_metadata_packet(packet.kind) && packet.timed) {
        reader->summary->damaged++;
    }
    return 0;
}

/* Frees the memory of bytes that were read long ago. If they are still needed, the kernel
 * reads them from the file again. */
static void free_pages(const struct dj_perfetto_reader *reader, size_t at, size_t *freed)
{
    if (reader->file->mapped && at > *freed + DJ_PF_MAPPED_BYTES_MAX) {
        size_t to = (at - DJ_PF_MAPPED_BYTES_MAX / 2) & ~(size_t)(PAGE - 1);
        madvise((void *)(uintptr_t)(reader->file->bytes + *freed), to - *freed,
                MADV_DONTNEED);
        *freed = to;
    }
}

/* Ends a block of the file. Adds its items to the waiting events, and passes on all
 * events that are earlier than all events of the remaining blocks. */
static int end_block(struct dj_perfetto_reader *reader, size_t next_block)
{
    struct dj_perfetto_run *run = reader->run;
    reader->run = dj_perfetto_order_get_run(&reader->order);
    dj_perfetto_order_add_run(&reader->order, run);
    return send_until(reader, next_block < reader->block_count
                                  ? reader->earliest[next_block]
                                  : INT64_MAX);
}

static int read_packets(struct dj_perfetto_reader *reader)
{
    struct dj_perfetto_packet_place place;
    bool damaged = false;
    size_t block = 0;
    size_t freed = 0;
    int code = 0;
    reader->run = dj_perfetto_order_get_run(&reader->order);
    size_t at = 0;
    while (code == 0 &&
           dj_perfetto_find_next_packet(reader->file, &at, &place, &damaged)) {
        if (place.from / DJ_PF_BLOCK != block) {
            block = place.from / DJ_PF_BLOCK;
            code = end_block(reader, block);
            free_pages(reader, place.from, &freed);
        }
        code = code != 0 ? code : read_packet(reader, &place);
    }
    if (code == 0 && damaged) {
        reader->summary->damaged++;
    }
    return code != 0 ? code : end_block(reader, SIZE_MAX);
}

/* Scans the file. If the trace does not describe its clocks, the clock that its packets
 * name becomes the trace's clock. */
static void scan_packets(struct dj_perfetto_reader *reader)
{
    dj_perfetto_scan_file(reader, true);
    if (reader->timed_count == 0 && reader->untimed_count > 0 &&
        reader->foreign_clock != 0 && !reader->clocks.main_known) {
        reader->clocks.main = reader->foreign_clock;
    }
    /* If times were converted from other clocks, they are correct only after all
     * snapshots were read. So the file is scanned a second time. */
    if (reader->code == 0 && reader->clocks.converted > 0) {
        dj_perfetto_scan_file(reader, false);
    }
    dj_perfetto_tracks_complete(&reader->tracks);
}

int dj_perfetto_read(const struct dj_perfetto_file *file, struct dj_event_sink sink,
                     struct dj_perfetto_summary *summary)
{
    struct dj_perfetto_reader *reader = dj_xcalloc(1, sizeof(*reader));
    reader->file = file;
    reader->sink = sink;
    reader->summary = summary;
    reader->clocks.main = DJ_PF_BOOTTIME;
    dj_perfetto_event_table_init(&reader->kernel);
    dj_perfetto_order_init(&reader->order);
    scan_packets(reader);
    dj_perfetto_report_clocks(reader);
    if (reader->code == 0) {
        reader->code = read_packets(reader);
    }
    dj_perfetto_report_end(reader);
    int code = reader->code;
    dj_perfetto_run_destroy(reader->run);
    dj_perfetto_order_finish(&reader->order);
    dj_perfetto_texts_unref(reader->gpu);
    dj_perfetto_sequences_finish(&reader->sequences);
    dj_perfetto_tracks_finish(&reader->tracks);
    dj_perfetto_clocks_finish(&reader->clocks);
    dj_perfetto_stacks_finish(&reader->stacks);
    dj_perfetto_symbols_finish(&reader->symbols);
    free(reader->processes);
    free(reader->lost);
    free(reader->earliest);
    free(reader->plain);
    free(reader->running);
    free(reader);
    return code;
}
