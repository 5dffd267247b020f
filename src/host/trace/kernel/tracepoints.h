/*
 * The table of known kernel events. It serves text, ring pages and protobuf alike, since
 * their fields have the same names.
 */
#ifndef DEJANK_TRACE_KERNEL_TRACEPOINTS_H
#define DEJANK_TRACE_KERNEL_TRACEPOINTS_H

#include "trace/event.h"
#include "trace/text/numbers.h"

/* The part of struct dj_event that a field fills. */
enum dj_event_slot {
    DJ_SLOT_NONE,
    DJ_SLOT_OTHER,
    DJ_SLOT_CPU,
    DJ_SLOT_VALUE,
    DJ_SLOT_VALUE_2,
    DJ_SLOT_STATE,   /* letters or bits of a task's state */
    DJ_SLOT_REPLY,   /* into `state`: a Binder transaction is a reply */
    DJ_SLOT_ONE_WAY, /* into `state`: one of the flags means one-way */
    DJ_SLOT_BITS,    /* into `value`; hexadecimal in text */
    DJ_SLOT_TIMER,   /* into `state`: mode of a timer, as words or bits */
    DJ_SLOT_TASK,
    DJ_SLOT_NAME,
    DJ_SLOT_OTHER_NAME
};

enum { DJ_TRACEPOINT_FIELDS = 5 };

struct dj_tracepoint_field {
    const char *name; /* in text and in format files; NULL ends the list of fields */
    uint8_t number;   /* in Perfetto's message; 0: none */
    enum dj_event_slot slot;
    const char *old; /* its former name; NULL: none */
};

struct dj_tracepoint {
    const char *name;
    uint16_t number; /* of Perfetto's message in FtraceEvent; 0: none */
    enum dj_event_kind kind;
};

/* The fields of each kind. All events of a kind have the same fields. */
extern const struct dj_tracepoint_field dj_tracepoint_fields[DJ_EVENT_KINDS]
                                                            [DJ_TRACEPOINT_FIELDS];
/* Returns the part that the field of that name fills. Also knows former names. */
enum dj_event_slot dj_tracepoint_find_slot(enum dj_event_kind kind, struct dj_str name);

/* Returns NULL if the event has no meaning for dejank. */
const struct dj_tracepoint *dj_tracepoint_find(struct dj_str name);
const struct dj_tracepoint *dj_tracepoint_find_number(uint32_t number);
/* Returns the first event that has this kind; NULL: none. */
const struct dj_tracepoint *dj_tracepoint_find_kind(enum dj_event_kind kind);

/* Returns true if the field is a text. */
static inline bool dj_event_slot_is_text(enum dj_event_slot slot)
{
    return slot == DJ_SLOT_TASK || slot == DJ_SLOT_NAME || slot == DJ_SLOT_OTHER_NAME;
}

/* Stores a number, or a text, of a field in the event. These functions are inline because
 * every event needs some of them: calls would take twice as long. */
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
