#include "trace/pftrace_writer.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/checked.h"
#include "base/hash.h"
#include "memory/memory.h"
#include "trace/pftrace/writer_private.h"

/* Id of the sequence to which all packets belong. */
enum { SEQUENCE = 1 };

/* If more bytes than this number wait to be written, the open bundle is closed. The bytes
 * can then be written. */
enum { BUNDLE_MOST = 1 << 16 };

/* Fields of SystemInfo and of its message Utsname. */
enum { INFO_UTSNAME = 1, UTSNAME_SYSTEM = 1, UTSNAME_RELEASE = 3 };

/* Mixes the bits of a number as SplitMix64 does. Each bit of the input affects all bits
 * of the result. */
uint64_t dj_pftrace_mix(uint64_t seed, uint64_t value)
{
    uint64_t hash = (seed ^ value) + UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}

uint64_t dj_pftrace_hash(uint64_t seed, struct dj_str words)
{
    return dj_pftrace_mix(seed, dj_hash_fnv(DJ_HASH_FNV, words.at, words.length));
}

void dj_pftrace_close_bundle(struct dj_trace_writer *writer)
{
    if (writer->bundled) {
        dj_pftrace_close_message(writer);
        writer->bundled = false;
    }
}

/* Writes a packet that reports a loss and clears the state of the sequence. After a loss,
 * readers ignore packets that need the state, until a packet clears the state. */
static void write_dropped(struct dj_trace_writer *writer)
{
    struct dj_text *text = &writer->out.text;
    size_t packet = dj_proto_begin(text, DJ_PF_TRACE_PACKET);
    dj_proto_add_uint(text, DJ_PF_PACKET_SEQUENCE_ID, SEQUENCE);
    dj_proto_add_uint(text, DJ_PF_PACKET_PREVIOUS_DROPPED, 1);
    dj_proto_add_uint(text, DJ_PF_PACKET_SEQUENCE_FLAGS, DJ_PF_FLAG_CLEARED);
    dj_proto_end(text, packet);
    memset(writer->symbols, 0, DJ_PF_SYMBOLS * sizeof(*writer->symbols));
    writer->dropped = false;
}

size_t dj_pftrace_open_packet(struct dj_trace_writer *writer)
{
    struct dj_text *text = &writer->out.text;
    dj_pftrace_close_bundle(writer);
    if (writer->dropped) {
        write_dropped(writer);
    }
    size_t packet = dj_proto_begin(text, DJ_PF_TRACE_PACKET);
    dj_proto_add_uint(text, DJ_PF_PACKET_SEQUENCE_ID, SEQUENCE);
    return packet;
}

size_t dj_pftrace_open_packet_at(struct dj_trace_writer *writer, int64_t at_ns)
{
    size_t packet = dj_pftrace_open_packet(writer);
    dj_proto_add_int(&writer->out.text, DJ_PF_PACKET_TIMESTAMP,
                     dj_checked_add_saturated(at_ns, writer->clocks.to_boot_ns));
    return packet;
}

void dj_pftrace_open_message(struct dj_trace_writer *writer, uint32_t field)
{
    writer->packet = dj_pftrace_open_packet(writer);
    writer->message = dj_proto_begin(&writer->out.text, field);
}

void dj_pftrace_open_message_at(struct dj_trace_writer *writer, int64_t at_ns,
                                uint32_t field)
{
    writer->packet = dj_pftrace_open_packet_at(writer, at_ns);
    writer->message = dj_proto_begin(&writer->out.text, field);
}

void dj_pftrace_close_message(struct dj_trace_writer *writer)
{
    dj_proto_end(&writer->out.text, writer->message);
    dj_proto_end(&writer->out.text, writer->packet);
}

/* Writes the kernel's release. Readers need it to interpret the bits of a task's state.
 * dejank writes the bits that kernels use from 4.14 on. */
static void write_system(struct dj_trace_writer *writer, const char *kernel)
{
    struct dj_text *text = &writer->out.text;
    size_t packet = dj_pftrace_open_packet(writer);
    dj_proto_add_uint(text, DJ_PF_PACKET_SEQUENCE_FLAGS, DJ_PF_FLAG_CLEARED);
    dj_proto_add_uint(text, DJ_PF_PACKET_FIRST_ON_SEQUENCE, 1);
    size_t info = dj_proto_begin(text, DJ_PF_PACKET_SYSTEM_INFO);
    size_t utsname = dj_proto_begin(text, INFO_UTSNAME);
    dj_proto_add_string(text, UTSNAME_SYSTEM, "Linux");
    dj_proto_add_string(text, UTSNAME_RELEASE,
                        kernel != NULL ? kernel : "4.14.0-unknown");
    dj_proto_end(text, utsname);
    dj_proto_end(text, info);
    dj_proto_end(text, packet);
}

static void write_clock(struct dj_text *text, uint64_t clock, int64_t at_ns)
{
    size_t opened = dj_proto_begin(text, DJ_PF_SNAPSHOT_CLOCK);
    dj_proto_add_uint(text, DJ_PF_CLOCK_ID, clock);
    dj_proto_add_int(text, DJ_PF_CLOCK_TIMESTAMP, at_ns);
    dj_proto_end(text, opened);
}

static void write_clocks(struct dj_trace_writer *writer, int64_t at_ns)
{
    struct dj_text *text = &writer->out.text;
    const struct dj_trace_clock_offsets *clocks = &writer->clocks;
    if (!clocks->mono && !clocks->realtime) {
        return;
    }
    dj_pftrace_open_message_at(writer, at_ns, DJ_PF_PACKET_CLOCK_SNAPSHOT);
    write_clock(text, DJ_PF_BOOTTIME,
                dj_checked_add_saturated(at_ns, clocks->to_boot_ns));
    if (clocks->mono) {
        write_clock(text, DJ_PF_MONOTONIC,
                    dj_checked_add_saturated(at_ns, clocks->to_mono_ns));
    }
    if (clocks->realtime) {
        write_clock(text, DJ_PF_REALTIME,
                    dj_checked_add_saturated(at_ns, clocks->to_realtime_ns));
    }
    dj_pftrace_close_message(writer);
}

static const struct {
    const char *name;
    uint8_t clock;
} clock_names[] = {
    {"mono", DJ_PF_MONOTONIC},
    {"realtime", DJ_PF_REALTIME},
    {"mono_raw", DJ_PF_MONOTONIC_RAW},
};

/* Writes the values of two clocks at the same moment, as a DJ_EVENT_CLOCK contains them.
 */
static void write_event_clock(struct dj_trace_writer *writer,
                              const struct dj_event *event)
{
    struct dj_text *text = &writer->out.text;
    /* other_name is the clock of the times in the trace. It is CLOCK_MONOTONIC here. */
    if (dj_str_is(event->other_name, "mono")) {
        writer->clocks.mono = true;
        writer->clocks.to_mono_ns = 0;
    }
    for (size_t i = 0; i < COUNT_OF(clock_names); i++) {
        if (dj_str_is(event->name, clock_names[i].name)) {
            dj_pftrace_open_message_at(writer, event->at_ns, DJ_PF_PACKET_CLOCK_SNAPSHOT);
            write_clock(
                text, DJ_PF_BOOTTIME,
                dj_checked_add_saturated(event->at_ns, writer->clocks.to_boot_ns));
            write_clock(text, clock_names[i].clock, event->value);
            dj_pftrace_close_message(writer);
        }
    }
}

typedef void write_function(struct dj_trace_writer *writer, const struct dj_event *event);

/* Functions for kinds of events that are written in the same way with and without a CPU.
 * Kinds that are in neither of the two tables are written as kernel events. */
static write_function *const writers[DJ_EVENT_KINDS] = {
    [DJ_EVENT_TASK] = dj_pftrace_write_task,
    [DJ_EVENT_FRAME_BEGIN] = dj_pftrace_write_frame,
    [DJ_EVENT_FRAME_END] = dj_pftrace_write_frame,
    [DJ_EVENT_THREAD] = dj_pftrace_write_thread,
    [DJ_EVENT_LOST] = dj_pftrace_write_loss,
    [DJ_EVENT_STACK] = dj_pftrace_write_stack,
};

/* Functions for kinds of events without a CPU. With a CPU, these kinds are written as
 * kernel events. */
static write_function *const writers_without_cpu[DJ_EVENT_KINDS] = {
    [DJ_EVENT_BEGIN] = dj_pftrace_write_section,
    [DJ_EVENT_END] = dj_pftrace_write_section,
    [DJ_EVENT_INSTANT] = dj_pftrace_write_section,
    [DJ_EVENT_ASYNC_BEGIN] = dj_pftrace_write_async,
    [DJ_EVENT_ASYNC_END] = dj_pftrace_write_async,
    [DJ_EVENT_COUNTER] = dj_pftrace_write_counter,
    [DJ_EVENT_CLOCK] = write_event_clock,
    [DJ_EVENT_RENAME] = dj_pftrace_write_rename,
};

static void start_trace(struct dj_trace_writer *writer)
{
    if (!writer->begun) {
        writer->begun = true;
        write_clocks(writer, writer->now_ns);
        dj_pftrace_write_waiting_threads(writer);
    }
}

static int write_event(void *user, const struct dj_event *event)
{
    struct dj_trace_writer *writer = user;
    if (event->kind >= DJ_EVENT_KINDS) {
        return 0;
    }
    if (dj_event_has_time(event)) {
        writer->now_ns = event->at_ns;
        start_trace(writer);
    }
    write_function *write_one = writers[event->kind];
    if (write_one == NULL && event->cpu < 0) {
        write_one = writers_without_cpu[event->kind];
    }
    (write_one != NULL ? write_one : dj_pftrace_write_kernel_event)(writer, event);
    if (writer->out.text.length >= BUNDLE_MOST) {
        dj_pftrace_close_bundle(writer);
    }
    return writer->bundled ? writer->code
                           : (writer->code = dj_file_output_write_if_large(&writer->out));
}

struct dj_event_sink dj_trace_writer_get_sink(struct dj_trace_writer *writer)
{
    return (struct dj_event_sink){write_event, writer};
}

void dj_trace_writer_name_process(struct dj_trace_writer *writer, int32_t pid,
                                  const char *name)
{
    dj_pftrace_write_process(writer, pid, dj_str_of(name));
}

uint64_t dj_trace_writer_get_bytes(const struct dj_trace_writer *writer)
{
    return writer->out.written + writer->out.text.length;
}

struct dj_trace_writer *dj_trace_writer_create(int fd, const char *name,
                                               const struct dj_trace_origin *origin)
{
    struct dj_trace_writer *writer = dj_xcalloc(1, sizeof(*writer));
    dj_file_output_init(&writer->out, fd, name);
    writer->clocks = origin->clocks;
    writer->threads = dj_xcalloc(DJ_PF_THREADS, sizeof(*writer->threads));
    writer->tracks = dj_xcalloc(DJ_PF_TRACKS, sizeof(*writer->tracks));
    writer->symbols = dj_xcalloc(DJ_PF_SYMBOLS, sizeof(*writer->symbols));
    write_system(writer, origin->kernel);
    return writer;
}

int dj_trace_writer_end(struct dj_trace_writer *writer, struct dj_error *err)
{
    start_trace(writer);
    dj_pftrace_write_loss_totals(writer);
    dj_pftrace_close_bundle(writer);
    if (writer->dropped) {
        write_dropped(writer);
    }
    return dj_file_output_flush(&writer->out, err);
}

void dj_trace_writer_destroy(struct dj_trace_writer *writer)
{
    if (writer == NULL) {
        return;
    }
    dj_file_output_finish(&writer->out);
    dj_text_finish(&writer->marker);
    dj_pftrace_finish_stacks(writer);
    free(writer->threads);
    free(writer->lost);
    free(writer->tracks);
    free(writer->symbols);
    free(writer);
}

static int64_t read_clock_ns(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Returns the value of a clock minus CLOCK_MONOTONIC in ns. Measures this difference
 * several times. Uses the measurement that took the least time. */
static int64_t measure_difference_ns(clockid_t clock)
{
    enum { TRIES = 5 };
    int64_t best_ns = INT64_MAX, difference = 0;
    for (int i = 0; i < TRIES; i++) {
        int64_t before_ns = read_clock_ns(CLOCK_MONOTONIC);
        int64_t there_ns = read_clock_ns(clock);
        int64_t duration_ns = read_clock_ns(CLOCK_MONOTONIC) - before_ns;
        if (duration_ns < best_ns) {
            best_ns = duration_ns;
            difference = there_ns - before_ns - duration_ns / 2;
        }
    }
    return difference;
}

void dj_trace_measure_clocks(struct dj_trace_clock_offsets *clocks)
{
    *clocks = (struct dj_trace_clock_offsets){
        .to_boot_ns = measure_difference_ns(CLOCK_BOOTTIME),
        .to_realtime_ns = measure_difference_ns(CLOCK_REALTIME),
        .mono = true,
        .realtime = true,
    };
}
