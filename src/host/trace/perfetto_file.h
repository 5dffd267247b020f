/*
 * Files and streams that hold a Perfetto trace, with what is compressed in them unfolded:
 * the packets then lie in one piece, the file itself where nothing is compressed, else a
 * file without a name in TMPDIR (/tmp). Of this room only.
 */
#ifndef DEJANK_TRACE_PERFETTO_FILE_H
#define DEJANK_TRACE_PERFETTO_FILE_H

#include "trace/perfetto_read.h"
#include "trace/perfetto_wire.h"
#include "trace/wrapped.h"

/* dj_perfetto_read() of a plain file. */
int dj_perfetto_read_path(const char *path, struct dj_event_sink sink,
                          struct dj_perfetto_told *told, struct dj_error *err);

/* The same of a part of an input. */
int dj_perfetto_read_stream(struct dj_wrapped *part, struct dj_event_sink sink,
                            struct dj_perfetto_told *told, struct dj_error *err);

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
