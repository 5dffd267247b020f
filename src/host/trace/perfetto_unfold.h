/* Packets that hold other packets, compressed. Of this room only. */
#ifndef DEJANK_TRACE_PERFETTO_UNFOLD_H
#define DEJANK_TRACE_PERFETTO_UNFOLD_H

#include "trace/perfetto_wire.h"

/* One packet may unfold to this many bytes; Perfetto's own are far below 1 MiB. */
enum { DJ_PERFETTO_PACKET_MOST = 128 << 20 };

/*
 * Unfolds the bytes of such a packet, up to `most` of them and some more. *bytes (free()
 * it) holds what came of them before the end, or before damage or what is too much: then
 * the answer is false.
 */
bool dj_perfetto_unfold(uint32_t kind, struct dj_str packed, uint64_t most,
                        uint8_t **bytes, size_t *length);

#endif
