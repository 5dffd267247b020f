/* Tests the writer of sampled call stacks. Reads the packets field by field, as a reader
 * that knows only the wire format. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "trace/perfetto/fields.h"
#include "trace/perfetto/stack_fields.h"
#include "written.h"

enum { PACKETS_MOST = 64, ENTRIES_MOST = 64 };

/* The packets of the sequences of stacks. */
static struct {
    struct written file;
    struct dj_str packets[PACKETS_MOST];
    size_t count;
} got;

static void collect_packets(const struct dj_event *events, size_t count,
                            const struct dj_trace_origin *origin)
{
    got.file = written_pftrace(events, count, origin);
    got.count = 0;
    struct dj_proto_message trace =
        dj_proto_open((struct dj_str){(const char *)got.file.bytes, got.file.size});
    struct dj_str packet;
    while (dj_perfetto_find_next_bytes(&trace, DJ_PF_TRACE_PACKET, &packet)) {
        DJ_PF_FIELDS(fields, packet, DJ_PF_PACKET_SEQUENCE_ID);
        if (dj_proto_int(&fields[DJ_PF_PACKET_SEQUENCE_ID]) > 1) {
            cr_assert_lt(got.count, PACKETS_MOST);
            got.packets[got.count++] = packet;
        }
    }
    cr_assert(!trace.failed);
}

static struct dj_str get_message(struct dj_str packet, uint32_t field)
{
    struct dj_proto_message message = dj_proto_open(packet);
    struct dj_str found = {"", 0};
    dj_perfetto_find_next_bytes(&message, field, &found);
    return found;
}

/* Returns the number of entries of one table in the packet. Stores the last one. */
static size_t count_entries(struct dj_str packet, uint32_t table, struct dj_str *last)
{
    struct dj_proto_message data =
        dj_proto_open(get_message(packet, DJ_PF_PACKET_INTERNED_DATA));
    size_t count = 0;
    struct dj_str entry;
    while (dj_perfetto_find_next_bytes(&data, table, &entry)) {
        *last = entry;
        count++;
    }
    return count;
}

static const struct dj_event_mapping library = {.path = WORDS("/usr/lib/libx.so"),
                                                .build_id = WORDS("\x01\xff\x80"),
                                                .start = 0x7f0000001000,
                                                .end = 0x7f0000009000,
                                                .offset = 0x1000,
                                                .load_bias = 0x200};

static const struct dj_event_call calls[] = {
    {.mapping = &library, .address = 0x1234, .function = WORDS("leaf")},
    {.mapping = &library, .address = 0x1300, .function = WORDS("middle")},
    {.address = 0x7fff00001000, .function = WORDS("")},
};

static const struct dj_event_stack deep = {.frames = calls, .count = 3},
                                   shallow = {.frames = calls + 1,
                                              .count = 2,
                                              .end = DJ_STACK_GUESSED,
                                              .in_kernel = true};

static struct dj_event make_sample(int64_t at_ns, const struct dj_event_stack *stack)
{
    return (struct dj_event){.kind = DJ_EVENT_STACK,
                             .at_ns = at_ns,
                             .value = 1000000,
                             .tid = 12,
                             .pid = 10,
                             .cpu = 1,
                             .stack = stack};
}

/* Writes stacks of two sources, one of which starts its sequence again. */
static struct written write_stacks(uint32_t deep_key, uint32_t shallow_key)
{
    struct dj_event_stack one = deep, other = shallow, wait = deep;
    one.key = wait.key = deep_key;
    other.key = shallow_key;
    wait.source = DJ_STACK_WAIT;
    struct dj_event events[] = {make_sample(10, &one),  make_sample(20, &other),
                                make_sample(30, &one),  make_sample(40, &wait),
                                make_sample(50, &wait), make_sample(60, &one),
                                make_sample(70, &other)};
    events[5].value = events[6].value = 2000000;
    return written_pftrace(events, COUNT_OF(events), NULL);
}

Test(pftrace_stacks, keys_change_no_byte)
{
    struct written plain = write_stacks(0, 0), keyed = write_stacks(7, 9);
    cr_assert_eq(plain.size, keyed.size);
    cr_expect_eq(memcmp(plain.bytes, keyed.bytes, plain.size), 0);
    free(plain.bytes);
    free(keyed.bytes);
}

Test(pftrace_stacks, stacks_with_the_key_of_another_are_that_stack)
{
    struct dj_event_stack one = deep, same = shallow;
    one.key = same.key = 7;
    const struct dj_event events[] = {make_sample(10, &one), make_sample(20, &same)};
    struct dj_str entry;
    collect_packets(events, COUNT_OF(events), NULL);
    cr_assert_geq(got.count, 2);
    cr_expect_eq(
        count_entries(got.packets[got.count - 1], DJ_PF_INTERNED_CALLSTACKS, &entry), 0,
        "the frames were not compared");
    free(got.file.bytes);
}

Test(pftrace_stacks, tables_are_written_once)
{
    const struct dj_event events[] = {
        make_sample(1000, &deep), make_sample(2000, &shallow), make_sample(3000, &deep)};
    const struct dj_trace_origin origin = {.clocks = {.to_boot_ns = 500}};
    struct dj_str entry;
    collect_packets(events, COUNT_OF(events), &origin);
    cr_assert_eq(got.count, 4);
    DJ_PF_FIELDS(first, got.packets[0], DJ_PF_PACKET_FIRST_ON_SEQUENCE);
    cr_assert_eq(dj_proto_int(&first[DJ_PF_PACKET_SEQUENCE_FLAGS]), DJ_PF_FLAG_CLEARED);
    struct dj_str timebase =
        get_message(get_message(get_message(got.packets[0], DJ_PF_PACKET_DEFAULTS),
                                DJ_PF_DEFAULTS_PERF_SAMPLE),
                    DJ_PF_PERF_DEFAULTS_TIMEBASE);
    DJ_PF_FIELDS(base, timebase, DJ_PF_TIMEBASE_COUNTER);
    cr_assert_eq(dj_proto_int(&base[DJ_PF_TIMEBASE_PERIOD]), 1000000);
    cr_assert_eq(dj_proto_int(&base[DJ_PF_TIMEBASE_COUNTER]), DJ_PF_COUNTER_CPU_CLOCK);

    cr_assert_eq(count_entries(got.packets[1], DJ_PF_INTERNED_FUNCTIONS, &entry), 2);
    cr_assert_eq(count_entries(got.packets[1], DJ_PF_INTERNED_PATHS, &entry), 1);
    cr_assert_eq(count_entries(got.packets[1], DJ_PF_INTERNED_FRAMES, &entry), 3);
    cr_assert_eq(count_entries(got.packets[1], DJ_PF_INTERNED_BUILD_IDS, &entry), 1);
    DJ_PF_FIELDS(id, entry, DJ_PF_INTERNED_NAME);
    cr_assert(dj_str_equal(dj_proto_bytes(&id[DJ_PF_INTERNED_NAME]), library.build_id));
    cr_assert_eq(count_entries(got.packets[1], DJ_PF_INTERNED_MAPPINGS, &entry), 1);
    DJ_PF_FIELDS(mapping, entry, DJ_PF_MAPPING_EXACT_OFFSET);
    cr_assert_eq(dj_proto_int(&mapping[DJ_PF_MAPPING_START]), 0x7f0000001000);
    cr_assert_eq(dj_proto_int(&mapping[DJ_PF_MAPPING_LOAD_BIAS]), 0x200);
    cr_assert_eq(dj_proto_int(&mapping[DJ_PF_MAPPING_EXACT_OFFSET]), 0x1000);

    cr_assert_eq(count_entries(got.packets[2], DJ_PF_INTERNED_FRAMES, &entry), 0);
    cr_assert_eq(count_entries(got.packets[2], DJ_PF_INTERNED_CALLSTACKS, &entry), 1);
    cr_assert_eq(get_message(got.packets[3], DJ_PF_PACKET_INTERNED_DATA).length, 0);
    DJ_PF_FIELDS(third, got.packets[3], DJ_PF_PACKET_SEQUENCE_FLAGS);
    cr_assert_eq(dj_proto_int(&third[DJ_PF_PACKET_TIMESTAMP]), 3500);
    free(got.file.bytes);
}

Test(pftrace_stacks, outermost_frame_is_first)
{
    const struct dj_event event = make_sample(1000, &deep);
    struct dj_str entry, frame;
    collect_packets(&event, 1, NULL);
    cr_assert_eq(count_entries(got.packets[1], DJ_PF_INTERNED_CALLSTACKS, &entry), 1);
    struct dj_proto_message callstack = dj_proto_open(entry);
    struct dj_proto_field field;
    uint64_t last = 0;
    size_t count = 0;
    while (dj_proto_next(&callstack, &field)) {
        if (field.number == DJ_PF_CALLSTACK_FRAMES) {
            last = field.value;
            count++;
        }
    }
    cr_assert_eq(count, 3);
    /* The innermost frame is interned last of all, because the frames are read in order
     * of the stack: its id is that of the first frame. */
    cr_assert_eq(last, 1);
    cr_assert_eq(count_entries(got.packets[1], DJ_PF_INTERNED_FRAMES, &frame), 3);
    free(got.file.bytes);
}

static void read_sample(struct dj_str packet, struct dj_proto_field *fields)
{
    cr_assert(dj_proto_collect(get_message(packet, DJ_PF_PACKET_PERF_SAMPLE), fields,
                               DJ_PF_SAMPLE_SKIPPED + 1));
}

Test(pftrace_stacks, states_of_samples)
{
    static const struct dj_event_stack empty = {.end = DJ_STACK_INCOMPLETE},
                                       lost = {.lost = 7};
    const struct dj_event events[] = {
        make_sample(1000, &shallow), make_sample(2000, &empty), make_sample(3000, &lost)};
    struct dj_proto_field fields[DJ_PF_SAMPLE_SKIPPED + 1];
    collect_packets(events, COUNT_OF(events), NULL);
    cr_assert_eq(got.count, 4);
    read_sample(got.packets[1], fields);
    cr_assert_eq(dj_proto_int(&fields[DJ_PF_SAMPLE_PID]), 10);
    cr_assert_eq(dj_proto_int(&fields[DJ_PF_SAMPLE_TID]), 12);
    cr_assert_eq(dj_proto_int(&fields[DJ_PF_SAMPLE_CPU]), 1);
    cr_assert_eq(dj_proto_int(&fields[DJ_PF_SAMPLE_MODE]), DJ_PF_MODE_KERNEL);
    cr_assert_eq(dj_proto_int(&fields[DJ_PF_SAMPLE_UNWIND_ERROR]),
                 DJ_PF_UNWIND_UNSUPPORTED);
    read_sample(got.packets[2], fields);
    cr_assert_eq(fields[DJ_PF_SAMPLE_CALLSTACK].number, 0);
    cr_assert_eq(dj_proto_int(&fields[DJ_PF_SAMPLE_SKIPPED]), DJ_PF_SKIPPED_UNWIND);
    read_sample(got.packets[3], fields);
    cr_assert_eq(dj_proto_int(&fields[DJ_PF_SAMPLE_RECORDS_LOST]), 7);
    cr_assert_eq(fields[DJ_PF_SAMPLE_TID].number, 0, "a loss is not a sample");
    free(got.file.bytes);
}

Test(pftrace_stacks, sources_have_sequences_of_their_own)
{
    static const struct dj_event_stack wait = {
        .frames = calls, .count = 3, .source = DJ_STACK_WAIT};
    struct dj_event events[] = {make_sample(1000, &deep), make_sample(2000, &wait)};
    events[1].value = 0;
    collect_packets(events, COUNT_OF(events), NULL);
    cr_assert_eq(got.count, 4);
    int64_t sequences[4];
    for (size_t i = 0; i < 4; i++) {
        DJ_PF_FIELDS(fields, got.packets[i], DJ_PF_PACKET_SEQUENCE_ID);
        sequences[i] = dj_proto_int(&fields[DJ_PF_PACKET_SEQUENCE_ID]);
    }
    cr_assert(sequences[0] == sequences[1] && sequences[2] == sequences[3] &&
              sequences[1] != sequences[2]);
    struct dj_str timebase =
        get_message(get_message(get_message(got.packets[2], DJ_PF_PACKET_DEFAULTS),
                                DJ_PF_DEFAULTS_PERF_SAMPLE),
                    DJ_PF_PERF_DEFAULTS_TIMEBASE);
    cr_assert_gt(get_message(timebase, DJ_PF_TIMEBASE_TRACEPOINT).length, 0);
    free(got.file.bytes);
}
