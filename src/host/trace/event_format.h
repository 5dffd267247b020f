/*
 * Reads the kernel's description of its events (events/SYSTEM/EVENT/format), and records
 * in that format. Readers of this module and captures use it.
 */
#ifndef DEJANK_TRACE_EVENT_FORMAT_H
#define DEJANK_TRACE_EVENT_FORMAT_H

#include "base/map.h"
#include "trace/kernel/tracepoints.h"

/* Position of a field in a record, and the part of the event it fills. */
struct dj_trace_format_field {
    uint16_t offset, size; /* size 0: up to the record's end */
    uint8_t kind;          /* private */
    bool is_signed;
    enum dj_event_slot slot;
};

/* The format of one event. `fields` contains only those that dejank uses. */
struct dj_trace_format {
    char name[64];
    const struct dj_tracepoint *shape; /* NULL: the event has no meaning for dejank */
    bool marker;                       /* its text is a marker of an app */
    struct dj_trace_format_field fields[DJ_TRACEPOINT_FIELDS];
    size_t field_count;
};

/* A bit of a task's state. Kernels number them differently. */
struct dj_task_bit {
    uint64_t bit;
    enum dj_task_state state;
};

enum { DJ_TASK_BITS = 16 };

/* All formats of a kernel. All zero is empty. */
struct dj_trace_formats {
    struct dj_trace_format *formats; /* owned */
    size_t count;
    struct dj_map places;                    /* index in `formats`, by id */
    struct dj_trace_format_field flags, pid; /* in every record; size 0: unknown */
    /* ascending, from the format of sched_switch */
    struct dj_task_bit task_bits[DJ_TASK_BITS];
    size_t task_bit_count;
};

/* Reads the number of a field's line, for example "offset:8;", from 0 to `most`. Returns
 * false if it is missing. */
bool dj_trace_format_read_number(struct dj_str line, const char *key, int64_t most,
                                 int64_t *number);

/* Adds one description. Returns DJ_E_INVALID if the text is none. */
int dj_trace_formats_add(struct dj_trace_formats *formats, struct dj_str text,
                         struct dj_error *err);
void dj_trace_formats_finish(struct dj_trace_formats *formats);

/* Fills all of the event except cpu and at_ns from the bytes of a record. An event
 * without a description becomes DJ_EVENT_OTHER without a name. Returns false if the
 * record is too short. The event points into the record. */
bool dj_trace_formats_read_record(const struct dj_trace_formats *formats,
                                  const uint8_t *record, size_t size,
                                  struct dj_event *event);

#endif
