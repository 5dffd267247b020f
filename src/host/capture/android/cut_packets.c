/* Field numbers of Perfetto's TracePacket and FtraceEventBundle. */
#include <string.h>

#include "base/checked.h"
#include "base/proto.h"
#include "capture/android/conversion.h"
#include "output/stream.h"
#include "trace/mapped_file.h"

enum {
    PACKET = 1, /* of a trace */
    /* of a packet */
    EVENTS = 1,
    SNAPSHOT = 6,
    STAMP = 8,
    CLOCK = 58,
    /* of kernel events */
    CPU = 1,
    EVENT = 2,
    LOST = 3,
    COMPACT = 4,
    SWITCHES = 1,
    WAKINGS = 7,
    OWN_CLOCK = 5,
    OWN_NOW = 6,
    BOOT_NOW = 7,
    /* of clocks */
    MONOTONIC = 3,
    BOOTTIME = 6,
    CPUS = 1024
};

/* Packets that describe one instant only: android_log, process_stats, sys_stats, events
 * of the GPU, graphics and FrameTimeline. */
static bool is_instant(uint32_t number)
{
    static const uint32_t numbers[] = {7, 9, 39, 52, 53, 57, 76};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        if (numbers[i] == number) {
            return true;
        }
    }
    return false;
}

struct stretch {
    bool known;
    int64_t from_ns, to_ns;
};

static void add_stamp(struct stretch *stretch, uint64_t stamp)
{
    int64_t at_ns = stamp > INT64_MAX ? INT64_MAX : (int64_t)stamp;
    if (!stretch->known || at_ns < stretch->from_ns) {
        stretch->from_ns = at_ns;
    }
    if (!stretch->known || at_ns > stretch->to_ns) {
        stretch->to_ns = at_ns;
    }
    stretch->known = true;
}

/* Reads a packed list in which each number is added to the previous one. */
static void add_deltas(struct stretch *stretch, struct dj_str list)
{
    struct dj_proto_message numbers = dj_proto_open(list);
    uint64_t stamp = 0, delta;
    while (dj_proto_varint(&numbers, &delta)) {
        stamp += delta;
        add_stamp(stretch, stamp);
    }
}

static void add_compact(struct stretch *stretch, struct dj_str bytes)
{
    struct dj_proto_message compact = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    while (dj_proto_next(&compact, &field)) {
        if (field.wire == DJ_PROTO_BYTES &&
            (field.number == SWITCHES || field.number == WAKINGS)) {
            add_deltas(stretch, field.bytes);
        }
    }
}

static void add_event(struct stretch *stretch, struct dj_str bytes)
{
    struct dj_proto_message event = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    while (dj_proto_next(&event, &field)) {
        if (field.number == 1 && field.wire == DJ_PROTO_VARINT) {
            add_stamp(stretch, field.value);
            return;
        }
    }
}

struct bundle {
    uint64_t cpu;
    struct stretch stretch; /* in CLOCK_BOOTTIME */
};

static void read_bundle(struct dj_str bytes, struct bundle *bundle)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    uint64_t clock = 0, own_ns = 0, boot_ns = 0;
    *bundle = (struct bundle){.cpu = CPUS};
    while (dj_proto_next(&message, &field)) {
        if (field.number == EVENT && field.wire == DJ_PROTO_BYTES) {
            add_event(&bundle->stretch, field.bytes);
        } else if (field.number == COMPACT && field.wire == DJ_PROTO_BYTES) {
            add_compact(&bundle->stretch, field.bytes);
        } else if (field.wire == DJ_PROTO_VARINT) {
            bundle->cpu = field.number == CPU ? field.value : bundle->cpu;
            clock = field.number == OWN_CLOCK ? field.value : clock;
            own_ns = field.number == OWN_NOW ? field.value : own_ns;
            boot_ns = field.number == BOOT_NOW ? field.value : boot_ns;
        }
    }
    if (clock != 0 && own_ns != 0 && boot_ns != 0) {
        int64_t by_ns = (int64_t)(boot_ns - own_ns);
        bundle->stretch.from_ns =
            dj_checked_add_saturated(bundle->stretch.from_ns, by_ns);
        bundle->stretch.to_ns = dj_checked_add_saturated(bundle->stretch.to_ns, by_ns);
    } else if (clock != 0) {
        bundle->stretch.known = false;
    }
}

struct packet {
    bool events, instant, stamped;
    uint64_t stamp, clock;
    struct bundle bundle;
    struct dj_str snapshot; /* at is NULL: none */
};

static void read_packet(struct dj_str bytes, struct packet *packet)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    *packet = (struct packet){.clock = BOOTTIME};
    while (dj_proto_next(&message, &field)) {
        if (field.wire == DJ_PROTO_VARINT && field.number == STAMP) {
            packet->stamped = true;
            packet->stamp = field.value;
        } else if (field.wire == DJ_PROTO_VARINT && field.number == CLOCK) {
            packet->clock = field.value;
        } else if (field.wire == DJ_PROTO_BYTES && field.number == EVENTS) {
            packet->events = true;
            read_bundle(field.bytes, &packet->bundle);
        } else if (field.wire == DJ_PROTO_BYTES && field.number == SNAPSHOT) {
            packet->snapshot = field.bytes;
        } else if (field.wire == DJ_PROTO_BYTES && is_instant(field.number)) {
            packet->instant = true;
        }
    }
}

static bool read_snapshot(struct dj_str bytes, int64_t *mono_ahead_ns)
{
    struct dj_proto_message snapshot = dj_proto_open(bytes);
    struct dj_proto_field clock = {0}, fields[3]; /* 1: clock id, 2: its stamp */
    int64_t mono_ns = 0, boot_ns = 0;
    while (dj_proto_next(&snapshot, &clock)) {
        if (clock.number == 1 && clock.wire == DJ_PROTO_BYTES) {
            dj_proto_collect(clock.bytes, fields, COUNT_OF(fields));
            int64_t which = dj_proto_int(&fields[1]);
            int64_t stamp = dj_proto_int(&fields[2]);
            mono_ns = which == MONOTONIC ? stamp : mono_ns;
            boot_ns = which == BOOTTIME ? stamp : boot_ns;
        }
    }
    *mono_ahead_ns = dj_checked_subtract_saturated(mono_ns, boot_ns);
    return mono_ns != 0 && boot_ns != 0;
}

struct cutting {
    const struct dj_capture_conversion *shape;
    struct dj_capture_converted *shaped;
    struct dj_str all;
    int64_t mono_ahead_ns; /* CLOCK_MONOTONIC − CLOCK_BOOTTIME */
    int64_t first_ns;      /* in CLOCK_MONOTONIC; INT64_MAX: unknown */
    bool gap[CPUS];        /* something of that CPU was dropped since its last kept
                            * bundle */
    struct dj_text out;
};

static bool next_packet(struct dj_proto_message *all, struct dj_proto_field *field)
{
    while (dj_proto_next(all, field)) {
        if (field->number == PACKET && field->wire == DJ_PROTO_BYTES) {
            return true;
        }
    }
    return false;
}

static bool find_clock(struct cutting *cutting)
{
    struct dj_proto_message all = dj_proto_open(cutting->all);
    struct dj_proto_field field = {0};
    struct packet packet;
    while (next_packet(&all, &field)) {
        read_packet(field.bytes, &packet);
        if (packet.snapshot.at != NULL &&
            read_snapshot(packet.snapshot, &cutting->mono_ahead_ns)) {
            return true;
        }
    }
    return false;
}

/* Returns the packet's time in CLOCK_MONOTONIC. `known` is false for packets that always
 * stay. */
static struct stretch stretch_of(const struct cutting *cutting,
                                 const struct packet *packet)
{
    struct stretch stretch = {.known = false};
    if (packet->events) {
        stretch = packet->bundle.stretch;
    } else if (packet->instant && packet->stamped &&
               (packet->clock == BOOTTIME || packet->clock == MONOTONIC)) {
        add_stamp(&stretch, packet->stamp);
    }
    if (packet->events || packet->clock == BOOTTIME) {
        stretch.from_ns =
            dj_checked_add_saturated(stretch.from_ns, cutting->mono_ahead_ns);
        stretch.to_ns = dj_checked_add_saturated(stretch.to_ns, cutting->mono_ahead_ns);
    }
    return stretch;
}

static int flush(struct cutting *cutting, struct dj_error *err)
{
    if (cutting->out.failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    int failure = dj_output_stream_write_all(
        cutting->shape->output, dj_text_get(&cutting->out), cutting->out.length);
    dj_text_clear(&cutting->out);
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s",
                                       cutting->shape->name, strerror(failure));
}

/* If a field that is no list occurs twice, the last value counts. */
static void write_with_loss(struct dj_text *out, struct dj_str bytes)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    size_t packet = dj_proto_begin(out, PACKET);
    const char *at = bytes.at;
    while (dj_proto_next(&message, &field)) {
        const char *end = (const char *)message.at;
        if (field.number == EVENTS && field.wire == DJ_PROTO_BYTES) {
            size_t events = dj_proto_begin(out, EVENTS);
            dj_text_append(out, field.bytes.at, field.bytes.length);
            dj_proto_add_uint(out, LOST, 1);
            dj_proto_end(out, events);
        } else {
            dj_text_append(out, at, (size_t)(end - at));
        }
        at = end;
    }
    dj_proto_end(out, packet);
}

static void pass(struct cutting *cutting, struct dj_str bytes)
{
    struct packet packet;
    read_packet(bytes, &packet);
    struct stretch stretch = stretch_of(cutting, &packet);
    uint64_t cpu = packet.events ? packet.bundle.cpu : CPUS;
    if (stretch.known && stretch.from_ns < cutting->first_ns) {
        cutting->first_ns = stretch.from_ns;
    }
    if (stretch.known &&
        !dj_janky_keep_overlaps(cutting->shape->keep, stretch.from_ns, stretch.to_ns)) {
        cutting->shaped->dropped++;
        if (cpu < CPUS) {
            cutting->gap[cpu] = true;
        }
        return;
    }
    cutting->shaped->kept++;
    if (cpu < CPUS && cutting->gap[cpu]) {
        cutting->gap[cpu] = false;
        write_with_loss(&cutting->out, bytes);
    } else {
        dj_proto_add_bytes(&cutting->out, PACKET, bytes);
    }
}

static int cut(struct cutting *cutting, struct dj_error *err)
{
    enum { PIECE = 1 << 20 };
    struct dj_proto_message all = dj_proto_open(cutting->all);
    struct dj_proto_field field = {0};
    int code = 0;
    if (!find_clock(cutting)) {
        return dj_error_set(err, DJ_E_NO_DATA,
                            "how its clock stands to that of frames is not told");
    }
    while (code == 0 && next_packet(&all, &field)) {
        pass(cutting, field.bytes);
        code = cutting->out.length > PIECE ? flush(cutting, err) : 0;
    }
    cutting->shaped->too_old =
        dj_janky_keep_count_before(cutting->shape->keep, cutting->first_ns);
    return code == 0 ? flush(cutting, err) : code;
}

int dj_conversion_cut_packets(const struct dj_capture_conversion *shape,
                              struct dj_capture_converted *shaped, struct dj_error *err)
{
    struct dj_trace_file input;
    *shaped = (struct dj_capture_converted){0};
    int code = dj_trace_file_open(shape->input, &input, err);
    if (code != 0) {
        return code;
    }
    struct cutting cutting = {.shape = shape,
                              .shaped = shaped,
                              .first_ns = INT64_MAX,
                              .all = {(const char *)input.bytes, input.size}};
    code = cut(&cutting, err);
    dj_text_finish(&cutting.out);
    dj_trace_file_close(&input);
    return code;
}
