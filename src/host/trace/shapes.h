/* What the kernel's events are to us: one table for all ways they reach us, text, ring
 * pages and protobuf, since their fields are the same everywhere. Of this room only. */
#ifndef DEJANK_TRACE_SHAPES_H
#define DEJANK_TRACE_SHAPES_H

#include "trace/event.h"

/* Which part of struct dj_event a field fills. */
enum dj_slot {
    DJ_SLOT_NONE,
    DJ_SLOT_OTHER,
    DJ_SLOT_CPU,
    DJ_SLOT_VALUE,
    DJ_SLOT_VALUE_2,
    DJ_SLOT_STATE, /* letters or bits of a task's state */
    DJ_SLOT_FLAG,  /* a number, into `state` */
    DJ_SLOT_BITS,  /* of `value`; in text they are hexadecimal */
    DJ_SLOT_TASK,
    DJ_SLOT_NAME,
    DJ_SLOT_OTHER_NAME
};

enum { DJ_SHAPE_FIELDS = 5 };

struct dj_shape_field {
    const char *name; /* in text and in format files */
    const char *old;  /* what it was called once; NULL: nothing else */
    uint8_t number;   /* in Perfetto's message; 0: it has none */
    enum dj_slot slot;
};

struct dj_shape {
    const char *name;
    uint16_t number; /* of Perfetto's message in FtraceEvent; 0: it has none */
    enum dj_event_kind kind;
    struct dj_shape_field fields[DJ_SHAPE_FIELDS];
};

/* NULL: an event without a meaning here. */
const struct dj_shape *dj_shape_find(const char *name, size_t length);
const struct dj_shape *dj_shape_find_number(uint32_t number);
/* The one that is read as such an event; NULL: none is. */
const struct dj_shape *dj_shape_find_kind(enum dj_event_kind kind);

void dj_slot_number(struct dj_event *event, enum dj_slot slot, int64_t value);
void dj_slot_words(struct dj_event *event, enum dj_slot slot, struct dj_words words);

#endif
