/* A packet's frame: all that stands beside its one message. Of this room only. */
#ifndef DEJANK_TRACE_PERFETTO_PACKET_H
#define DEJANK_TRACE_PERFETTO_PACKET_H

#include "trace/perfetto_wire.h"

struct dj_pf_packet {
    uint64_t timestamp;
    uint64_t clock;    /* 0: its sequence's, or the trace's */
    uint64_t sequence; /* 0: none */
    uint32_t kind;     /* the number of its message; 0: it has none */
    bool timed;        /* it has a timestamp */
    bool cleared, needs_state, dropped, first; /* flags of its sequence */
    struct dj_str body, interned, defaults;    /* messages; at is NULL: not there */
};

/* False: it makes no sense; what came before that is there. */
bool dj_pf_packet_read(struct dj_str bytes, struct dj_pf_packet *packet);

#endif
