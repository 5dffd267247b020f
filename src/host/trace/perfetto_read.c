#include "trace/perfetto_read.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "memory/memory.h"
#include "trace/perfetto_reader.h"

enum { PAGE = 4096 };

/* ---- passing events on ---- */

static int hand_out(struct dj_pf_reader *reader, const struct dj_event *event)
{
    reader->told->events += event->kind != DJ_EVENT_LOST;
    reader->last_ns = event->at_ns > reader->last_ns ? event->at_ns : reader->last_ns;
    return reader->sink.take(reader->sink.user, event);
}

static struct dj_pf_running *running_of(struct dj_pf_reader *reader, int32_t cpu)
{
    size_t place = cpu < 0 || cpu >= DJ_CPUS_MOST ? DJ_CPUS_MOST : (size_t)cpu;
    size_t known = reader->running_count;
    DJ_XEXTEND(reader->running, reader->running_count, place + 1);
    for (; known <= place; known++) {
        reader->running[known] = (struct dj_pf_running){-1, {"", 0}};
    }
    return &reader->running[place];
}

/* After a loss, the earlier activity of a CPU does not show its current one. */
static int tell_loss(struct dj_pf_reader *reader, struct dj_pf_bundle *bundle,
                     struct dj_pf_running *running)
{
    struct dj_event event = dj_event_of(DJ_EVENT_LOST);
    event.at_ns = bundle->next_ns != INT64_MAX ? bundle->next_ns : reader->last_ns;
    event.tid = -1;
    event.cpu = bundle->cpu;
    bundle->lost = false;
    *running = (struct dj_pf_running){-1, {"", 0}};
    return hand_out(reader, &event);
}

/* Passes on the next event, and those after it that come before `until`. */
static int hand_out_of_bundle(struct dj_pf_reader *reader, struct dj_pf_source *source,
                              dj_pf_key until)
{
    struct dj_pf_bundle *bundle = source->bundle;
    struct dj_pf_running *running = running_of(reader, bundle->cpu);
    int code = bundle->lost ? tell_loss(reader, bundle, running) : 0;
    do {
        struct dj_event event;
        if (code == 0 && dj_pf_bundle_take(bundle, &reader->kernel, running, &event)) {
            code = hand_out(reader, &event);
        }
        source->next_ns = bundle->next_ns;
    } while (code == 0 && dj_pf_key_of(source, 0) < until);
    reader->told->damaged += bundle->damaged;
    bundle->damaged = 0;
    return code;
}

static int hand_out_of_run(struct dj_pf_reader *reader, struct dj_pf_source *source,
                           dj_pf_key until)
{
    struct dj_pf_run *run = source->run;
    int code = 0;
    do {
        struct dj_event event;
        struct dj_event_frame frame;
        if (dj_pf_fill_event(reader, &run->items[run->at++], &event, &frame)) {
            code = hand_out(reader, &event);
        }
        reader->order.waiting--;
        source->next_ns = run->at < run->count ? run->items[run->at].at_ns : INT64_MAX;
    } while (code == 0 && dj_pf_key_of(source, 0) < until);
    return code;
}

/* Passes on everything up to that time. If too many events wait, passes on more. */
static int hand_out_until(struct dj_pf_reader *reader, int64_t limit_ns)
{
    struct dj_pf_order *order = &reader->order;
    struct dj_pf_source *source;
    const dj_pf_key limit = dj_pf_key_behind(limit_ns);
    bool crowded = order->waiting > DJ_PERFETTO_WAITING;
    int code = 0;
    while (code == 0 && (source = dj_pf_order_first(order)) != NULL) {
        crowded = crowded && order->waiting > DJ_PERFETTO_WAITING / 2;
        if (!crowded && dj_pf_key_of(source, 0) >= limit) {
            return 0;
        }
        dj_pf_key until = dj_pf_order_until(order, source);
        until = limit < until ? limit : until; /* below the source's own key if crowded */
        code = source->run != NULL ? hand_out_of_run(reader, source, until)
                                   : hand_out_of_bundle(reader, source, until);
        dj_pf_order_passed(order, source);
    }
    return code;
}

/* ---- packets ---- */

static void put_item(struct dj_pf_reader *reader, uint8_t kind, int64_t at_ns,
                     int64_t value, struct dj_str words)
{
    const struct dj_pf_item item = {.at_ns = at_ns,
                                    .value = value,
                                    .words = words,
                                    .track = DJ_PF_NO_TRACK,
                                    .kind = kind};
    dj_pf_run_put(reader->run, &item);
}

static int take_bundle(struct dj_pf_reader *reader, const struct dj_pf_packet *packet,
                       const struct dj_pf_sequence *sequence)
{
    bool plain = dj_pf_is_plain(reader);
    struct dj_pf_bundle *bundle = dj_pf_order_make_bundle(&reader->order);
    int code = 0;
    dj_pf_bundle_open(bundle, packet->body, plain, &reader->clocks, sequence);
    if (bundle->lost) {
        dj_pf_count_lost(reader, bundle->cpu);
    }
    if (bundle->next_ns == INT64_MAX) {
        reader->told->damaged += bundle->damaged;
        bundle->damaged = 0;
        /* A loss without an event is reported at its place in the file. */
        code =
            bundle->lost ? tell_loss(reader, bundle, running_of(reader, bundle->cpu)) : 0;
    }
    dj_pf_order_add_bundle(&reader->order, bundle);
    return code;
}

static void take_gpu(struct dj_pf_reader *reader, const struct dj_pf_packet *packet,
                     int64_t at_ns)
{
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_str value;
    while (dj_pf_next_bytes(&message, DJ_PF_GPU_VALUE, &value)) {
        DJ_PF_FIELDS(got, value, DJ_PF_GPU_VALUE_DOUBLE);
        struct dj_str name = dj_pf_texts_find(
            reader->gpu, (uint64_t)dj_proto_int(&got[DJ_PF_GPU_VALUE_ID]));
        bool real = got[DJ_PF_GPU_VALUE_DOUBLE].number != 0;
        put_item(reader, DJ_EVENT_COUNTER, at_ns,
                 real ? dj_proto_whole(got[DJ_PF_GPU_VALUE_DOUBLE].value)
                      : dj_proto_int(&got[DJ_PF_GPU_VALUE_INT]),
                 name.length > 0 ? name : (struct dj_str){"gpu counter", 11});
    }
}

static void take_event(struct dj_pf_reader *reader, const struct dj_pf_packet *packet,
                       struct dj_pf_sequence *sequence, int64_t at_ns)
{
    static const struct dj_str nothing = {"", 0};
    if (packet->needs_state && !sequence->valid) {
        if (sequence->generation == 0 && dj_pf_begins_late(reader)) {
            reader->told->skipped++;
        } else {
            put_item(reader, DJ_EVENT_LOST, at_ns, sequence->last_ns, nothing);
        }
        return;
    }
    switch (packet->kind) {
    case DJ_PF_PACKET_TRACK_EVENT:
        dj_pf_take_track_event(reader, sequence, packet, at_ns);
        break;
    case DJ_PF_PACKET_GPU_COUNTERS:
        take_gpu(reader, packet, at_ns);
        break;
    case DJ_PF_ITEM_FRAME:
    case DJ_PF_ITEM_TASK:
    case DJ_PF_ITEM_FREQUENCY:
    case DJ_PF_ITEM_RENAME:
        put_item(reader, (uint8_t)packet->kind, at_ns, 0, packet->body);
        break;
    default:
        put_item(reader, DJ_EVENT_OTHER, at_ns, 0, nothing);
        break;
    }
}

/* Sequences also mark their first packet as one after a loss. If a trace marks first
 * packets, an unmarked one comes after a gap, or after data that a ring buffer overwrote.
 */
static bool is_gap(const struct dj_pf_reader *reader, const struct dj_pf_packet *packet,
                   const struct dj_pf_sequence *sequence)
{
    return packet->dropped && !packet->first &&
           (sequence->seen || (reader->firsts && !dj_pf_begins_late(reader)));
}

static int take_packet(struct dj_pf_reader *reader, const struct dj_pf_place *place)
{
    struct dj_pf_packet packet;
    int64_t at_ns = 0;
    reader->told->packets++;
    if (!dj_pf_packet_read(place->bytes, &packet)) {
        reader->told->damaged++;
    }
    struct dj_pf_sequence *sequence =
        dj_pf_sequences_get(&reader->sequences, packet.sequence);
    bool gap = is_gap(reader, &packet, sequence);
    reader->gaps += gap;
    dj_pf_sequence_take(sequence, &packet);
    if (packet.kind == DJ_PF_PACKET_THREAD_DESCRIPTOR) {
        dj_pf_take_thread(sequence, &packet);
    }
    bool timed = packet.kind != DJ_PF_PACKET_FTRACE_EVENTS &&
                 dj_pf_time_of(reader, sequence, &packet, &at_ns);
    if (gap) {
        put_item(reader, DJ_EVENT_LOST, timed ? at_ns : 0, sequence->last_ns,
                 (struct dj_str){"", 0});
    }
    sequence->last_ns = timed ? at_ns : sequence->last_ns;
    if (packet.kind == DJ_PF_PACKET_FTRACE_EVENTS) {
        return take_bundle(reader, &packet, sequence);
    }
    if (packet.kind == DJ_PF_PACKET_COMPRESSED ||
        packet.kind == DJ_PF_PACKET_COMPRESSED_ZSTD) {
        reader->told->damaged++;
    } else if (packet.kind == DJ_PF_PACKET_CLOCK_SNAPSHOT) {
        dj_pf_clocks_take(&reader->clocks, packet.sequence, packet.body);
    } else if (!dj_pf_is_about_trace(packet.kind) && timed) {
        take_event(reader, &packet, sequence, at_ns);
    } else if (!dj_pf_is_about_trace(packet.kind) && packet.timed) {
        reader->told->damaged++;
    }
    return 0;
}

/* ---- the file, block by block ---- */

/* Frees pages that are far back. They are read from the file again if something still
 * refers to them. */
static void give_back(const struct dj_pf_reader *reader, size_t at, size_t *given)
{
    if (reader->file->mapped && at > *given + DJ_PF_KEPT) {
        size_t to = (at - DJ_PF_KEPT / 2) & ~(size_t)(PAGE - 1);
        madvise((void *)(uintptr_t)(reader->file->bytes + *given), to - *given,
                MADV_DONTNEED);
        *given = to;
    }
}

/* Adds the items of a block to the waiting ones, and passes on everything that no later
 * packet can precede. */
static int end_block(struct dj_pf_reader *reader, size_t next_block)
{
    struct dj_pf_run *run = reader->run;
    reader->run = dj_pf_order_make_run(&reader->order);
    dj_pf_order_add_run(&reader->order, run);
    return hand_out_until(reader, next_block < reader->block_count
                                      ? reader->earliest[next_block]
                                      : INT64_MAX);
}

static int read_packets(struct dj_pf_reader *reader)
{
    struct dj_pf_place place;
    bool damaged = false;
    size_t block = 0;
    size_t given = 0;
    int code = 0;
    reader->run = dj_pf_order_make_run(&reader->order);
    size_t at = 0;
    while (code == 0 && dj_pf_next_packet(reader->file, &at, &place, &damaged)) {
        if (place.from / DJ_PF_BLOCK != block) {
            block = place.from / DJ_PF_BLOCK;
            code = end_block(reader, block);
            give_back(reader, place.from, &given);
        }
        code = code != 0 ? code : take_packet(reader, &place);
    }
    if (code == 0 && damaged) {
        reader->told->damaged++;
    }
    return code != 0 ? code : end_block(reader, SIZE_MAX);
}

/* If a trace has no information about its clocks, its clock is the one that its packets
 * name. */
static void scan(struct dj_pf_reader *reader)
{
    dj_pf_scan(reader, true);
    if (reader->placed == 0 && reader->unplaced > 0 && reader->foreign_clock != 0 &&
        !reader->clocks.main_told) {
        reader->clocks.main = reader->foreign_clock;
    }
    /* Stamps of other clocks are accurate only after all snapshots are read. */
    if (reader->code == 0 && reader->clocks.converted > 0) {
        dj_pf_scan(reader, false);
    }
    dj_pf_tracks_end(&reader->tracks);
}

int dj_perfetto_read(const struct dj_perfetto_file *file, struct dj_event_sink sink,
                     struct dj_perfetto_told *told)
{
    struct dj_pf_reader *reader = dj_xcalloc(1, sizeof(*reader));
    reader->file = file;
    reader->sink = sink;
    reader->told = told;
    reader->clocks.main = DJ_PF_BOOTTIME;
    dj_pf_kernel_init(&reader->kernel);
    dj_pf_order_init(&reader->order);
    scan(reader);
    dj_pf_tell_clocks(reader);
    if (reader->code == 0) {
        reader->code = read_packets(reader);
    }
    dj_pf_tell_rest(reader);
    int code = reader->code;
    dj_pf_run_destroy(reader->run);
    dj_pf_order_finish(&reader->order);
    dj_pf_texts_unref(reader->gpu);
    dj_pf_sequences_finish(&reader->sequences);
    dj_pf_tracks_finish(&reader->tracks);
    dj_pf_clocks_finish(&reader->clocks);
    free(reader->processes);
    free(reader->lost);
    free(reader->earliest);
    free(reader->plain);
    free(reader->running);
    free(reader);
    return code;
}
