/* Streams that decode another stream. */
#ifndef DEJANK_INPUT_DECODE_H
#define DEJANK_INPUT_DECODE_H

#include "input/stream.h"

/* Consecutive gzip members, with checksums. Zeros after them (padding of tapes) are
 * skipped. Anything else is an error at the end. */
struct dj_stream *dj_input_stream_of_gzip(struct dj_stream *below);

/* A bare deflate stream, as in zip. Reads no byte after its end. */
struct dj_stream *dj_input_stream_of_deflate(struct dj_stream *below);

/* Consecutive zstd frames. A window above 128 MiB (`zstd --long=28` and more) is
 * refused. */
struct dj_stream *dj_input_stream_of_zstd(struct dj_stream *below);

/* Consecutive xz streams. A stream that needs more than 256 MiB is refused. */
struct dj_stream *dj_input_stream_of_xz(struct dj_stream *below);

/* Converts UTF-16 to UTF-8, also after a byte order mark that is buffered in `below`.
 * Half a pair of surrogates becomes U+FFFD. */
struct dj_stream *dj_input_stream_of_utf16_le(struct dj_stream *below);
struct dj_stream *dj_input_stream_of_utf16_be(struct dj_stream *below);

#endif
