/* Writes sampled call stacks. Stacks of each source are on a sequence of their own. Their
 * functions, files, frames and stacks are written once, and get ids. */
#include "base/checked.h"
#include "memory/memory.h"
#include "trace/perfetto/stack_fields.h"
#include "trace/pftrace/writer_private.h"

/* Id of the first sequence of stacks. */
enum { FIRST_SEQUENCE = 2 };

/* If the tables of a sequence have more entries than this, they are cleared, so that the
 * memory use does not grow with the trace. */
enum { ENTRIES_MOST = 1 << 18 };

static size_t open_packet(struct dj_trace_writer *writer, uint32_t sequence,
                          uint32_t flags)
{
    struct dj_text *text = &writer->out.text;
    size_t packet = dj_proto_begin(text, DJ_PF_TRACE_PACKET);
    dj_proto_add_uint(text, DJ_PF_PACKET_SEQUENCE_ID, sequence);
    dj_proto_add_uint(text, DJ_PF_PACKET_SEQUENCE_FLAGS, flags);
    return packet;
}

static void write_timebase(struct dj_text *text, int source, int64_t interval_ns)
{
    size_t timebase = dj_proto_begin(text, DJ_PF_PERF_DEFAULTS_TIMEBASE);
    if (source == DJ_STACK_WAIT) {
        dj_proto_add_uint(text, DJ_PF_TIMEBASE_PERIOD, 1);
        size_t tracepoint = dj_proto_begin(text, DJ_PF_TIMEBASE_TRACEPOINT);
        dj_proto_add_string(text, DJ_PF_TRACEPOINT_NAME, "sched:sched_switch");
        dj_proto_end(text, tracepoint);
    } else {
        dj_proto_add_int(text, DJ_PF_TIMEBASE_PERIOD, interval_ns);
        dj_proto_add_uint(text, DJ_PF_TIMEBASE_COUNTER, DJ_PF_COUNTER_CPU_CLOCK);
    }
    dj_proto_end(text, timebase);
}

/* Starts the packet sequence of the call stacks of one source. If the sequence was
 * started before, starts it again: its tables of written names and stacks are then
 * empty. */
static void start_sequence(struct dj_trace_writer *writer, int source,
                           int64_t interval_ns)
{
    struct dj_text *text = &writer->out.text;
    struct dj_pftrace_stacks *stacks = &writer->stacks[source];
    for (size_t i = 0; i < DJ_PF_STACK_TABLES; i++) {
        dj_map_clear(&stacks->tables[i]);
    }
    size_t packet =
        open_packet(writer, FIRST_SEQUENCE + (uint32_t)source, DJ_PF_FLAG_CLEARED);
    if (!stacks->begun) {
        dj_proto_add_uint(text, DJ_PF_PACKET_FIRST_ON_SEQUENCE, 1);
    }
    size_t defaults = dj_proto_begin(text, DJ_PF_PACKET_DEFAULTS);
    size_t perf = dj_proto_begin(text, DJ_PF_DEFAULTS_PERF_SAMPLE);
    write_timebase(text, source, interval_ns);
    dj_proto_end(text, perf);
    dj_proto_end(text, defaults);
    dj_proto_end(text, packet);
    stacks->begun = true;
    stacks->entries = 0;
    stacks->interval_ns = interval_ns;
}

/* Returns the id of the entry with this hash. Sets *is_new to true if the entry must be
 * written. Two different entries have the same hash with a probability below 1e-8. */
static uint64_t find_entry(struct dj_pftrace_stacks *stacks,
                           enum dj_pftrace_stack_table table, uint64_t hash, bool *is_new)
{
    struct dj_map *map = &stacks->tables[table];
    size_t id = dj_map_get(map, hash);
    *is_new = id == DJ_MAP_NONE;
    if (*is_new) {
        id = map->count + 1;
        dj_xcheck(dj_map_set(map, hash, id));
        stacks->entries++;
    }
    return id;
}

/* Returns the id of a text, or 0 if the text is empty. */
static uint64_t intern_text(struct dj_pftrace_stacks *stacks,
                            enum dj_pftrace_stack_table table, struct dj_str words)
{
    static const struct {
        uint32_t field;
        bool is_binary;
    } kinds[] = {
        [DJ_PF_FUNCTIONS] = {DJ_PF_INTERNED_FUNCTIONS, false},
        [DJ_PF_PATHS] = {DJ_PF_INTERNED_PATHS, false},
        [DJ_PF_BUILD_IDS] = {DJ_PF_INTERNED_BUILD_IDS, true},
    };
    struct dj_text *text = &stacks->interned;
    bool is_new;
    if (words.length == 0) {
        return 0;
    }
    uint64_t id = find_entry(stacks, table, dj_pftrace_hash(table, words), &is_new);
    if (is_new) {
        size_t entry = dj_proto_begin(text, kinds[table].field);
        dj_proto_add_uint(text, DJ_PF_INTERNED_IID, id);
        (kinds[table].is_binary ? dj_proto_add_bytes
                                : dj_proto_add_text)(text, DJ_PF_INTERNED_NAME, words);
        dj_proto_end(text, entry);
    }
    return id;
}

static uint64_t hash_numbers(const uint64_t *numbers, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) {
        hash = dj_pftrace_mix(hash, numbers[i]);
    }
    return hash;
}

static uint64_t intern_mapping(struct dj_pftrace_stacks *stacks,
                               const struct dj_event_mapping *mapping)
{
    struct dj_text *text = &stacks->interned;
    uint64_t path = intern_text(stacks, DJ_PF_PATHS, mapping->path);
    uint64_t build_id = intern_text(stacks, DJ_PF_BUILD_IDS, mapping->build_id);
    const uint64_t key[] = {path,         build_id,        mapping->start,
                            mapping->end, mapping->offset, mapping->load_bias};
    bool is_new;
    uint64_t id =
        find_entry(stacks, DJ_PF_MAPPINGS, hash_numbers(key, COUNT_OF(key)), &is_new);
    if (is_new) {
        size_t entry = dj_proto_begin(text, DJ_PF_INTERNED_MAPPINGS);
        dj_proto_add_uint(text, DJ_PF_INTERNED_IID, id);
        if (build_id != 0) {
            dj_proto_add_uint(text, DJ_PF_MAPPING_BUILD_ID, build_id);
        }
        dj_proto_add_uint(text, DJ_PF_MAPPING_START, mapping->start);
        dj_proto_add_uint(text, DJ_PF_MAPPING_END, mapping->end);
        dj_proto_add_uint(text, DJ_PF_MAPPING_LOAD_BIAS, mapping->load_bias);
        if (path != 0) {
            dj_proto_add_uint(text, DJ_PF_MAPPING_PATH, path);
        }
        dj_proto_add_uint(text, DJ_PF_MAPPING_EXACT_OFFSET, mapping->offset);
        dj_proto_end(text, entry);
    }
    return id;
}

static uint64_t intern_frame(struct dj_pftrace_stacks *stacks,
                             const struct dj_event_call *frame)
{
    struct dj_text *text = &stacks->interned;
    uint64_t mapping =
        frame->mapping != NULL ? intern_mapping(stacks, frame->mapping) : 0;
    uint64_t function = intern_text(stacks, DJ_PF_FUNCTIONS, frame->function);
    const uint64_t key[] = {mapping, function, frame->address};
    bool is_new;
    uint64_t id =
        find_entry(stacks, DJ_PF_FRAMES, hash_numbers(key, COUNT_OF(key)), &is_new);
    if (is_new) {
        size_t entry = dj_proto_begin(text, DJ_PF_INTERNED_FRAMES);
        dj_proto_add_uint(text, DJ_PF_INTERNED_IID, id);
        if (function != 0) {
            dj_proto_add_uint(text, DJ_PF_FRAME_FUNCTION, function);
        }
        if (mapping != 0) {
            dj_proto_add_uint(text, DJ_PF_FRAME_MAPPING, mapping);
        }
        dj_proto_add_uint(text, DJ_PF_FRAME_ADDRESS, frame->address);
        dj_proto_end(text, entry);
    }
    return id;
}

/* Perfetto's order is the outermost function first. */
static uint64_t intern_stack(struct dj_pftrace_stacks *stacks,
                             const struct dj_event_stack *stack)
{
    struct dj_text *text = &stacks->interned;
    uint64_t frames[DJ_STACK_FRAMES_MAX];
    size_t count =
        stack->count < DJ_STACK_FRAMES_MAX ? stack->count : DJ_STACK_FRAMES_MAX;
    bool is_new;
    for (size_t i = 0; i < count; i++) {
        frames[count - 1 - i] = intern_frame(stacks, &stack->frames[i]);
    }
    uint64_t id =
        find_entry(stacks, DJ_PF_CALLSTACKS, hash_numbers(frames, count), &is_new);
    if (is_new) {
        size_t entry = dj_proto_begin(text, DJ_PF_INTERNED_CALLSTACKS);
        dj_proto_add_uint(text, DJ_PF_INTERNED_IID, id);
        for (size_t i = 0; i < count; i++) {
            dj_proto_add_uint(text, DJ_PF_CALLSTACK_FRAMES, frames[i]);
        }
        dj_proto_end(text, entry);
    }
    return id;
}

/* Like intern_stack(), but compares only the keys of stacks that have one. */
static uint64_t find_stack(struct dj_pftrace_stacks *stacks,
                           const struct dj_event_stack *stack)
{
    struct dj_map *keys = &stacks->tables[DJ_PF_KEYS];
    size_t known = dj_map_get(keys, stack->key);
    if (known != DJ_MAP_NONE) {
        return known;
    }
    uint64_t id = intern_stack(stacks, stack);
    if (stack->key != 0) {
        dj_xcheck(dj_map_set(keys, stack->key, (size_t)id));
        stacks->entries++;
    }
    return id;
}

/* Perfetto has no value for a guessed stack. UNSUPPORTED is used for it, because
 * Perfetto's own profiler rarely writes this value. */
static const uint8_t unwind_errors[DJ_STACK_ENDS] = {
    [DJ_STACK_COMPLETE] = DJ_PF_UNWIND_NONE,
    [DJ_STACK_GUESSED] = DJ_PF_UNWIND_UNSUPPORTED,
    [DJ_STACK_INCOMPLETE] = DJ_PF_UNWIND_NO_INFO,
};

static void write_sample(struct dj_text *text, const struct dj_event *event,
                         uint64_t callstack)
{
    const struct dj_event_stack *stack = event->stack;
    size_t sample = dj_proto_begin(text, DJ_PF_PACKET_PERF_SAMPLE);
    if (event->cpu >= 0) {
        dj_proto_add_uint(text, DJ_PF_SAMPLE_CPU, (uint32_t)event->cpu);
    }
    if (stack->lost > 0) {
        dj_proto_add_uint(text, DJ_PF_SAMPLE_RECORDS_LOST, stack->lost);
        dj_proto_end(text, sample);
        return;
    }
    dj_proto_add_int(text, DJ_PF_SAMPLE_PID, event->pid > 0 ? event->pid : 0);
    dj_proto_add_int(text, DJ_PF_SAMPLE_TID, event->tid);
    dj_proto_add_uint(text, DJ_PF_SAMPLE_MODE,
                      stack->in_kernel ? DJ_PF_MODE_KERNEL : DJ_PF_MODE_USER);
    if (callstack == 0) {
        dj_proto_add_uint(text, DJ_PF_SAMPLE_SKIPPED, DJ_PF_SKIPPED_UNWIND);
    } else {
        dj_proto_add_uint(text, DJ_PF_SAMPLE_CALLSTACK, callstack);
    }
    if (stack->end < DJ_STACK_ENDS && stack->end != DJ_STACK_COMPLETE) {
        dj_proto_add_uint(text, DJ_PF_SAMPLE_UNWIND_ERROR, unwind_errors[stack->end]);
    }
    dj_proto_end(text, sample);
}

void dj_pftrace_write_stack(struct dj_trace_writer *writer, const struct dj_event *event)
{
    struct dj_text *text = &writer->out.text;
    const struct dj_event_stack *stack = event->stack;
    if (stack == NULL || stack->source >= DJ_STACK_SOURCES) {
        return;
    }
    struct dj_pftrace_stacks *stacks = &writer->stacks[stack->source];
    dj_pftrace_close_bundle(writer);
    if (stack->lost == 0) {
        dj_pftrace_describe_thread(writer, event->tid, event->pid, event->task);
    }
    if (!stacks->begun || stacks->entries > ENTRIES_MOST ||
        (stack->lost == 0 && stacks->interval_ns != event->value)) {
        start_sequence(writer, stack->source, event->value);
    }
    uint64_t callstack =
        stack->lost == 0 && stack->count > 0 ? find_stack(stacks, stack) : 0;
    size_t packet =
        open_packet(writer, FIRST_SEQUENCE + stack->source, DJ_PF_FLAG_NEEDS_STATE);
    dj_proto_add_int(text, DJ_PF_PACKET_TIMESTAMP,
                     dj_checked_add_saturated(event->at_ns, writer->clocks.to_boot_ns));
    if (stacks->interned.length > 0) {
        dj_xcheck(!stacks->interned.failed);
        dj_proto_add_bytes(
            text, DJ_PF_PACKET_INTERNED_DATA,
            (struct dj_str){stacks->interned.data, stacks->interned.length});
        dj_text_clear(&stacks->interned);
    }
    write_sample(text, event, callstack);
    dj_proto_end(text, packet);
}

void dj_pftrace_finish_stacks(struct dj_trace_writer *writer)
{
    for (size_t i = 0; i < DJ_STACK_SOURCES; i++) {
        for (size_t k = 0; k < DJ_PF_STACK_TABLES; k++) {
            dj_map_finish(&writer->stacks[i].tables[k]);
        }
        dj_text_finish(&writer->stacks[i].interned);
    }
}
