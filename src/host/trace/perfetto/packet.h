/* Decodes a TracePacket. The messages in the packet stay encoded. */
#ifndef DEJANK_TRACE_PERFETTO_PACKET_H
#define DEJANK_TRACE_PERFETTO_PACKET_H

#include "trace/perfetto/fields.h"

struct dj_perfetto_packet {
    uint64_t timestamp;
    /* Clock of the timestamp. If 0, it is the default clock of the sequence or of the
     * trace. */
    uint64_t clock;
    uint64_t sequence; /* Id of the packet's sequence, or 0 if there is none. */
    uint32_t kind; /* Field number of the packet's main message, or 0 if there is none. */
    bool timed;    /* True if the packet has a timestamp. */
    bool cleared, needs_state, dropped, first; /* Flags about the packet's sequence. */
    /* Encoded messages. If a message is missing, its pointer `at` is NULL. */
    struct dj_str body, interned, defaults;
};

/* Decodes a packet. Returns false if the packet is invalid. *packet then contains the
 * fields before the error. */
bool dj_perfetto_packet_read(struct dj_str bytes, struct dj_perfetto_packet *packet);

#endif
