/* Learns facts about the trace from packets: processes, threads, tracks, losses. */
#include "memory/memory.h"
#include "trace/perfetto_reader.h"

void dj_pf_tell(struct dj_pf_reader *reader, const struct dj_event *event)
{
    if (reader->code == 0) {
        reader->code = reader->sink.take(reader->sink.user, event);
    }
}

void dj_pf_hand_thread(struct dj_pf_reader *reader, int32_t tid, int32_t pid,
                       struct dj_str name, struct dj_str process)
{
    struct dj_event event = dj_event_of(DJ_EVENT_THREAD);
    event.other = tid;
    event.pid = pid > 0 ? pid : DJ_PID_UNKNOWN;
    event.other_name = name;
    event.name = process;
    if (tid > 0) {
        reader->told->listed++;
        dj_pf_tell(reader, &event);
    }
}

/* Stores a process. Its main thread gets the name of the process at the end, if nothing
 * else names it. */
static void keep_process(struct dj_pf_reader *reader, int32_t pid, struct dj_str name)
{
    if (pid > 0 && name.length > 0) {
        DJ_XPUSH(reader->processes, reader->process_count,
                 (struct dj_pf_process){pid, name});
    }
    dj_pf_hand_thread(reader, pid, pid, (struct dj_str){"", 0}, name);
}

/* ---- processes ---- */

/* Returns the first value of a repeated string. */
static struct dj_str first_of(struct dj_str bytes, uint32_t number)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_str first;
    return dj_pf_next_bytes(&message, number, &first) ? first : (struct dj_str){"", 0};
}

static void learn_process(struct dj_pf_reader *reader, struct dj_str bytes)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_PROCESS_IS_COMM);
    int32_t pid = dj_pf_id(&got[DJ_PF_PROCESS_PID]);
    struct dj_str name = first_of(bytes, DJ_PF_PROCESS_CMDLINE);
    if (dj_proto_int(&got[DJ_PF_PROCESS_IS_COMM]) != 0) {
        dj_pf_hand_thread(reader, pid, pid, name, (struct dj_str){"", 0});
    } else {
        keep_process(reader, pid, name);
    }
}

/* Field numbers of a thread's ids and name, in each kind of message. */
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

static void learn_thread(struct dj_pf_reader *reader, struct dj_str bytes,
                         const struct thread_fields *fields)
{
    enum { LAST = 7 };
    DJ_PF_FIELDS(got, bytes, LAST);
    dj_pf_hand_thread(reader, dj_pf_id(&got[fields->tid]), dj_pf_id(&got[fields->pid]),
                      dj_proto_bytes(&got[fields->name]), (struct dj_str){"", 0});
}

static void learn_tree(struct dj_pf_reader *reader, const struct dj_pf_packet *packet)
{
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_proto_field field = {0};
    bool generic = packet->kind == DJ_PF_PACKET_TASK_TREE;
    while (dj_proto_next(&message, &field)) {
        if (field.wire != DJ_PROTO_BYTES) {
            continue;
        }
        if (field.number == DJ_PF_TREE_PROCESS) {
            learn_process(reader, field.bytes);
        } else if (field.number == DJ_PF_TREE_THREAD) {
            learn_thread(reader, field.bytes, generic ? &of_task : &of_thread);
        }
    }
}

static void learn_process_descriptor(struct dj_pf_reader *reader, struct dj_str bytes)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_PROCESS_DESCRIPTOR_NAME);
    struct dj_str name = dj_proto_bytes(&got[DJ_PF_PROCESS_DESCRIPTOR_NAME]);
    keep_process(reader, dj_pf_id(&got[DJ_PF_PROCESS_DESCRIPTOR_PID]),
                 name.length > 0 ? name
                                 : first_of(bytes, DJ_PF_PROCESS_DESCRIPTOR_CMDLINE));
}

static void learn_descriptor(struct dj_pf_reader *reader,
                             const struct dj_pf_packet *packet)
{
    if (packet->kind == DJ_PF_PACKET_PROCESS_DESCRIPTOR) {
        learn_process_descriptor(reader, packet->body);
    } else {
        learn_thread(reader, packet->body, &of_descriptor);
    }
}

static void learn_track(struct dj_pf_reader *reader, const struct dj_pf_packet *packet)
{
    DJ_PF_FIELDS(got, packet->body, DJ_PF_TRACK_PROCESS);
    struct dj_event event;
    dj_pf_tracks_take(&reader->tracks, packet->body, &event);
    if (event.kind == DJ_EVENT_THREAD) {
        dj_pf_tell(reader, &event);
    }
    struct dj_str process = dj_proto_bytes(&got[DJ_PF_TRACK_PROCESS]);
    if (process.length > 0) {
        learn_process_descriptor(reader, process);
    }
}

/* ---- counters of the GPU ---- */

static void learn_gpu(struct dj_pf_reader *reader, const struct dj_pf_packet *packet)
{
    DJ_PF_FIELDS(got, packet->body, DJ_PF_GPU_DESCRIPTOR);
    struct dj_str spec;
    struct dj_proto_message message =
        dj_proto_open(dj_proto_bytes(&got[DJ_PF_GPU_DESCRIPTOR]));
    while (dj_pf_next_bytes(&message, DJ_PF_GPU_SPEC, &spec)) {
        dj_pf_texts_put(&reader->gpu, spec);
    }
}

/* ---- CPUs ---- */

static int64_t highest_of(struct dj_str core)
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

static void learn_cores(struct dj_pf_reader *reader, const struct dj_pf_packet *packet)
{
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_str core;
    for (size_t cpu = 0;
         cpu < DJ_TRACE_CORES && dj_pf_next_bytes(&message, DJ_PF_CORES_CORE, &core);
         cpu++) {
        reader->told->core_khz[cpu] = highest_of(core);
    }
}

/* ---- losses ---- */

/* Returns NULL if there is no such CPU. */
static struct dj_pf_cpu_lost *lost_of(struct dj_pf_reader *reader, int64_t cpu)
{
    if (cpu < 0 || cpu >= DJ_CPUS_MOST) {
        return NULL;
    }
    DJ_XEXTEND(reader->lost, reader->lost_count, (size_t)cpu + 1);
    return &reader->lost[cpu];
}

void dj_pf_count_lost(struct dj_pf_reader *reader, int32_t cpu)
{
    struct dj_pf_cpu_lost *lost = lost_of(reader, cpu);
    if (lost != NULL) {
        lost->reported++;
    }
}

/* Both counters start with the device, or with the creation of the buffer. */
static void learn_cpu_lost(struct dj_pf_reader *reader, struct dj_str bytes, bool end)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_CPU_STATS_DROPPED);
    struct dj_pf_cpu_lost *lost =
        lost_of(reader, dj_proto_int(&got[DJ_PF_CPU_STATS_CPU]));
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

static void learn_kernel_lost(struct dj_pf_reader *reader,
                              const struct dj_pf_packet *packet)
{
    DJ_PF_FIELDS(got, packet->body, DJ_PF_FTRACE_STATS_PHASE);
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_str cpu;
    bool end = dj_proto_int(&got[DJ_PF_FTRACE_STATS_PHASE]) == 2;
    while (dj_pf_next_bytes(&message, DJ_PF_FTRACE_STATS_CPU, &cpu)) {
        learn_cpu_lost(reader, cpu, end);
    }
}

static void learn_config(struct dj_pf_reader *reader, const struct dj_pf_packet *packet)
{
    DJ_PF_FIELDS(got, packet->body, DJ_PF_CONFIG_WRITE_INTO_FILE);
    reader->buffers.streamed |= dj_proto_int(&got[DJ_PF_CONFIG_WRITE_INTO_FILE]) != 0;
}

/* Counters of ring buffers include losses before the first packet that was kept. Counters
 * of full buffers include losses after the last packet. A full buffer refuses all
 * patches. */
static void learn_buffer(struct dj_pf_buffers_lost *lost, struct dj_str bytes)
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

static void learn_buffers_lost(struct dj_pf_reader *reader,
                               const struct dj_pf_packet *packet)
{
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_str buffer;
    reader->buffers = (struct dj_pf_buffers_lost){.streamed = reader->buffers.streamed};
    while (dj_pf_next_bytes(&message, DJ_PF_TRACE_STATS_BUFFER, &buffer)) {
        learn_buffer(&reader->buffers, buffer);
    }
}

bool dj_pf_begins_late(const struct dj_pf_reader *reader)
{
    return reader->buffers.overwritten > 0 && !reader->buffers.streamed;
}

/* ---- dispatch by kind ---- */

typedef void learn_packet(struct dj_pf_reader *reader, const struct dj_pf_packet *packet);

static learn_packet *const lessons[] = {
    [DJ_PF_PACKET_PROCESS_TREE] = learn_tree,
    [DJ_PF_PACKET_TRACE_CONFIG] = learn_config,
    [DJ_PF_PACKET_FTRACE_STATS] = learn_kernel_lost,
    [DJ_PF_PACKET_TRACE_STATS] = learn_buffers_lost,
    [DJ_PF_PACKET_PROCESS_DESCRIPTOR] = learn_descriptor,
    [DJ_PF_PACKET_THREAD_DESCRIPTOR] = learn_descriptor,
    [DJ_PF_PACKET_GPU_COUNTERS] = learn_gpu,
    [DJ_PF_PACKET_TRACK_DESCRIPTOR] = learn_track,
    [DJ_PF_PACKET_CPU_INFO] = learn_cores,
    [DJ_PF_PACKET_TASK_TREE] = learn_tree,
};

void dj_pf_learn(struct dj_pf_reader *reader, const struct dj_pf_packet *packet)
{
    if (packet->kind < COUNT_OF(lessons) && lessons[packet->kind] != NULL) {
        lessons[packet->kind](reader, packet);
    }
}

static const bool about_trace[] = {
    [0] = true, /* only a frame */
    [DJ_PF_PACKET_PROCESS_TREE] = true,
    [DJ_PF_PACKET_CLOCK_SNAPSHOT] = true,
    [DJ_PF_PACKET_TRACE_CONFIG] = true,
    [DJ_PF_PACKET_FTRACE_STATS] = true,
    [DJ_PF_PACKET_TRACE_STATS] = true,
    [36] = true, /* synchronization_marker */
    [DJ_PF_PACKET_PROCESS_DESCRIPTOR] = true,
    [DJ_PF_PACKET_THREAD_DESCRIPTOR] = true,
    [DJ_PF_PACKET_SYSTEM_INFO] = true,
    [47] = true, /* packages_list */
    [DJ_PF_PACKET_TRACK_DESCRIPTOR] = true,
    [DJ_PF_PACKET_CPU_INFO] = true,
    [69] = true, /* service_event */
    [89] = true, /* trace_uuid */
    [DJ_PF_PACKET_TASK_TREE] = true,
};

bool dj_pf_is_about_trace(uint32_t kind)
{
    return kind < sizeof(about_trace) && about_trace[kind];
}
