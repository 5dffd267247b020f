/* The kernel's description of its events (events/SYSTEM/EVENT/format), and records read
 * by it. For readers of this room, and captures. */
#ifndef DEJANK_TRACE_FORMAT_H
#define DEJANK_TRACE_FORMAT_H

#include "base/map.h"
#include "trace/shapes.h"

/* Where in a record a field lies, and what it fills. */
struct dj_format_field {
    uint16_t offset, size; /* size 0: up to the record's end */
    uint8_t kind;          /* of format.c's */
    bool is_signed;
    enum dj_slot slot;
};

/* One event. Its own fields are those that mean something here. */
struct dj_format {
    char name[64];
    const struct dj_shape *shape; /* NULL: it means nothing here */
    bool marker;                  /* its text is an app's marker */
    struct dj_format_field fields[DJ_SHAPE_FIELDS];
    size_t field_count;
};

/* A bit of a task's state, which kernels number differently. */
struct dj_task_bit {
    uint64_t bit;
    enum dj_task_state state;
};

enum { DJ_TASK_BITS = 16 };

/* All of a kernel. All zero is none. */
struct dj_formats {
    struct dj_format *formats; /* owned */
    size_t count;
    struct dj_map places;              /* of formats, by id */
    struct dj_format_field flags, pid; /* of every record; of 0 bytes: not known */
    struct dj_task_bit task_bits[DJ_TASK_BITS]; /* by rising bit, as sched_switch says */
    size_t task_bit_count;
};

/* The number of a field's line, "offset:8;", from 0 to `most`. False: it has none. */
bool dj_format_number(struct dj_str line, const char *key, int64_t most, int64_t *number);

/* Takes one description in. DJ_E_INVALID where it is none. */
int dj_formats_add(struct dj_formats *formats, struct dj_str text, struct dj_error *err);
void dj_formats_finish(struct dj_formats *formats);

/* Fills all of the event but cpu and at_ns from a record's bytes. An event whose
 * description is not there is DJ_EVENT_OTHER without a name. False: it is too short to be
 * a record. The event points into the record. */
bool dj_formats_read(const struct dj_formats *formats, const uint8_t *record, size_t size,
                     struct dj_event *event);

#endif
