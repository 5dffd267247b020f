/* Reads the frame of a packet: all fields except its one message. */
#ifndef DEJANK_TRACE_PERFETTO_PACKET_H
#define DEJANK_TRACE_PERFETTO_PACKET_H

#include "trace/perfetto/fields.h"

struct dj_perfetto_packet {
    uint64_t timestamp;
    uint64_t clock;    /* 0: that of its sequence, or of the trace */
    uint64_t sequence; /* 0: none */
    uint32_t kind;     /* number of its message; 0: none */
    bool timed;        /* it has a timestamp */
    bool cleared, needs_state, dropped, first; /* flags of its sequence */
    struct dj_str body, interned, defaults;    /* messages; at is NULL: missing */
};

/* Returns false if the packet is invalid. Then *packet has the fields before the fault.
 */
bool dj_perfetto_packet_read(struct dj_str bytes, struct dj_perfetto_packet *packet);

#endif
