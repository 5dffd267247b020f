/*
 * Converts events of CPUs, interrupts and requests to spans. A span lasts from a begin
 * to its end, or from a reading to the next reading.
 */
#ifndef DEJANK_TRACE_MODEL_SPANS_H
#define DEJANK_TRACE_MODEL_SPANS_H

#include "trace/model/threads.h"

struct dj_span_slot;

/* Zero it and set the first two members. */
struct dj_spans {
    struct dj_trace *trace;
    struct dj_threads *threads;
    struct dj_trace_rows rows;  /* Owned. */
    struct dj_span_slot *slots; /* Open spans, and unused slots. Owned. */
    size_t count, capacity;
    struct dj_map places; /* Maps the hash of a key to an index in `slots`. */
    /* For each CPU, the number of times that events were lost. Owned. */
    uint32_t *losses;
    size_t cpu_count;
    uint32_t losses_of_all; /* Number of losses with an unknown CPU. */
    uint32_t losses_in_all; /* Number of all losses. */
};

/* Adds an event of any kind. Ignores kinds that belong to no span. After events of a
 * CPU were lost, a begin before the loss is not paired with an end after it. If a
 * thread receives a Binder transaction for a process, the thread is added to that
 * process. If more than 131 072 spans are open, they are all stored as spans without an
 * end. */
void dj_spans_update(struct dj_spans *spans, const struct dj_event *event);

/* Ends open readings at `last_ns`, the end of the trace, and moves all spans to the
 * trace. */
void dj_spans_complete(struct dj_spans *spans, int64_t last_ns);
void dj_spans_finish(struct dj_spans *spans);

/* ---- begins and ends of spans, and their keys ---- */

enum dj_span_role { DJ_SPAN_NO_ROLE, DJ_SPAN_BEGINS, DJ_SPAN_ENDS };

/* Data that is equal in a begin and its end. */
struct dj_span_key {
    int64_t first, second;
    /* A value of enum dj_trace_span_kind, or RECEIVED_REQUEST of spans.c. */
    uint8_t kind;
    bool soft;
};

/* Returns the role of an event. A reading is a begin, and also ends the previous
 * reading. */
enum dj_span_role dj_span_get_role(const struct dj_event *event);

/* The following functions may be called only for events with a role. */

/* Returns the name of the span, or "" if it has none. */
const char *dj_span_get_name(struct dj_trace_names *names, const struct dj_event *event);
struct dj_span_key dj_span_get_key(const struct dj_event *event, const char *name);
/* Returns the span as it is at its begin. */
struct dj_trace_span dj_span_begin(const struct dj_event *event, const char *name);

#endif
