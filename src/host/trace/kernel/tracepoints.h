/*
 * The table of kernel events that dejank uses. The readers of text, of ring pages and of
 * Perfetto traces use the same table, because the fields of an event have the same names
 * in all three formats.
 */
#ifndef DEJANK_TRACE_KERNEL_TRACEPOINTS_H
#define DEJANK_TRACE_KERNEL_TRACEPOINTS_H

#include "trace/event.h"
#include "trace/text/numbers.h"

/* The member of struct dj_event that a field of a kernel event sets. Members without a
 * comment set the member with the same name. */
enum dj_event_slot {
    DJ_SLOT_NONE,
    DJ_SLOT_OTHER,
    DJ_SLOT_CPU,
    DJ_SLOT_VALUE,
    DJ_SLOT_VALUE_2,
    /* Sets `state` to the state of a task. The field contains letters or bits. */
    DJ_SLOT_STATE,
    DJ_SLOT_REPLY, /* Sets the bit DJ_BINDER_REPLY of `state` if the field is not 0. */
    /* Sets the bit DJ_BINDER_ONE_WAY of `state` if the field contains the one-way flag.
     */
    DJ_SLOT_ONE_WAY,
    DJ_SLOT_BITS, /* Sets `value`. In text formats, the field is a hexadecimal number. */
    /* Sets `state` to the mode of a timer. The field contains a word or bits. */
    DJ_SLOT_TIMER,
    DJ_SLOT_TASK,
    DJ_SLOT_NAME,
    DJ_SLOT_OTHER_NAME
};

enum { DJ_TRACEPOINT_FIELDS = 5 };

struct dj_tracepoint_field {
    /* Name of the field in text and in format files. NULL after the last field. */
    const char *name;
    /* Number of the field in Perfetto's message, or 0 if Perfetto has no such field. */
    uint8_t number;
    enum dj_event_slot slot;
    /* Name of the field in older kernels, or NULL if it always had the same name. */
    const char *old;
};

struct dj_tracepoint {
    const char *name;
    /* Number of the event's message in Perfetto's FtraceEvent, or 0 if Perfetto has no
     * such message. */
    uint16_t number;
    enum dj_event_kind kind;
};

/* The fields of each kind of event. Events of the same kind have the same fields, even if
 * their names differ. */
extern const struct dj_tracepoint_field dj_tracepoint_fields[DJ_EVENT_KINDS]
                                                            [DJ_TRACEPOINT_FIELDS];
/* Returns the member that the field with this name sets. Also accepts the names of older
 * kernels. */
enum dj_event_slot dj_tracepoint_find_slot(enum dj_event_kind kind, struct dj_str name);

/* Returns the event with this name. Returns NULL if dejank does not use the event. */
const struct dj_tracepoint *dj_tracepoint_find(struct dj_str name);

/* Returns the event with this number in FtraceEvent. Returns NULL if dejank does not use
 * the event. */
const struct dj_tracepoint *dj_tracepoint_find_number(uint32_t number);
/* Returns the first event of this kind, or NULL if there is none. */
const struct dj_tracepoint *dj_tracepoint_find_kind(enum dj_event_kind kind);

/* Returns true if the field is a string. */
static inline bool dj_event_slot_is_text(enum dj_event_slot slot)
{
    return slot == DJ_SLOT_TASK || slot == DJ_SLOT_NAME || slot == DJ_SLOT_OTHER_NAME;
}

/* Store a number or a string of a kernel event in the member `slot` of *event. Both
 * functions are called for each field of each event. They are inline, because calls would
 * take twice as long. */
static inline void dj_event_slot_set_number(struct dj_event *event,
                                            enum dj_event_slot slot, int64_t value)
{
    switch (slot) {
    case DJ_SLOT_OTHER:
        event->other = (int32_t)value;
        break;
    case DJ_SLOT_CPU:
        event->cpu = (int32_t)value;
        break;
    case DJ_SLOT_VALUE:
    case DJ_SLOT_BITS:
        event->value = value;
        break;
    case DJ_SLOT_VALUE_2:
        event->value_2 = value;
        break;
    case DJ_SLOT_STATE:
        event->state = (uint8_t)dj_event_decode_task_state(value);
        break;
    case DJ_SLOT_REPLY:
        event->state |= value != 0 ? DJ_BINDER_REPLY : 0;
        break;
    case DJ_SLOT_ONE_WAY:
        event->state |= (value & 1) != 0 ? DJ_BINDER_ONE_WAY : 0;
        break;
    case DJ_SLOT_TIMER:
        event->state = (uint8_t)(value & DJ_TIMER_HARD);
        break;
    default:
        break;
    }
}

static inline void dj_event_slot_set_text(struct dj_event *event, enum dj_event_slot slot,
                                          struct dj_str words)
{
    switch (slot) {
    case DJ_SLOT_STATE:
        event->state = (uint8_t)dj_event_parse_task_state(words);
        break;
    case DJ_SLOT_BITS:
        dj_number_parse_hex(words, &event->value);
        break;
    case DJ_SLOT_TIMER:
        event->state = dj_str_after(words, "HARD", &words) ? DJ_TIMER_HARD : 0;
        break;
    case DJ_SLOT_TASK:
        event->task = words;
        break;
    case DJ_SLOT_NAME:
        event->name = words;
        break;
    case DJ_SLOT_OTHER_NAME:
        event->other_name = words;
        break;
    default:
        break;
    }
}

#endif
