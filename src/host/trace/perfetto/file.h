/*
 * Reads files and streams that contain a Perfetto trace. Compressed packets are unpacked.
 * The packet reader needs all packets in one block of memory. If nothing is compressed,
 * this block is the mapped file. Otherwise it is a mapped temporary file in TMPDIR (or
 * /tmp).
 */
#ifndef DEJANK_TRACE_PERFETTO_FILE_H
#define DEJANK_TRACE_PERFETTO_FILE_H

#include "trace/input/packed_input.h"
#include "trace/perfetto/fields.h"
#include "trace/perfetto/read.h"

/* Reads an uncompressed file, as dj_perfetto_read() does. */
int dj_perfetto_read_path(const char *path, struct dj_event_sink sink,
                          struct dj_perfetto_summary *summary, struct dj_error *err);

/* Reads one file of an input that may be compressed or an archive, as dj_perfetto_read()
 * does. */
int dj_perfetto_read_stream(struct dj_packed_input *part, struct dj_event_sink sink,
                            struct dj_perfetto_summary *summary, struct dj_error *err);

/* Maximum unpacked size of one packet in bytes. Packets that Perfetto writes are much
 * smaller than 1 MiB. */
enum { DJ_PERFETTO_PACKET_MAX = 128 << 20 };

/* Unpacks a compressed packet. `kind` is the number of the field that contains the
 * compressed data. Sets *bytes to the unpacked bytes, which the caller frees with free().
 * Stops after a little more than `most` bytes. Returns false if the data is damaged,
 * truncated or too large. *bytes then contains everything before the error. */
bool dj_perfetto_unpack(uint32_t kind, struct dj_str packed, uint64_t most,
                        uint8_t **bytes, size_t *length);

#endif
