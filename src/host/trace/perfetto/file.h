/*
 * Reads files and streams with a Perfetto trace and unpacks compressed packets. The
 * packets then lie in one piece: in the file itself if nothing is compressed, else in an
 * unnamed file in TMPDIR (/tmp).
 */
#ifndef DEJANK_TRACE_PERFETTO_FILE_H
#define DEJANK_TRACE_PERFETTO_FILE_H

#include "trace/packed_input.h"
#include "trace/perfetto/fields.h"
#include "trace/perfetto/read.h"

/* As dj_perfetto_read(), for a plain file. */
int dj_perfetto_read_path(const char *path, struct dj_event_sink sink,
                          struct dj_perfetto_summary *summary, struct dj_error *err);

/* The same for a part of an input. */
int dj_perfetto_read_stream(struct dj_packed_input *part, struct dj_event_sink sink,
                            struct dj_perfetto_summary *summary, struct dj_error *err);

/* Maximum unpacked size of one packet in bytes. Perfetto's own packets are far below 1
 * MiB. */
enum { DJ_PERFETTO_PACKET_MAX = 128 << 20 };

/* Unpacks the content of a compressed packet of that kind, up to a little more than
 * `most` bytes. *bytes gets the unpacked bytes; the caller frees it with free(). Returns
 * false if the data is damaged, truncated or too large. Then *bytes has what came before.
 */
bool dj_perfetto_unpack(uint32_t kind, struct dj_str packed, uint64_t most,
                        uint8_t **bytes, size_t *length);

#endif
