/*
 * Files and streams that hold a Perfetto trace, with what is compressed in them unfolded:
 * the packets then lie in one piece, the file itself where nothing is compressed, else a
 * file without a name in TMPDIR (/tmp). Of this room only.
 */
#ifndef DEJANK_TRACE_PERFETTO_FILE_H
#define DEJANK_TRACE_PERFETTO_FILE_H

#include "trace/perfetto_read.h"

/*
 * What is unfolded may be this many times as long as what it comes from, once it is
 * longer than DJ_PERFETTO_FREE bytes: real traces stay below 20. DJ_E_INVALID beyond
 * that.
 */
enum { DJ_PERFETTO_RATIO = 100, DJ_PERFETTO_FREE = 32 << 20 };

/* dj_perfetto_read() of a plain file. DJ_E_UNSUPPORTED names the library that packets are
 * compressed with and this build was made without. */
int dj_perfetto_read_path(const char *path, struct dj_event_sink sink,
                          struct dj_perfetto_told *told, struct dj_error *err);

/* The same of bytes that come in pieces: the first, and then those that `next` gives
 * until it gives none. packed_size is of what they are unfolded from; 0: not known. */
struct dj_perfetto_stream {
    const char *first;
    size_t first_length;
    int (*next)(void *user, const char **bytes, size_t *length, struct dj_error *err);
    void *user;
    uint64_t packed_size;
};
int dj_perfetto_read_stream(const struct dj_perfetto_stream *stream,
                            struct dj_event_sink sink, struct dj_perfetto_told *told,
                            struct dj_error *err);

#endif
