/*
 * Parses the descriptions of events that the kernel provides
 * (events/SYSTEM/EVENT/format), and reads binary records of these events. Both the trace
 * readers and the capture module use it.
 */
#ifndef DEJANK_TRACE_EVENT_FORMAT_H
#define DEJANK_TRACE_EVENT_FORMAT_H

#include "base/map.h"
#include "trace/kernel/tracepoints.h"

/* The position of a field in a record, and the member of struct dj_event that the field
 * sets. */
struct dj_trace_format_field {
    /* Position and size of the field in bytes. If the size is 0, the field extends to the
     * end of the record. */
    uint16_t offset, size;
    uint8_t kind; /* Kind of the field. Private. */
    bool is_signed;
    enum dj_event_slot slot;
};

/* The format of one event. `fields` contains only the fields that dejank uses. */
struct dj_trace_format {
    char name[64];
    /* The kind of event that dejank knows by this name, or NULL if dejank does not use
     * the event. */
    const struct dj_tracepoint *tracepoint;
    bool marker; /* True if the text of the event is a marker of an app. */
    struct dj_trace_format_field fields[DJ_TRACEPOINT_FIELDS];
    size_t field_count;
};

/* A bit of a task's state, and its meaning. Different kernels use different bits. */
struct dj_task_bit {
    uint64_t bit;
    enum dj_task_state state;
};

enum { DJ_TASK_BITS = 16 };

/* The formats of all events of a kernel. A zeroed struct is empty. */
struct dj_trace_formats {
    struct dj_trace_format *formats; /* Formats. Owned by this struct. */
    size_t count;
    struct dj_map places; /* Maps the id of an event to an index in `formats`. */
    /* Fields that all records contain. Their size is 0 if they are unknown. */
    struct dj_trace_format_field flags, pid;
    /* Meanings of the bits of a task's state, from the format of sched_switch, sorted by
     * bit. */
    struct dj_task_bit task_bits[DJ_TASK_BITS];
    size_t task_bit_count;
};

/* Reads a number from a line that describes a field. For example, the number after the
 * key "offset:" in "offset:8;" is 8. Returns false if the line does not contain `key`, or
 * if the number is not between 0 and `most`. */
bool dj_trace_format_read_number(struct dj_str line, const char *key, int64_t most,
                                 int64_t *number);

/* Adds the description of one event. Returns DJ_E_INVALID if the text contains no event
 * name or no event id. */
int dj_trace_formats_add(struct dj_trace_formats *formats, struct dj_str text,
                         struct dj_error *err);
void dj_trace_formats_finish(struct dj_trace_formats *formats);

/* Reads a record. Sets all members of *event except cpu and at_ns. If the description of
 * the event is unknown, the event is a DJ_EVENT_OTHER without a name. Strings of *event
 * point into the record. Returns false if the record is too short. */
bool dj_trace_formats_read_record(const struct dj_trace_formats *formats,
                                  const uint8_t *record, size_t size,
                                  struct dj_event *event);

#endif
