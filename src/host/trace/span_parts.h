/* Which events begin and end what spans, and by what the two are known to belong
 * together. For spans.c. */
#ifndef DEJANK_TRACE_SPAN_PARTS_H
#define DEJANK_TRACE_SPAN_PARTS_H

#include "trace/event.h"
#include "trace/trace.h"

enum dj_span_role { DJ_SPAN_NO_ROLE, DJ_SPAN_BEGINS, DJ_SPAN_ENDS };

/* That a beginning and its end have in common. */
struct dj_span_key {
    int64_t first, second;
    uint8_t kind; /* enum dj_trace_span_kind, or what spans.c adds to it */
    bool soft;
};

/* Whether events of a kind may have one. */
bool dj_span_kind_has_role(enum dj_event_kind kind);

/* A reading begins, too: the next one ends it. */
enum dj_span_role dj_span_role_of(const struct dj_event *event);

/* The rest of events that have a role. */

/* "": it has none. */
const char *dj_span_name(struct dj_names *names, const struct dj_event *event);
struct dj_span_key dj_span_key_of(const struct dj_event *event, const char *name);
/* As it begins. */
struct dj_trace_span dj_span_of(const struct dj_event *event, const char *name);

#endif
