/*
 * Parses the kernel's descriptions of its events (events/SYSTEM/EVENT/format), and
 * reads binary records that these descriptions define. The readers of this module and
 * the capture module use it.
 */
#ifndef DEJANK_TRACE_EVENT_FORMAT_H
#define DEJANK_TRACE_EVENT_FORMAT_H

#include "base/map.h"
#include "trace/kernel/tracepoints.h"

/* The position of a field in a record, and the member of struct dj_event that the field
 * sets. */
struct dj_trace_format_field {
    /* A size of 0 means that the field extends to the end of the record. */
    uint16_t offset, size;
    uint8_t kind; /* Private. */
    bool is_signed;
    enum dj_event_slot slot;
};

/* The format of one event. `fields` contains only the fields that dejank uses. */
struct dj_trace_format {
    char name[64];
    /* Meaning of the event, or NULL if dejank does not use the event. */
    const struct dj_tracepoint *tracepoint;
    bool marker; /* The text of the event is a marker of an app. */
    struct dj_trace_format_field fields[DJ_TRACEPOINT_FIELDS];
    size_t field_count;
};

/* A bit of a task's state. Different kernels use different bits for a state. */
struct dj_task_bit {
    uint64_t bit;
    enum dj_task_state state;
};

enum { DJ_TASK_BITS = 16 };

/* All formats of a kernel. A zeroed struct is empty. */
struct dj_trace_formats {
    struct dj_trace_format *formats; /* Owned. */
    size_t count;
    struct dj_map places; /* Maps the id of an event to an index in `formats`. */
    /* Fields that each record has. Their size is 0 if they are unknown. */
    struct dj_trace_format_field flags, pid;
    /* Sorted by bit, from the format of sched_switch. */
    struct dj_task_bit task_bits[DJ_TASK_BITS];
    size_t task_bit_count;
};

/* Reads a number from a line that describes a field, for example 8 from "offset:8;".
 * Returns false if `key` is missing or the number is not between 0 and `most`. */
bool dj_trace_format_read_number(struct dj_str line, const char *key, int64_t most,
                                 int64_t *number);

/* Adds one description. Returns DJ_E_INVALID if the text has no event name or no event
 * id. */
int dj_trace_formats_add(struct dj_trace_formats *formats, struct dj_str text,
                         struct dj_error *err);
void dj_trace_formats_finish(struct dj_trace_formats *formats);

/* Sets all members of *event except cpu and at_ns from the bytes of a record. If the
 * description of the event is unknown, the event becomes DJ_EVENT_OTHER without a name.
 * Returns false if the record is too short. Strings of *event point into the record. */
bool dj_trace_formats_read_record(const struct dj_trace_formats *formats,
                                  const uint8_t *record, size_t size,
                                  struct dj_event *event);

#endif
