/* What is told of processors, interruptions and requests becomes spans: a beginning finds
 * its end, and a reading holds until the next. Of this room only. */
#ifndef DEJANK_TRACE_SPANS_H
#define DEJANK_TRACE_SPANS_H

#include "trace/threads.h"

struct dj_span_slot;

/* Zero it but for the first two. */
struct dj_spans {
    struct dj_trace *trace;
    struct dj_threads *threads;
    struct dj_rows rows;        /* owned */
    struct dj_span_slot *slots; /* what has begun, or had; owned */
    size_t count, capacity;
    struct dj_map places; /* of slots, by hash of their key */
    uint32_t *losses;     /* of each CPU's events: how often; owned */
    size_t cpu_count;
    uint32_t losses_of_all; /* where it is not told of which CPU */
    uint32_t losses_in_all; /* of any CPU */
};

/*
 * Takes an event, of any kind: also that some are lost, over which nothing of that CPU is
 * paired. A thread that takes a transaction to a process is one of that process. More
 * than 131 072 beginnings without an end are not waited for: they stay open.
 */
void dj_spans_take(struct dj_spans *spans, const struct dj_event *event);

/* Ends what is open at the trace's end, and hands all to the trace. */
void dj_spans_end(struct dj_spans *spans, int64_t last_ns);
void dj_spans_finish(struct dj_spans *spans);

/* ---- span_parts.c: which events begin and end what spans, and by what the two are
 * known to belong together ---- */

enum dj_span_role { DJ_SPAN_NO_ROLE, DJ_SPAN_BEGINS, DJ_SPAN_ENDS };

/* That a beginning and its end have in common. */
struct dj_span_key {
    int64_t first, second;
    uint8_t kind; /* enum dj_trace_span_kind, or what spans.c adds to it */
    bool soft;
};

/* A reading begins, too: the next one ends it. */
enum dj_span_role dj_span_role_of(const struct dj_event *event);

/* The rest of events that have a role. */

/* "": it has none. */
const char *dj_span_name(struct dj_names *names, const struct dj_event *event);
struct dj_span_key dj_span_key_of(const struct dj_event *event, const char *name);
/* As it begins. */
struct dj_trace_span dj_span_of(const struct dj_event *event, const char *name);

#endif
