/* Reads sampled stacks: PerfSample and StackSample. */
#include <stdlib.h>

#include "memory/memory.h"
#include "trace/perfetto/read_private.h"
#include "trace/perfetto/stack_fields.h"
#include "trace/perfetto/stacks/entries.h"

/* Longest time that a sample may represent. */
static const int64_t LONGEST_NS = INT64_C(10000000000);

/* Appends the parts of the path, such as "system", "lib64" and "libc.so". Some producers
 * write the whole path as one part. */
static void add_path(const struct dj_perfetto_entries *entries, struct dj_str mapping,
                     struct dj_text *path)
{
    struct dj_proto_message message = dj_proto_open(mapping);
    struct dj_proto_field field = {0};
    while (dj_proto_next(&message, &field)) {
        if (field.number == DJ_PF_MAPPING_PATH && field.wire == DJ_PROTO_VARINT) {
            struct dj_str part =
                dj_perfetto_entries_find_text(entries, DJ_PF_ENTRY_PATH, field.value);
            bool separate = part.length > 0 && part.at[0] != '/' && part.at[0] != '[';
            dj_text_add(path, separate ? "/" : "");
            dj_text_append(path, part.at, part.length);
        }
    }
}

/* Decodes a mapping and adds it to the reader's stacks. Returns its number plus 1, or 0
 * if there is no such entry. */
static uint32_t decode_mapping(struct dj_perfetto_reader *reader,
                               struct dj_perfetto_entries *entries, uint64_t iid)
{
    struct dj_str bytes;
    size_t known = dj_map_get(&entries->mappings, iid);
    if (known != DJ_MAP_NONE) {
        return (uint32_t)known;
    }
    if (!dj_perfetto_entries_find(entries, DJ_PF_ENTRY_MAPPING, iid, &bytes)) {
        reader->summary->damaged += iid != 0;
        return 0;
    }
    struct dj_text path = {0};
    DJ_PF_FIELDS(got, bytes, DJ_PF_MAPPING_EXACT_OFFSET);
    add_path(entries, bytes, &path);
    const struct dj_event_mapping mapping = {
        .path = dj_text_str(&path),
        .build_id = dj_perfetto_entries_find_text(
            entries, DJ_PF_ENTRY_BUILD_ID,
            (uint64_t)dj_proto_int(&got[DJ_PF_MAPPING_BUILD_ID])),
        .start = (uint64_t)dj_proto_int(&got[DJ_PF_MAPPING_START]),
        .end = (uint64_t)dj_proto_int(&got[DJ_PF_MAPPING_END]),
        .offset = (uint64_t)dj_proto_int(&got[DJ_PF_MAPPING_EXACT_OFFSET]),
        .load_bias = (uint64_t)dj_proto_int(&got[DJ_PF_MAPPING_LOAD_BIAS])};
    uint32_t number = dj_perfetto_stacks_add_mapping(&reader->stacks, &mapping);
    dj_xcheck(dj_map_set(&entries->mappings, iid, number));
    dj_text_finish(&path);
    return number;
}

/* Adds the functions that ModuleSymbols names at this address to the stack `caller`, and
 * returns the new stack. Returns `caller` if ModuleSymbols has no name for the
 * address. */
static uint32_t add_symbols(struct dj_perfetto_reader *reader, uint32_t caller,
                            uint32_t mapping, uint64_t address)
{
    struct dj_perfetto_line lines[DJ_PF_INLINED_MAX];
    const struct dj_event_mapping *in =
        mapping > 0 ? reader->stacks.mappings[mapping - 1] : NULL;
    size_t count = dj_perfetto_symbols_find(&reader->symbols, in, address, lines);
    for (size_t i = 0; i < count; i++) {
        const struct dj_event_call call = {.address = address,
                                           .function = lines[i].function,
                                           .file = lines[i].file,
                                           .line = lines[i].line,
                                           .is_symbolized = true};
        caller = dj_perfetto_stacks_add(
            &reader->stacks, caller,
            dj_perfetto_stacks_add_call(&reader->stacks, mapping, &call));
    }
    return caller;
}

/* Adds a frame to the stack `caller`. Ignores a frame without an entry. A frame with
 * names from ModuleSymbols may become several calls because of inlining, so only the call
 * of a frame without such names is stored for reuse. */
static uint32_t add_frame(struct dj_perfetto_reader *reader,
                          struct dj_perfetto_entries *entries, uint32_t caller,
                          uint64_t iid)
{
    struct dj_str frame;
    size_t known = dj_map_get(&entries->frames, iid);
    if (known != DJ_MAP_NONE) {
        return dj_perfetto_stacks_add(&reader->stacks, caller, (uint32_t)known);
    }
    if (!dj_perfetto_entries_find(entries, DJ_PF_ENTRY_FRAME, iid, &frame)) {
        reader->summary->damaged++;
        return caller;
    }
    DJ_PF_FIELDS(got, frame, DJ_PF_FRAME_ADDRESS);
    uint64_t address = (uint64_t)dj_proto_int(&got[DJ_PF_FRAME_ADDRESS]);
    uint32_t mapping = decode_mapping(reader, entries,
                                      (uint64_t)dj_proto_int(&got[DJ_PF_FRAME_MAPPING]));
    uint32_t stack = add_symbols(reader, caller, mapping, address);
    if (stack != caller) {
        return stack;
    }
    const struct dj_event_call call = {
        .address = address,
        .function = dj_perfetto_entries_find_text(
            entries, DJ_PF_ENTRY_FUNCTION,
            (uint64_t)dj_proto_int(&got[DJ_PF_FRAME_FUNCTION]))};
    uint32_t number = dj_perfetto_stacks_add_call(&reader->stacks, mapping, &call);
    dj_xcheck(dj_map_set(&entries->frames, iid, number));
    return dj_perfetto_stacks_add(&reader->stacks, caller, number);
}

/* Decodes a Callstack and returns the number of its stack. The list of frames may be a
 * packed array. */
static uint32_t decode_callstack(struct dj_perfetto_reader *reader,
                                 struct dj_perfetto_entries *entries,
                                 struct dj_str callstack)
{
    struct dj_proto_message message = dj_proto_open(callstack);
    struct dj_proto_field field = {0};
    uint32_t stack = DJ_PF_NO_STACK;
    while (dj_proto_next(&message, &field)) {
        if (field.number != DJ_PF_CALLSTACK_FRAMES || entries == NULL) {
            continue;
        }
        if (field.wire == DJ_PROTO_VARINT) {
            stack = add_frame(reader, entries, stack, field.value);
        } else if (field.wire == DJ_PROTO_BYTES) {
            struct dj_proto_message packed = dj_proto_open(field.bytes);
            uint64_t iid;
            while (dj_proto_varint(&packed, &iid)) {
                stack = add_frame(reader, entries, stack, iid);
            }
        }
    }
    return stack;
}

static uint32_t find_callstack(struct dj_perfetto_reader *reader,
                               struct dj_perfetto_entries *entries, uint64_t iid)
{
    struct dj_str callstack;
    size_t known = entries == NULL ? DJ_MAP_NONE : dj_map_get(&entries->callstacks, iid);
    if (iid == 0 || known != DJ_MAP_NONE) {
        return iid == 0 ? DJ_PF_NO_STACK : (uint32_t)known;
    }
    if (!dj_perfetto_entries_find(entries, DJ_PF_ENTRY_CALLSTACK, iid, &callstack)) {
        reader->summary->damaged++;
        return DJ_PF_NO_STACK;
    }
    uint32_t stack = decode_callstack(reader, entries, callstack);
    dj_xcheck(dj_map_set(&entries->callstacks, iid, stack));
    return stack;
}

/* The time between samples, according to PerfSampleDefaults. */
struct timebase {
    int64_t interval_ns; /* Time between two samples, or 0 if unknown. */
    enum dj_stack_source source;
};

static struct timebase read_timebase(struct dj_str defaults)
{
    enum { RAW_EVENT = DJ_PF_TIMEBASE_COUNTER + 1 };
    struct timebase timebase = {0, DJ_STACK_CPU};
    DJ_PF_FIELDS(got, defaults, DJ_PF_PERF_DEFAULTS_TIMEBASE);
    DJ_PF_FIELDS(base, dj_proto_bytes(&got[DJ_PF_PERF_DEFAULTS_TIMEBASE]), RAW_EVENT);
    int64_t frequency_hz = dj_proto_int(&base[DJ_PF_TIMEBASE_FREQUENCY]);
    int64_t period = dj_proto_int(&base[DJ_PF_TIMEBASE_PERIOD]);
    int64_t counter = dj_proto_int(&base[DJ_PF_TIMEBASE_COUNTER]);
    if (base[DJ_PF_TIMEBASE_TRACEPOINT].number != 0) {
        DJ_PF_FIELDS(in, dj_proto_bytes(&base[DJ_PF_TIMEBASE_TRACEPOINT]),
                     DJ_PF_TRACEPOINT_NAME);
        struct dj_str name = dj_proto_bytes(&in[DJ_PF_TRACEPOINT_NAME]);
        timebase.source =
            dj_str_ends(name, "sched_switch") ? DJ_STACK_WAIT : DJ_STACK_CPU;
        return timebase;
    }
    /* If the timebase names no event, it is the CPU clock. The period of any other event
     * is not a time. */
    bool is_clock = base[RAW_EVENT].number == 0 &&
                    (counter == 0 || counter == DJ_PF_COUNTER_CPU_CLOCK ||
                     counter == DJ_PF_COUNTER_TASK_CLOCK);
    if (frequency_hz > 0) {
        timebase.interval_ns = 1000000000 / frequency_hz;
    } else if (is_clock && period > 0 && period <= LONGEST_NS) {
        timebase.interval_ns = period;
    }
    return timebase;
}

static int16_t read_cpu(const struct dj_proto_field *field)
{
    int64_t cpu = field->number != 0 ? dj_proto_int(field) : -1;
    return cpu >= 0 && cpu <= INT16_MAX ? (int16_t)cpu : -1;
}

/* Returns how the unwinding ended: a value of enum dj_stack_end. */
static uint8_t read_end(const struct dj_proto_field *error)
{
    bool complete = error->number == 0 || dj_proto_int(error) == DJ_PF_UNWIND_NONE;
    return complete                                          ? DJ_STACK_COMPLETE
           : dj_proto_int(error) == DJ_PF_UNWIND_UNSUPPORTED ? DJ_STACK_GUESSED
                                                             : DJ_STACK_INCOMPLETE;
}

static void read_perf_sample(struct dj_perfetto_reader *reader,
                             struct dj_perfetto_sequence *sequence, struct dj_str body,
                             struct dj_perfetto_item *item)
{
    DJ_PF_FIELDS(got, body, DJ_PF_SAMPLE_SKIPPED);
    struct timebase timebase = read_timebase(sequence->sample_defaults);
    int64_t lost = dj_proto_int(&got[DJ_PF_SAMPLE_RECORDS_LOST]);
    item->value = timebase.interval_ns;
    item->sample.source = (uint8_t)(timebase.source & 3);
    item->sample.cpu = read_cpu(&got[DJ_PF_SAMPLE_CPU]);
    if (lost > 0) {
        item->sample.lost = true;
        item->sample.stack = (uint32_t)reader->stacks.lost_count;
        DJ_XPUSH(reader->stacks.lost, reader->stacks.lost_count, (uint64_t)lost);
        return;
    }
    item->sample.pid = dj_perfetto_read_id(&got[DJ_PF_SAMPLE_PID]);
    item->sample.tid = dj_perfetto_read_id(&got[DJ_PF_SAMPLE_TID]);
    item->sample.in_kernel = dj_proto_int(&got[DJ_PF_SAMPLE_MODE]) == DJ_PF_MODE_KERNEL;
    item->sample.stack = find_callstack(
        reader, sequence->stacks, (uint64_t)dj_proto_int(&got[DJ_PF_SAMPLE_CALLSTACK]));
    item->sample.end = read_end(&got[DJ_PF_SAMPLE_UNWIND_ERROR]) & 3U;
}

/* Returns the time in ns that a StackSample represents, or 0 if it is measured in
 * another unit. A sample without a descriptor is measured in ns. */
static int64_t read_weight(const struct dj_perfetto_entries *entries,
                           const struct dj_proto_field *got)
{
    struct dj_str descriptor = dj_proto_bytes(&got[DJ_PF_STACK_SAMPLE_COUNTER]);
    uint64_t iid = (uint64_t)dj_proto_int(&got[DJ_PF_STACK_SAMPLE_COUNTER_IID]);
    int64_t weight = dj_proto_int(&got[DJ_PF_STACK_SAMPLE_WEIGHT]);
    int64_t factor = 1;
    if (descriptor.length > 0 ||
        dj_perfetto_entries_find(entries, DJ_PF_ENTRY_COUNTER, iid, &descriptor)) {
        DJ_PF_FIELDS(in, descriptor, DJ_PF_DESCRIPTOR_MULTIPLIER);
        int64_t unit = dj_proto_int(&in[DJ_PF_DESCRIPTOR_UNIT]);
        int64_t multiplier = dj_proto_int(&in[DJ_PF_DESCRIPTOR_MULTIPLIER]);
        factor = unit != DJ_PF_UNIT_NANOSECONDS ? 0 : multiplier > 0 ? multiplier : 1;
    }
    return factor > 0 && weight > 0 && weight <= LONGEST_NS / factor ? weight * factor
                                                                     : 0;
}

static void read_stack_sample(struct dj_perfetto_reader *reader,
                              struct dj_perfetto_sequence *sequence, struct dj_str body,
                              struct dj_perfetto_item *item)
{
    DJ_PF_FIELDS(got, body, DJ_PF_STACK_SAMPLE_WEIGHT);
    struct dj_str task = dj_proto_bytes(&got[DJ_PF_STACK_SAMPLE_TASK]);
    if (got[DJ_PF_STACK_SAMPLE_TASK_IID].number != 0) {
        dj_perfetto_entries_find(
            sequence->stacks, DJ_PF_ENTRY_TASK,
            (uint64_t)dj_proto_int(&got[DJ_PF_STACK_SAMPLE_TASK_IID]), &task);
    }
    DJ_PF_FIELDS(in, task, DJ_PF_TASK_CONTEXT_TID);
    bool incomplete = got[DJ_PF_STACK_SAMPLE_ERROR].number != 0 ||
                      got[DJ_PF_STACK_SAMPLE_ERROR_IID].number != 0;
    item->value = read_weight(sequence->stacks, got);
    item->sample.cpu = -1;
    item->sample.pid = dj_perfetto_read_id(&in[DJ_PF_TASK_CONTEXT_PID]);
    item->sample.tid = dj_perfetto_read_id(&in[DJ_PF_TASK_CONTEXT_TID]);
    item->sample.end = incomplete ? DJ_STACK_INCOMPLETE : DJ_STACK_COMPLETE;
    item->sample.stack = decode_callstack(
        reader, sequence->stacks, dj_proto_bytes(&got[DJ_PF_STACK_SAMPLE_CALLSTACK]));
}

void dj_perfetto_read_sample(struct dj_perfetto_reader *reader,
                             struct dj_perfetto_sequence *sequence,
                             const struct dj_perfetto_packet *packet, int64_t at_ns)
{
    struct dj_perfetto_item item = {
        .at_ns = at_ns, .track = DJ_PF_NO_TRACK, .kind = DJ_EVENT_STACK};
    item.sample.stack = DJ_PF_NO_STACK;
    (packet->kind == DJ_PF_PACKET_PERF_SAMPLE ? read_perf_sample : read_stack_sample)(
        reader, sequence, packet->body, &item);
    dj_perfetto_run_add(reader->run, &item);
}
