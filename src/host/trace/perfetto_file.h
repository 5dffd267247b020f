/*
 * Files and streams that hold a Perfetto trace, with what is compressed in them unfolded:
 * the packets then lie in one piece, the file itself where nothing is compressed, else a
 * file without a name in TMPDIR (/tmp). Of this room only.
 */
#ifndef DEJANK_TRACE_PERFETTO_FILE_H
#define DEJANK_TRACE_PERFETTO_FILE_H

#include "trace/aside.h"
#include "trace/perfetto_read.h"

/* dj_perfetto_read() of a plain file. */
int dj_perfetto_read_path(const char *path, struct dj_event_sink sink,
                          struct dj_perfetto_told *told, struct dj_error *err);

/* The same of a stream. */
int dj_perfetto_read_stream(const struct dj_aside_stream *stream,
                            struct dj_event_sink sink, struct dj_perfetto_told *told,
                            struct dj_error *err);

#endif
