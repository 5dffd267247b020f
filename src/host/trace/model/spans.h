/*
 * Pairs events of CPUs, interrupts and requests to spans: a begin with its end, and a
 * reading with the next one.
 */
#ifndef DEJANK_TRACE_MODEL_SPANS_H
#define DEJANK_TRACE_MODEL_SPANS_H

#include "trace/model/threads.h"

struct dj_span_slot;

/* Zero it and set the first two members. */
struct dj_spans {
    struct dj_trace *trace;
    struct dj_threads *threads;
    struct dj_trace_rows rows;  /* owned */
    struct dj_span_slot *slots; /* spans that are open, or were; owned */
    size_t count, capacity;
    struct dj_map places; /* index in `slots`, by hash of the key */
    uint32_t *losses;     /* number of losses of each CPU's events; owned */
    size_t cpu_count;
    uint32_t losses_of_all; /* losses without a known CPU */
    uint32_t losses_in_all; /* losses of any CPU */
};

/* Accepts an event of any kind. After a loss of events of a CPU, it pairs no begin before
 * the loss with an end after it. A thread that receives a transaction for a process
 * belongs to that process. If more than 131 072 begins have no end, they become open
 * spans. */
void dj_spans_update(struct dj_spans *spans, const struct dj_event *event);

/* Ends open readings at the trace's end and moves all spans to the trace. */
void dj_spans_complete(struct dj_spans *spans, int64_t last_ns);
void dj_spans_finish(struct dj_spans *spans);

/* ---- which events begin and end a span, and the key that pairs them ----
 */

enum dj_span_role { DJ_SPAN_NO_ROLE, DJ_SPAN_BEGINS, DJ_SPAN_ENDS };

/* What a begin and its end have in common. */
struct dj_span_key {
    int64_t first, second;
    uint8_t kind; /* enum dj_trace_span_kind, or the additional kind of dj_spans */
    bool soft;
};

/* A reading also counts as a begin: the next one ends it. */
enum dj_span_role dj_span_get_role(const struct dj_event *event);

/* The functions below need an event that has a role. */

/* Returns "" if the span has no name. */
const char *dj_span_get_name(struct dj_trace_names *names, const struct dj_event *event);
struct dj_span_key dj_span_get_key(const struct dj_event *event, const char *name);
/* Returns the span as it begins. */
struct dj_trace_span dj_span_begin(const struct dj_event *event, const char *name);

#endif
