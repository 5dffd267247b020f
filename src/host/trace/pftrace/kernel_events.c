#include <inttypes.h>

#include "base/checked.h"
#include "memory/memory.h"
#include "trace/kernel/tracepoints.h"
#include "trace/pftrace/writer_private.h"

/* Opens a bundle for the CPU, unless the open bundle has the same CPU. Each bundle
 * contains consecutive events of one CPU, so events of different CPUs with equal times
 * keep their order. */
void dj_pftrace_open_bundle(struct dj_trace_writer *writer, int32_t cpu)
{
    struct dj_text *text = &writer->out.text;
    if (writer->bundled && writer->cpu == cpu && !writer->dropped) {
        return;
    }
    writer->packet = dj_pftrace_open_packet(writer);
    dj_proto_add_uint(text, DJ_PF_PACKET_SEQUENCE_FLAGS, DJ_PF_FLAG_NEEDS_STATE);
    writer->message = dj_proto_begin(text, DJ_PF_PACKET_FTRACE_EVENTS);
    if (cpu >= 0) {
        dj_proto_add_uint(text, DJ_PF_BUNDLE_CPU, (uint32_t)cpu);
        dj_pftrace_write_pending_loss(writer, cpu);
    }
    writer->cpu = cpu;
    writer->bundled = true;
}

/* Bits that mean the states of a task in kernels from 4.14 on. An unknown state has a bit
 * that these kernels do not use. */
static const uint16_t state_bits[] = {
    [DJ_TASK_UNKNOWN] = 0x4000, [DJ_TASK_RUNNABLE] = 0,  [DJ_TASK_SLEEPING] = 0x1,
    [DJ_TASK_BLOCKED] = 0x2,    [DJ_TASK_STOPPED] = 0x4, [DJ_TASK_DEAD] = 0x10,
    [DJ_TASK_RESTING] = 0x80,
};

/* Flag in common_flags. It means that the event happened in a hard interrupt. */
enum { HARD_INTERRUPT = 0x8 };

/* Returns the number by which events refer to the name of a kernel function. */
static uint64_t make_symbol(struct dj_str name)
{
    enum { BITS = 48 };
    return dj_pftrace_hash(DJ_PF_INTERNED_KERNEL_SYMBOLS, name) >> (64 - BITS) | 1;
}

/* Writes the name of a kernel function, unless the trace already contains it. Must be
 * called before the bundle that refers to the name is opened. */
static void write_symbol(struct dj_trace_writer *writer, struct dj_str name)
{
    struct dj_text *text = &writer->out.text;
    uint64_t symbol = make_symbol(name);
    uint64_t *known = &writer->symbols[symbol >> 1 & (DJ_PF_SYMBOLS - 1)];
    if (*known == symbol && !writer->dropped) {
        return;
    }
    size_t packet = dj_pftrace_open_packet(writer);
    *known = symbol;
    dj_proto_add_uint(text, DJ_PF_PACKET_SEQUENCE_FLAGS, DJ_PF_FLAG_NEEDS_STATE);
    size_t data = dj_proto_begin(text, DJ_PF_PACKET_INTERNED_DATA);
    size_t entry = dj_proto_begin(text, DJ_PF_INTERNED_KERNEL_SYMBOLS);
    dj_proto_add_uint(text, DJ_PF_INTERNED_IID, symbol);
    dj_proto_add_text(text, DJ_PF_INTERNED_NAME, name);
    dj_proto_end(text, entry);
    dj_proto_end(text, data);
    dj_proto_end(text, packet);
}

static void write_name(struct dj_text *text, const struct dj_event *event,
                       uint32_t number, struct dj_str name)
{
    if (name.length > 0 && event->kind == DJ_EVENT_BLOCKED) {
        dj_proto_add_uint(text, number, make_symbol(name));
    } else if (name.length > 0) {
        dj_proto_add_text(text, number, name);
    }
}

static int64_t get_number(const struct dj_event *event, enum dj_event_slot slot)
{
    switch (slot) {
    case DJ_SLOT_OTHER:
        return event->other;
    case DJ_SLOT_CPU:
        return event->cpu;
    case DJ_SLOT_VALUE_2:
        return event->value_2;
    case DJ_SLOT_STATE:
        return state_bits[event->state <= DJ_TASK_RESTING ? event->state : 0];
    case DJ_SLOT_TIMER:
        return event->state;
    case DJ_SLOT_REPLY:
        return (event->state & DJ_BINDER_REPLY) != 0;
    case DJ_SLOT_ONE_WAY:
        return (event->state & DJ_BINDER_ONE_WAY) != 0;
    default:
        return event->value;
    }
}

static void write_field(struct dj_text *text, const struct dj_event *event,
                        enum dj_event_slot slot, uint32_t number)
{
    if (dj_event_slot_is_text(slot)) {
        write_name(text, event, number,
                   slot == DJ_SLOT_TASK   ? event->task
                   : slot == DJ_SLOT_NAME ? event->name
                                          : event->other_name);
    } else {
        dj_proto_add_int(text, number, get_number(event, slot));
    }
}

/* The format of each marker. The first letter is written unchanged, and the process id
 * follows it. In the rest of the format, n is replaced by the name, t by the track and v
 * by the value. */
static const struct {
    const char *plain, *on_track;
} markers[DJ_EVENT_KINDS] = {
    [DJ_EVENT_BEGIN] = {"B|n", "B|n"},
    [DJ_EVENT_END] = {"E", "E"},
    [DJ_EVENT_INSTANT] = {"I|n", "N|t|n"},
    [DJ_EVENT_COUNTER] = {"C|n|v", "C|n|v"},
    [DJ_EVENT_ASYNC_BEGIN] = {"S|n|v", "G|t|n|v"},
    [DJ_EVENT_ASYNC_END] = {"F|n|v", "H|t|n|v"},
};

/* Appends a marker such as "B|PID|NAME". If the process id is unknown and nothing follows
 * it, appends only the letter. */
static void append_marker(struct dj_text *text, const struct dj_event *event)
{
    const char *form = event->other_name.length > 0 ? markers[event->kind].on_track
                                                    : markers[event->kind].plain;
    dj_text_append(text, form, 1);
    if (event->pid > 0 || form[1] != '\0') {
        dj_text_append(text, "|", 1);
        dj_text_append_int(text, event->pid > 0 ? event->pid : 0);
    }
    for (const char *at = form + 1; *at != '\0'; at++) {
        if (*at == '|') {
            dj_text_append(text, "|", 1);
        } else if (*at == 'v') {
            dj_text_append_int(text, event->value);
        } else {
            struct dj_str words = *at == 'n' ? event->name : event->other_name;
            dj_text_append(text, words.at, words.length);
        }
    }
}

/* Appends a clock marker. It has the format of atrace, but its times have nanosecond
 * precision. */
static void append_clock(struct dj_text *text, const struct dj_event *event)
{
    enum { SECOND = 1000000000, MILLISECOND = 1000000 };
    /* The name can only be "realtime" or "mono". */
    if (dj_str_begins(event->name, "r")) {
        dj_text_format(text, "trace_event_clock_sync: realtime_ts=%" PRId64,
                       event->value / MILLISECOND);
    } else {
        dj_text_format(text, "trace_event_clock_sync: parent_ts=%" PRId64 ".%09" PRId64,
                       event->value / SECOND, event->value % SECOND);
    }
}

static void write_marker(struct dj_trace_writer *writer, const struct dj_event *event)
{
    struct dj_text *text = &writer->out.text;
    struct dj_text *marker = &writer->marker;
    dj_text_clear(marker);
    if (event->kind == DJ_EVENT_CLOCK) {
        append_clock(marker, event);
    } else {
        append_marker(marker, event);
    }
    dj_text_append(marker, "\n", 1);
    dj_xcheck(!marker->failed);
    size_t print = dj_proto_begin(text, DJ_PF_FTRACE_PRINT);
    dj_proto_add_text(text, DJ_PF_PRINT_TEXT,
                      (struct dj_str){marker->data, marker->length});
    dj_proto_end(text, print);
}

/* Writes an event for which Perfetto has no message. It contains the name of the event
 * and the names of its fields. */
static void write_generic(struct dj_text *text, const struct dj_event *event,
                          const struct dj_tracepoint *tracepoint)
{
    const struct dj_tracepoint_field *fields = dj_tracepoint_fields[event->kind];
    size_t generic = dj_proto_begin(text, DJ_PF_FTRACE_GENERIC);
    dj_proto_add_text(text, DJ_PF_GENERIC_NAME,
                      tracepoint == NULL ? event->name : dj_str_of(tracepoint->name));
    for (size_t i = 0; i < DJ_TRACEPOINT_FIELDS && fields[i].name != NULL; i++) {
        size_t opened = dj_proto_begin(text, DJ_PF_GENERIC_FIELD);
        dj_proto_add_string(text, DJ_PF_GENERIC_FIELD_NAME, fields[i].name);
        write_field(text, event, fields[i].slot,
                    dj_event_slot_is_text(fields[i].slot) ? DJ_PF_GENERIC_FIELD_STRING
                                                          : DJ_PF_GENERIC_FIELD_INT);
        dj_proto_end(text, opened);
    }
    dj_proto_end(text, generic);
}

static void write_known(struct dj_text *text, const struct dj_event *event,
                        const struct dj_tracepoint *tracepoint)
{
    const struct dj_tracepoint_field *fields = dj_tracepoint_fields[event->kind];
    size_t message = dj_proto_begin(text, tracepoint->number);
    for (size_t i = 0; i < DJ_TRACEPOINT_FIELDS && fields[i].name != NULL; i++) {
        if (fields[i].number != 0) {
            write_field(text, event, fields[i].slot, fields[i].number);
        }
    }
    if (event->kind == DJ_EVENT_SWITCH) {
        dj_proto_add_int(text, DJ_PF_SWITCH_PREV_PID, event->tid);
    }
    dj_proto_end(text, message);
}

static void write_event(struct dj_trace_writer *writer, const struct dj_event *event)
{
    struct dj_text *text = &writer->out.text;
    const struct dj_tracepoint *tracepoint =
        dj_tracepoint_find_kind((enum dj_event_kind)event->kind);
    if (event->kind == DJ_EVENT_CLOCK || markers[event->kind].plain != NULL) {
        write_marker(writer, event);
    } else if (tracepoint != NULL && tracepoint->number != 0) {
        write_known(text, event, tracepoint);
    } else {
        write_generic(text, event, tracepoint);
    }
}

/* Writes data about the threads of an event, if the trace does not contain this data yet.
 * A name that the event itself contains is only noted as written. */
static void describe_threads(struct dj_trace_writer *writer, const struct dj_event *event)
{
    static const struct dj_str none = {"", 0};
    if (event->kind == DJ_EVENT_SWITCH) {
        dj_pftrace_note_name(writer, event->tid, event->task);
        dj_pftrace_note_name(writer, event->other, event->other_name);
    } else if (event->kind == DJ_EVENT_WAKING || event->kind == DJ_EVENT_WAKEUP ||
               event->kind == DJ_EVENT_WAKE_NEW || event->kind == DJ_EVENT_NEW_TASK ||
               event->kind == DJ_EVENT_RENAME) {
        dj_pftrace_note_name(writer, event->other, event->other_name);
    }
    dj_pftrace_describe_thread(writer, event->tid, event->pid,
                               event->kind == DJ_EVENT_SWITCH ? none : event->task);
}

void dj_pftrace_write_kernel_event(struct dj_trace_writer *writer,
                                   const struct dj_event *event)
{
    struct dj_text *text = &writer->out.text;
    describe_threads(writer, event);
    if (event->kind == DJ_EVENT_BLOCKED && event->name.length > 0) {
        write_symbol(writer, event->name);
    }
    dj_pftrace_open_bundle(writer, event->cpu);
    size_t opened = dj_proto_begin(text, DJ_PF_BUNDLE_EVENT);
    dj_proto_add_int(text, DJ_PF_FTRACE_TIMESTAMP,
                     dj_checked_add_saturated(event->at_ns, writer->clocks.to_boot_ns));
    if (event->tid >= 0) {
        dj_proto_add_int(text, DJ_PF_FTRACE_TID, event->tid);
    }
    if (event->interrupted) {
        dj_proto_add_uint(text, DJ_PF_FTRACE_FLAGS, HARD_INTERRUPT);
    }
    write_event(writer, event);
    dj_proto_end(text, opened);
}
