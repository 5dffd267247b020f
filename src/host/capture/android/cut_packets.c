/* Copies only the packets of some spans of time from a Perfetto trace. The numbers in the
 * enum below are field numbers of Perfetto's messages. */
#include <string.h>

#include "base/checked.h"
#include "base/proto.h"
#include "capture/android/conversion.h"
#include "output/stream.h"
#include "trace/mapped_file.h"

enum {
    PACKET = 1, /* Field of the message Trace. */
    /* Fields of TracePacket. */
    EVENTS = 1,
    SNAPSHOT = 6,
    STAMP = 8,
    CLOCK = 58,
    /* Fields of FtraceEventBundle and of its CompactSched. */
    CPU = 1,
    EVENT = 2,
    LOST = 3,
    COMPACT = 4,
    SWITCHES = 1,
    WAKINGS = 7,
    OWN_CLOCK = 5,
    OWN_NOW = 6,
    BOOT_NOW = 7,
    /* Ids of clocks, and the maximum number of CPUs. */
    MONOTONIC = 3,
    BOOTTIME = 6,
    CPUS = 1024
};

/* Returns true for the field of a packet that describes only one instant: android_log,
 * process_stats, sys_stats, events of the GPU, graphics events, FrameTimeline events. */
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

struct span {
    bool known;
    int64_t from_ns, to_ns;
};

static void add_stamp(struct span *span, uint64_t stamp)
{
    int64_t at_ns = stamp > INT64_MAX ? INT64_MAX : (int64_t)stamp;
    if (!span->known || at_ns < span->from_ns) {
        span->from_ns = at_ns;
    }
    if (!span->known || at_ns > span->to_ns) {
        span->to_ns = at_ns;
    }
    span->known = true;
}

/* Adds each time of a packed list to the span. The list contains the first time, and then
 * the difference of each time to the previous one. */
static void add_deltas(struct span *span, struct dj_str list)
{
    struct dj_proto_message numbers = dj_proto_open(list);
    uint64_t stamp = 0, delta;
    while (dj_proto_varint(&numbers, &delta)) {
        stamp += delta;
        add_stamp(span, stamp);
    }
}

static void add_compact(struct span *span, struct dj_str bytes)
{
    struct dj_proto_message compact = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    while (dj_proto_next(&compact, &field)) {
        if (field.wire == DJ_PROTO_BYTES &&
            (field.number == SWITCHES || field.number == WAKINGS)) {
            add_deltas(span, field.bytes);
        }
    }
}

static void add_event(struct span *span, struct dj_str bytes)
{
    struct dj_proto_message event = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    while (dj_proto_next(&event, &field)) {
        if (field.number == 1 && field.wire == DJ_PROTO_VARINT) {
            add_stamp(span, field.value);
            return;
        }
    }
}

struct bundle {
    uint64_t cpu;
    /* Times of the first and last event of the bundle, in CLOCK_BOOTTIME. */
    struct span span;
};

static void read_bundle(struct dj_str bytes, struct bundle *bundle)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    uint64_t clock = 0, own_ns = 0, boot_ns = 0;
    *bundle = (struct bundle){.cpu = CPUS};
    while (dj_proto_next(&message, &field)) {
        if (field.number == EVENT && field.wire == DJ_PROTO_BYTES) {
            add_event(&bundle->span, field.bytes);
        } else if (field.number == COMPACT && field.wire == DJ_PROTO_BYTES) {
            add_compact(&bundle->span, field.bytes);
        } else if (field.wire == DJ_PROTO_VARINT) {
            bundle->cpu = field.number == CPU ? field.value : bundle->cpu;
            clock = field.number == OWN_CLOCK ? field.value : clock;
            own_ns = field.number == OWN_NOW ? field.value : own_ns;
            boot_ns = field.number == BOOT_NOW ? field.value : boot_ns;
        }
    }
    if (clock != 0 && own_ns != 0 && boot_ns != 0) {
        int64_t by_ns = (int64_t)(boot_ns - own_ns);
        bundle->span.from_ns = dj_checked_add_saturated(bundle->span.from_ns, by_ns);
        bundle->span.to_ns = dj_checked_add_saturated(bundle->span.to_ns, by_ns);
    } else if (clock != 0) {
        bundle->span.known = false;
    }
}

struct packet {
    bool events, instant, stamped;
    uint64_t stamp, clock;
    struct bundle bundle;
    struct dj_str snapshot; /* The clock snapshot. `at` is NULL if there is none. */
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
    struct dj_proto_field clock = {0}, fields[3]; /* fields[1] is the id of a clock,
                                                   * and fields[2] is its time. */
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

struct cutter {
    const struct dj_capture_conversion *conversion;
    struct dj_capture_converted *converted;
    struct dj_str all;
    int64_t mono_ahead_ns; /* CLOCK_MONOTONIC − CLOCK_BOOTTIME. */
    int64_t first_ns;      /* Time of the first event in CLOCK_MONOTONIC, or INT64_MAX
                            * if unknown. */
    bool gap[CPUS];        /* For each CPU, true if a bundle was dropped since its last
                            * kept bundle. */
    struct dj_text out;
};

static bool read_next_packet(struct dj_proto_message *all, struct dj_proto_field *field)
{
    while (dj_proto_next(all, field)) {
        if (field->number == PACKET && field->wire == DJ_PROTO_BYTES) {
            return true;
        }
    }
    return false;
}

static bool find_clock(struct cutter *cutter)
{
    struct dj_proto_message all = dj_proto_open(cutter->all);
    struct dj_proto_field field = {0};
    struct packet packet;
    while (read_next_packet(&all, &field)) {
        read_packet(field.bytes, &packet);
        if (packet.snapshot.at != NULL &&
            read_snapshot(packet.snapshot, &cutter->mono_ahead_ns)) {
            return true;
        }
    }
    return false;
}

/* Returns the span of the packet's events in CLOCK_MONOTONIC. `known` is false for
 * packets that are always kept. */
static struct span get_time_span(const struct cutter *cutter, const struct packet *packet)
{
    struct span span = {.known = false};
    if (packet->events) {
        span = packet->bundle.span;
    } else if (packet->instant && packet->stamped &&
               (packet->clock == BOOTTIME || packet->clock == MONOTONIC)) {
        add_stamp(&span, packet->stamp);
    }
    if (packet->events || packet->clock == BOOTTIME) {
        span.from_ns = dj_checked_add_saturated(span.from_ns, cutter->mono_ahead_ns);
        span.to_ns = dj_checked_add_saturated(span.to_ns, cutter->mono_ahead_ns);
    }
    return span;
}

static int flush_output(struct cutter *cutter, struct dj_error *err)
{
    if (cutter->out.failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    int failure = dj_output_stream_write_all(
        cutter->conversion->output, dj_text_get(&cutter->out), cutter->out.length);
    dj_text_clear(&cutter->out);
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s",
                                       cutter->conversion->name, strerror(failure));
}

/* Writes a packet and sets the field lost_events in its bundle. The field is added at the
 * end of the bundle. If a bundle contains a field twice, the last value is valid. */
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

static void filter_packet(struct cutter *cutter, struct dj_str bytes)
{
    struct packet packet;
    read_packet(bytes, &packet);
    struct span span = get_time_span(cutter, &packet);
    uint64_t cpu = packet.events ? packet.bundle.cpu : CPUS;
    if (span.known && span.from_ns < cutter->first_ns) {
        cutter->first_ns = span.from_ns;
    }
    if (span.known &&
        !dj_janky_keep_overlaps(cutter->conversion->keep, span.from_ns, span.to_ns)) {
        cutter->converted->dropped++;
        if (cpu < CPUS) {
            cutter->gap[cpu] = true;
        }
        return;
    }
    cutter->converted->kept++;
    if (cpu < CPUS && cutter->gap[cpu]) {
        cutter->gap[cpu] = false;
        write_with_loss(&cutter->out, bytes);
    } else {
        dj_proto_add_bytes(&cutter->out, PACKET, bytes);
    }
}

static int cut_trace(struct cutter *cutter, struct dj_error *err)
{
    enum { PIECE = 1 << 20 };
    struct dj_proto_message all = dj_proto_open(cutter->all);
    struct dj_proto_field field = {0};
    int code = 0;
    if (!find_clock(cutter)) {
        return dj_error_set(err, DJ_E_NO_DATA,
                            "the trace does not contain how its clock relates to "
                            "the clock of frames");
    }
    while (code == 0 && read_next_packet(&all, &field)) {
        filter_packet(cutter, field.bytes);
        code = cutter->out.length > PIECE ? flush_output(cutter, err) : 0;
    }
    cutter->converted->too_old =
        dj_janky_keep_count_before(cutter->conversion->keep, cutter->first_ns);
    return code == 0 ? flush_output(cutter, err) : code;
}

int dj_conversion_cut_packets(const struct dj_capture_conversion *conversion,
                              struct dj_capture_converted *converted,
                              struct dj_error *err)
{
    struct dj_trace_file input;
    *converted = (struct dj_capture_converted){0};
    int code = dj_trace_file_open(conversion->input, &input, err);
    if (code != 0) {
        return code;
    }
    struct cutter cutter = {.conversion = conversion,
                            .converted = converted,
                            .first_ns = INT64_MAX,
                            .all = {(const char *)input.bytes, input.size}};
    code = cut_trace(&cutter, err);
    dj_text_finish(&cutter.out);
    dj_trace_file_close(&input);
    return code;
}
