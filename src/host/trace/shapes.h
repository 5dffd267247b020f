/* What the kernel's events are to us: one table for all ways they reach us, text, ring
 * pages and protobuf, since their fields are the same everywhere. Of this room only. */
#ifndef DEJANK_TRACE_SHAPES_H
#define DEJANK_TRACE_SHAPES_H

#include "trace/event.h"
#include "trace/numbers.h"

/* Which part of struct dj_event a field fills. */
enum dj_slot {
    DJ_SLOT_NONE,
    DJ_SLOT_OTHER,
    DJ_SLOT_CPU,
    DJ_SLOT_VALUE,
    DJ_SLOT_VALUE_2,
    DJ_SLOT_STATE,   /* letters or bits of a task's state */
    DJ_SLOT_REPLY,   /* of binder, into `state`: it is one */
    DJ_SLOT_ONE_WAY, /* … and so are flags, of which one says this */
    DJ_SLOT_BITS,    /* of `value`; in text they are hexadecimal */
    DJ_SLOT_TASK,
    DJ_SLOT_NAME,
    DJ_SLOT_OTHER_NAME
};

enum { DJ_SHAPE_FIELDS = 5 };

struct dj_shape_field {
    const char *name; /* in text and in format files; NULL: there are no more fields */
    uint8_t number;   /* in Perfetto's message; 0: it has none */
    enum dj_slot slot;
    const char *old; /* what it was called once; NULL: nothing else */
};

struct dj_shape {
    const char *name;
    uint16_t number; /* of Perfetto's message in FtraceEvent; 0: it has none */
    enum dj_event_kind kind;
};

/* The fields of each kind, whatever the event is called. */
extern const struct dj_shape_field dj_shape_fields[DJ_EVENT_KINDS][DJ_SHAPE_FIELDS];
/* What the field of that name fills, which it may have had once. */
enum dj_slot dj_shape_slot(enum dj_event_kind kind, struct dj_str name);

/* NULL: an event without a meaning here. */
const struct dj_shape *dj_shape_find(struct dj_str name);
const struct dj_shape *dj_shape_find_number(uint32_t number);
/* The one that is read as such an event; NULL: none is. */
const struct dj_shape *dj_shape_find_kind(enum dj_event_kind kind);

/* Whether a field of it is a text. */
static inline bool dj_slot_is_text(enum dj_slot slot)
{
    return slot == DJ_SLOT_TASK || slot == DJ_SLOT_NAME || slot == DJ_SLOT_OTHER_NAME;
}

/* A field's number, or its text, goes where it belongs. Each event has some: called, they
 * would take twice as long. */
static inline void dj_slot_number(struct dj_event *event, enum dj_slot slot,
                                  int64_t value)
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
        event->state = (uint8_t)dj_task_state_of_bits(value);
        break;
    case DJ_SLOT_REPLY:
        event->state |= value != 0 ? DJ_BINDER_REPLY : 0;
        break;
    case DJ_SLOT_ONE_WAY:
        event->state |= (value & 1) != 0 ? DJ_BINDER_ONE_WAY : 0;
        break;
    default:
        break;
    }
}

static inline void dj_slot_words(struct dj_event *event, enum dj_slot slot,
                                 struct dj_str words)
{
    switch (slot) {
    case DJ_SLOT_STATE:
        event->state = (uint8_t)dj_task_state_of(words);
        break;
    case DJ_SLOT_BITS:
        dj_number_hex(words, &event->value);
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
