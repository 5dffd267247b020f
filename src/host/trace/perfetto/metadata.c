/* Reads packets that describe the trace: processes, threads, tracks and losses. */
#include "memory/memory.h"
#include "trace/perfetto/read_private.h"
#include "trace/perfetto/stack_fields.h"

void dj_perfetto_send_event(struct dj_perfetto_reader *reader,
                            const struct dj_event *event)
{
    if (reader->code == 0) {
        reader->code = reader->sink.take(reader->sink.user, event);
    }
}

void dj_perfetto_report_thread(struct dj_perfetto_reader *reader, int32_t tid,
                               int32_t pid, struct dj_str name, struct dj_str process)
{
    struct dj_event event = dj_event_make(DJ_EVENT_THREAD);
    event.other = tid;
    event.pid = pid > 0 ? pid : DJ_PID_UNKNOWN;
    event.other_name = name;
    event.name = process;
    if (tid > 0) {
        reader->summary->listed++;
        dj_perfetto_send_event(reader, &event);
    }
}

/* Stores a process and reports it. If nothing else names the main thread of the process,
 * dj_perfetto_report_end() gives this thread the name of the process. */
static void add_process(struct dj_perfetto_reader *reader, int32_t pid,
                        struct dj_str name)
{
    if (pid > 0 && name.length > 0) {
        DJ_XPUSH(reader->processes, reader->process_count,
                 (struct dj_perfetto_process){pid, name});
    }
    dj_perfetto_report_thread(reader, pid, pid, (struct dj_str){"", 0}, name);
}

/* Returns the first value of a repeated string field, or an empty string if there is
 * none. */
static struct dj_str read_first_string(struct dj_str bytes, uint32_t number)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_str first;
    return dj_perfetto_find_next_bytes(&message, number, &first) ? first
                                                                 : (struct dj_str){"", 0};
}

static void read_process(struct dj_perfetto_reader *reader, struct dj_str bytes)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_PROCESS_IS_COMM);
    int32_t pid = dj_perfetto_read_id(&got[DJ_PF_PROCESS_PID]);
    struct dj_str name = read_first_string(bytes, DJ_PF_PROCESS_CMDLINE);
    if (dj_proto_int(&got[DJ_PF_PROCESS_IS_COMM]) != 0) {
        dj_perfetto_report_thread(reader, pid, pid, name, (struct dj_str){"", 0});
    } else {
        add_process(reader, pid, name);
    }
}

/* Numbers of the fields that contain a thread's ids and name. Different messages have
 * different numbers. */
struct thread_fields {
    uint8_t tid, pid, name;
};

static const struct thread_fields of_thread = {DJ_PF_THREAD_TID, DJ_PF_THREAD_TGID,
                                               DJ_PF_THREAD_NAME};
static const struct thread_fields of_task = {DJ_PF_TASK_TREE_TID, DJ_PF_TASK_TREE_PID,
                                             DJ_PF_TASK_TREE_NAME};
static const struct thread_fields of_descriptor = {DJ_PF_THREAD_DESCRIPTOR_TID,
                                                   DJ_PF_THREAD_DESCRIPTOR_PID,
                                                   DJ_PF_THREAD_DESCRIPTOR_NAME};

static void read_thread(struct dj_perfetto_reader *reader, struct dj_str bytes,
                        const struct thread_fields *fields)
{
    enum { LAST = 7 };
    DJ_PF_FIELDS(got, bytes, LAST);
    dj_perfetto_report_thread(reader, dj_perfetto_read_id(&got[fields->tid]),
                              dj_perfetto_read_id(&got[fields->pid]),
                              dj_proto_bytes(&got[fields->name]), (struct dj_str){"", 0});
}

static void read_process_tree(struct dj_perfetto_reader *reader,
                              const struct dj_perfetto_packet *packet)
{
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_proto_field field = {0};
    bool generic = packet->kind == DJ_PF_PACKET_TASK_TREE;
    while (dj_proto_next(&message, &field)) {
        if (field.wire != DJ_PROTO_BYTES) {
            continue;
        }
        if (field.number == DJ_PF_TREE_PROCESS) {
            read_process(reader, field.bytes);
        } else if (field.number == DJ_PF_TREE_THREAD) {
            read_thread(reader, field.bytes, generic ? &of_task : &of_thread);
        }
    }
}

static void read_process_descriptor(struct dj_perfetto_reader *reader,
                                    struct dj_str bytes)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_PROCESS_DESCRIPTOR_NAME);
    struct dj_str name = dj_proto_bytes(&got[DJ_PF_PROCESS_DESCRIPTOR_NAME]);
    add_process(reader, dj_perfetto_read_id(&got[DJ_PF_PROCESS_DESCRIPTOR_PID]),
                name.length > 0
                    ? name
                    : read_first_string(bytes, DJ_PF_PROCESS_DESCRIPTOR_CMDLINE));
}

static void read_descriptor(struct dj_perfetto_reader *reader,
                            const struct dj_perfetto_packet *packet)
{
    if (packet->kind == DJ_PF_PACKET_PROCESS_DESCRIPTOR) {
        read_process_descriptor(reader, packet->body);
    } else {
        read_thread(reader, packet->body, &of_descriptor);
    }
}

static void read_track(struct dj_perfetto_reader *reader,
                       const struct dj_perfetto_packet *packet)
{
    DJ_PF_FIELDS(got, packet->body, DJ_PF_TRACK_PROCESS);
    struct dj_event event;
    dj_perfetto_tracks_add_descriptor(&reader->tracks, packet->body, &event);
    if (event.kind == DJ_EVENT_THREAD) {
        dj_perfetto_send_event(reader, &event);
    }
    struct dj_str process = dj_proto_bytes(&got[DJ_PF_TRACK_PROCESS]);
    if (process.length > 0) {
        read_process_descriptor(reader, process);
    }
}

static void read_gpu_counters(struct dj_perfetto_reader *reader,
                              const struct dj_perfetto_packet *packet)
{
    DJ_PF_FIELDS(got, packet->body, DJ_PF_GPU_DESCRIPTOR);
    struct dj_str spec;
    struct dj_proto_message message =
        dj_proto_open(dj_proto_bytes(&got[DJ_PF_GPU_DESCRIPTOR]));
    while (dj_perfetto_find_next_bytes(&message, DJ_PF_GPU_SPEC, &spec)) {
        dj_perfetto_texts_add(&reader->gpu, spec);
    }
}

static int64_t find_highest(struct dj_str core)
{
    struct dj_proto_message message = dj_proto_open(core);
    struct dj_proto_field field = {0};
    int64_t highest = 0;
    while (dj_proto_next(&message, &field)) {
        bool khz = field.number == DJ_PF_CORE_FREQUENCIES &&
                   field.wire == DJ_PROTO_VARINT && field.value <= INT32_MAX;
        highest = khz && (int64_t)field.value > highest ? (int64_t)field.value : highest;
    }
    return highest;
}

static void read_cpu_info(struct dj_perfetto_reader *reader,
                          const struct dj_perfetto_packet *packet)
{
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_str core;
    for (size_t cpu = 0; cpu < DJ_TRACE_CPUS &&
                         dj_perfetto_find_next_bytes(&message, DJ_PF_CORES_CORE, &core);
         cpu++) {
        reader->summary->core_khz[cpu] = find_highest(core);
    }
}

static void read_symbols(struct dj_perfetto_reader *reader,
                         const struct dj_perfetto_packet *packet)
{
    dj_perfetto_symbols_add(&reader->symbols, packet->body);
}

/* Returns the loss counters of a CPU, or NULL if the number of the CPU is invalid. */
static struct dj_perfetto_cpu_lost *get_cpu_losses(struct dj_perfetto_reader *reader,
                                                   int64_t cpu)
{
    if (cpu < 0 || cpu >= DJ_CPUS_MAX) {
        return NULL;
    }
    DJ_XEXTEND(reader->lost, reader->lost_count, (size_t)cpu + 1);
    return &reader->lost[cpu];
}

void dj_perfetto_count_loss(struct dj_perfetto_reader *reader, int32_t cpu)
{
    struct dj_perfetto_cpu_lost *lost = get_cpu_losses(reader, cpu);
    if (lost != NULL) {
        lost->reported++;
    }
}

/* Reads the kernel's loss counters of a CPU. They count from the boot of the device or
 * from the creation of the buffer. Therefore only the difference between the start and
 * the end of the trace is used. */
static void read_cpu_stats(struct dj_perfetto_reader *reader, struct dj_str bytes,
                           bool end)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_CPU_STATS_DROPPED);
    struct dj_perfetto_cpu_lost *lost =
        get_cpu_losses(reader, dj_proto_int(&got[DJ_PF_CPU_STATS_CPU]));
    uint64_t count = (uint64_t)dj_proto_int(&got[DJ_PF_CPU_STATS_OVERRUN]) +
                     (uint64_t)dj_proto_int(&got[DJ_PF_CPU_STATS_COMMIT_OVERRUN]) +
                     (uint64_t)dj_proto_int(&got[DJ_PF_CPU_STATS_DROPPED]);
    if (lost != NULL && end) {
        lost->after = count;
    } else if (lost != NULL && !lost->counted) {
        lost->before = count;
        lost->counted = true;
    }
}

static void read_ftrace_stats(struct dj_perfetto_reader *reader,
                              const struct dj_perfetto_packet *packet)
{
    DJ_PF_FIELDS(got, packet->body, DJ_PF_FTRACE_STATS_PHASE);
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_str cpu;
    bool end = dj_proto_int(&got[DJ_PF_FTRACE_STATS_PHASE]) == 2;
    while (dj_perfetto_find_next_bytes(&message, DJ_PF_FTRACE_STATS_CPU, &cpu)) {
        read_cpu_stats(reader, cpu, end);
    }
}

static void read_config(struct dj_perfetto_reader *reader,
                        const struct dj_perfetto_packet *packet)
{
    DJ_PF_FIELDS(got, packet->body, DJ_PF_CONFIG_WRITE_INTO_FILE);
    reader->buffers.streamed |= dj_proto_int(&got[DJ_PF_CONFIG_WRITE_INTO_FILE]) != 0;
}

/* Reads the loss counters of a buffer. If newer packets have overwritten the start of a
 * ring buffer, its counters include losses before the first remaining packet. The
 * counters of a full buffer include losses after its last packet. A full buffer rejects
 * all patches, so rejected patches of a full buffer are not counted as losses. */
static void read_buffer(struct dj_perfetto_buffers_lost *lost, struct dj_str bytes)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_BUFFER_PACKET_LOSS);
    uint64_t overwritten = (uint64_t)dj_proto_int(&got[DJ_PF_BUFFER_CHUNKS_OVERWRITTEN]);
    uint64_t discarded = (uint64_t)dj_proto_int(&got[DJ_PF_BUFFER_CHUNKS_DISCARDED]);
    uint64_t count = (uint64_t)dj_proto_int(&got[DJ_PF_BUFFER_PACKET_LOSS]) +
                     (uint64_t)dj_proto_int(&got[DJ_PF_BUFFER_ABI_VIOLATIONS]);
    if (discarded == 0) {
        count += (uint64_t)dj_proto_int(&got[DJ_PF_BUFFER_PATCHES_FAILED]);
    }
    lost->overwritten += overwritten;
    lost->discarded += discarded;
    *(overwritten + discarded == 0 ? &lost->inside : &lost->unsure) += count;
}

static void read_trace_stats(struct dj_perfetto_reader *reader,
                             const struct dj_perfetto_packet *packet)
{
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_str buffer;
    reader->buffers =
        (struct dj_perfetto_buffers_lost){.streamed = reader->buffers.streamed};
    while (dj_perfetto_find_next_bytes(&message, DJ_PF_TRACE_STATS_BUFFER, &buffer)) {
        read_buffer(&reader->buffers, buffer);
    }
}

bool dj_perfetto_begins_late(const struct dj_perfetto_reader *reader)
{
    return reader->buffers.overwritten > 0 && !reader->buffers.streamed;
}

typedef void read_packet(struct dj_perfetto_reader *reader,
                         const struct dj_perfetto_packet *packet);

static read_packet *const packet_readers[] = {
    [DJ_PF_PACKET_PROCESS_TREE] = read_process_tree,
    [DJ_PF_PACKET_TRACE_CONFIG] = read_config,
    [DJ_PF_PACKET_FTRACE_STATS] = read_ftrace_stats,
    [DJ_PF_PACKET_TRACE_STATS] = read_trace_stats,
    [DJ_PF_PACKET_PROCESS_DESCRIPTOR] = read_descriptor,
    [DJ_PF_PACKET_THREAD_DESCRIPTOR] = read_descriptor,
    [DJ_PF_PACKET_GPU_COUNTERS] = read_gpu_counters,
    [DJ_PF_PACKET_TRACK_DESCRIPTOR] = read_track,
    [DJ_PF_PACKET_MODULE_SYMBOLS] = read_symbols,
    [DJ_PF_PACKET_CPU_INFO] = read_cpu_info,
    [DJ_PF_PACKET_TASK_TREE] = read_process_tree,
};

void dj_perfetto_read_metadata(struct dj_perfetto_reader *reader,
                               const struct dj_perfetto_packet *packet)
{
    if (packet->kind < COUNT_OF(packet_readers) && packet_readers[packet->kind] != NULL) {
        packet_readers[packet->kind](reader, packet);
    }
}

static const bool about_trace[] = {
    [0] = true, /* A packet that contains no main message. */
    [DJ_PF_PACKET_PROCESS_TREE] = true,
    [DJ_PF_PACKET_CLOCK_SNAPSHOT] = true,
    [DJ_PF_PACKET_TRACE_CONFIG] = true,
    [DJ_PF_PACKET_FTRACE_STATS] = true,
    [DJ_PF_PACKET_TRACE_STATS] = true,
    [36] = true, /* Field synchronization_marker. */
    [DJ_PF_PACKET_PROCESS_DESCRIPTOR] = true,
    [DJ_PF_PACKET_THREAD_DESCRIPTOR] = true,
    [DJ_PF_PACKET_SYSTEM_INFO] = true,
    [47] = true, /* Field packages_list. */
    [DJ_PF_PACKET_TRACK_DESCRIPTOR] = true,
    [DJ_PF_PACKET_MODULE_SYMBOLS] = true,
    [DJ_PF_PACKET_CPU_INFO] = true,
    [69] = true, /* Field service_event. */
    [89] = true, /* Field trace_uuid. */
    [DJ_PF_PACKET_TASK_TREE] = true,
};

bool dj_perfetto_is_metadata_packet(uint32_t kind)
{
    return kind < sizeof(about_trace) && about_trace[kind];
}
