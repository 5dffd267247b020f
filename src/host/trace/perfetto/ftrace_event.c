#include "trace/perfetto/ftrace_event.h"

#include "trace/kernel/marker.h"

/* Additional slot for the thread that leaves the CPU. The table of tracepoints has no
 * slot for this thread, because text formats write it before the name of the event. */
enum { SLOT_TID = DJ_SLOT_OTHER_NAME + 1 };

void dj_perfetto_event_table_init(struct dj_perfetto_event_table *kernel)
{
    *kernel = (struct dj_perfetto_event_table){0};
    for (uint32_t i = 0; i < DJ_PF_KERNEL_EVENTS; i++) {
        const struct dj_tracepoint *tracepoint = dj_tracepoint_find_number(i);
        kernel->tracepoints[i] = tracepoint;
        for (size_t k = 0; tracepoint != NULL && k < DJ_TRACEPOINT_FIELDS; k++) {
            const struct dj_tracepoint_field *field =
                &dj_tracepoint_fields[tracepoint->kind][k];
            if (field->number != 0 && field->number < DJ_PF_KERNEL_FIELDS) {
                kernel->slots[i][field->number] = (uint8_t)field->slot;
            }
        }
        if (tracepoint != NULL && tracepoint->kind == DJ_EVENT_SWITCH) {
            kernel->slots[i][DJ_PF_SWITCH_PREV_PID] = SLOT_TID;
        }
    }
}

/* Messages with a marker. Kernels of different vendors have different messages. `number`
 * is the number of the message in FtraceEvent. The other members are field numbers in the
 * message, or 0 if the message has no such field. The field `begin` contains 1 for a
 * begin and 0 for an end. The field `type` contains either a letter, or 1 for a begin and
 * 0 for an end. */
static const struct {
    uint16_t number;
    uint8_t pid, name, type, value, begin;
} markers[] = {
    {DJ_PF_FTRACE_MARKING_WRITE, 1, 2, 0, 0, 3},
    {333, 1, 2, 3, 4, 5}, /* Message of the vendor sde. */
    {348, 1, 2, 5, 6, 3}, /* Message of the vendor dpu. */
    {349, 1, 4, 5, 6, 0}, /* Message of the vendor g2d. */
    {350, 2, 1, 3, 4, 0}, /* Message of the vendor mali. */
};

/* Decodes a marker. `which` is its index in `markers`. A message never contains a field
 * with the number 0, so got[0] is always 0. */
static void read_marker(size_t which, struct dj_str bytes, struct dj_event *event)
{
    enum { LAST = 6 };
    DJ_PF_FIELDS(got, bytes, LAST);
    int64_t type = dj_proto_int(&got[markers[which].type]);
    int64_t begins = dj_proto_int(&got[markers[which].begin]);
    int32_t pid = dj_perfetto_read_id(&got[markers[which].pid]);
    event->kind = type == 'C' ? DJ_EVENT_COUNTER
                  : type == 'B' || type == 1 || (type == 0 && begins != 0)
                      ? DJ_EVENT_BEGIN
                  : type == 'E' || type == 0 ? DJ_EVENT_END
                  : type == 'I'              ? DJ_EVENT_INSTANT
                                             : DJ_EVENT_OTHER;
    if (event->kind != DJ_EVENT_END) {
        event->name = dj_proto_bytes(&got[markers[which].name]);
    }
    event->value = dj_proto_int(&got[markers[which].value]);
    event->pid = pid > 0 ? pid : event->pid;
}

static void read_print(struct dj_str bytes, struct dj_event *event)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_str text;
    while (dj_perfetto_find_next_bytes(&message, DJ_PF_PRINT_TEXT, &text)) {
        dj_marker_parse(text, event);
    }
}

static inline void fill_field(uint8_t slot, const struct dj_proto_field *field,
                              const struct dj_perfetto_texts *symbols,
                              struct dj_event *event)
{
    if (field->wire == DJ_PROTO_BYTES) {
        dj_event_slot_set_text(event, (enum dj_event_slot)slot, field->bytes);
    } else if (slot == SLOT_TID) {
        event->tid = (int32_t)field->value;
    } else if (slot == DJ_SLOT_NAME) {
        /* The value is either the number of an interned name or an address. An address is
         * ignored. */
        event->name = dj_perfetto_texts_find(symbols, field->value);
    } else {
        dj_event_slot_set_number(event, (enum dj_event_slot)slot, (int64_t)field->value);
    }
}

/* Decodes an event of the table. slots[N] is the slot of the field with the number N. */
static void read_tracepoint(enum dj_event_kind kind, const uint8_t *slots,
                            struct dj_str bytes, const struct dj_perfetto_texts *symbols,
                            struct dj_event *event)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    event->kind = (uint8_t)kind;
    while (dj_proto_next(&message, &field)) {
        if (field.number < DJ_PF_KERNEL_FIELDS && slots[field.number] != DJ_SLOT_NONE) {
            fill_field(slots[field.number], &field, symbols, event);
        }
    }
}

static void fill_generic(enum dj_event_kind kind, struct dj_str bytes,
                         struct dj_event *event)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_GENERIC_FIELD_UINT);
    enum dj_event_slot slot =
        dj_tracepoint_find_slot(kind, dj_proto_bytes(&got[DJ_PF_GENERIC_FIELD_NAME]));
    for (size_t i = DJ_PF_GENERIC_FIELD_STRING; i <= DJ_PF_GENERIC_FIELD_UINT; i++) {
        if (slot != DJ_SLOT_NONE && got[i].number != 0) {
            fill_field((uint8_t)slot, &got[i], NULL, event);
        }
    }
}

/* Decodes an event for which Perfetto has no message. Such an event contains its own name
 * and the names of its fields. */
static void read_generic(struct dj_str bytes, struct dj_event *event)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_GENERIC_NAME);
    struct dj_str name = dj_proto_bytes(&got[DJ_PF_GENERIC_NAME]);
    const struct dj_tracepoint *tracepoint = dj_tracepoint_find(name);
    event->name = name;
    if (tracepoint == NULL) {
        return;
    }
    event->name.length = 0;
    event->kind = (uint8_t)tracepoint->kind;
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_str field;
    while (dj_perfetto_find_next_bytes(&message, DJ_PF_GENERIC_FIELD, &field)) {
        fill_generic(tracepoint->kind, field, event);
    }
}

/* Decodes the message of an event. `number` is the number of the message in FtraceEvent.
 */
static inline void read_body(const struct dj_perfetto_event_table *kernel,
                             uint32_t number, struct dj_str body,
                             const struct dj_perfetto_texts *symbols,
                             struct dj_event *event)
{
    if (number == DJ_PF_FTRACE_PRINT) {
        read_print(body, event);
        return;
    }
    const struct dj_tracepoint *tracepoint =
        number < DJ_PF_KERNEL_EVENTS ? kernel->tracepoints[number] : NULL;
    if (tracepoint != NULL) {
        read_tracepoint(tracepoint->kind, kernel->slots[number], body, symbols, event);
        return;
    }
    if (number == DJ_PF_FTRACE_GENERIC) {
        read_generic(body, event);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(markers); i++) {
        if (markers[i].number == number) {
            read_marker(i, body, event);
            return;
        }
    }
}

bool dj_perfetto_ftrace_event_read(const struct dj_perfetto_event_table *kernel,
                                   struct dj_str bytes,
                                   const struct dj_perfetto_texts *symbols,
                                   struct dj_event *event)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field;
    struct dj_str body = {"", 0};
    uint32_t number = 0;
    while (dj_proto_next(&message, &field)) {
        if (field.wire == DJ_PROTO_BYTES) {
            /* If a known message was found, a later unknown message does not replace it.
             */
            if (field.number < DJ_PF_KERNEL_EVENTS || number == 0) {
                number = field.number;
                body = field.bytes;
            }
        } else if (field.number == DJ_PF_FTRACE_TID) {
            event->tid = (int32_t)field.value;
        } else if (field.number == DJ_PF_FTRACE_FLAGS) {
            event->interrupted = dj_perfetto_ftrace_event_is_interrupted(field.value);
        }
    }
    if (number != 0) {
        read_body(kernel, number, body, symbols, event);
    }
    return !message.failed;
}
