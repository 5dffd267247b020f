/*
 * Converts events of CPUs, interrupts and requests to spans. A span lasts from its begin
 * to its end. A reading is a span that lasts until the next reading.
 */
#ifndef DEJANK_TRACE_MODEL_SPANS_H
#define DEJANK_TRACE_MODEL_SPANS_H

#include "trace/model/threads.h"

struct dj_span_slot;

/* The open spans and the spans that have ended. Zero the struct and set `trace` and
 * `threads`. */
struct dj_spans {
    struct dj_trace *trace;
    struct dj_threads *threads;
    struct dj_trace_rows rows; /* Spans that have ended. Owned by this struct. */
    /* Slots for open spans. Some slots are unused. Owned by this struct. */
    struct dj_span_slot *slots;
    size_t count, capacity;
    struct dj_map places; /* Maps the hash of a key to an index in `slots`. */
    /* For each CPU, how many times events were lost. Owned by this struct. */
    uint32_t *losses;
    size_t cpu_count;
    uint32_t losses_of_all; /* How many times events of an unknown CPU were lost. */
    uint32_t losses_in_all; /* How many times events were lost in total. */
};

/* Adds an event. Ignores events that belong to no span. If events of a CPU were lost
 * between a begin and an end, the two are not paired. If a thread receives a Binder
 * transaction that was sent to a process, sets the process of the thread. If more than
 * 131 072 spans are open, stores all of them as spans without an end. */
void dj_spans_update(struct dj_spans *spans, const struct dj_event *event);

/* Ends open readings at `last_ns`, the end of the trace, and moves all spans to the
 * trace. */
void dj_spans_complete(struct dj_spans *spans, int64_t last_ns);
void dj_spans_finish(struct dj_spans *spans);

enum dj_span_role { DJ_SPAN_NO_ROLE, DJ_SPAN_BEGINS, DJ_SPAN_ENDS };

/* The values that a begin event and its end event have in common. They tell which end
 * belongs to which begin. */
struct dj_span_key {
    int64_t first, second;
    /* A value of enum dj_trace_span_kind, or RECEIVED_REQUEST of spans.c. */
    uint8_t kind;
    bool soft;
};

/* Returns whether the event begins a span, ends one, or neither. An event with a reading
 * begins a span, and also ends the span of the previous reading. */
enum dj_span_role dj_span_get_role(const struct dj_event *event);

/* The following functions may be called only for events that begin or end a span. */

/* Returns the name of the span, or "" if it has none. */
const char *dj_span_get_name(struct dj_trace_names *names, const struct dj_event *event);
struct dj_span_key dj_span_get_key(const struct dj_event *event, const char *name);
/* Returns the span at its begin, without an end. */
struct dj_trace_span dj_span_begin(const struct dj_event *event, const char *name);

#endif
