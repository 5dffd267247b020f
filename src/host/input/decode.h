/* What is decoded from another stream. */
#ifndef DEJANK_INPUT_DECODE_H
#define DEJANK_INPUT_DECODE_H

#include "input/stream.h"

/* gzip members one after the other, with checksums; zeros after them (tapes'
 * padding) are passed over, anything else is an error at the end. */
struct dj_stream *dj_stream_of_gzip(struct dj_stream *below);

/* A bare deflate stream, as zip has; takes no byte behind its end. */
struct dj_stream *dj_stream_of_deflate(struct dj_stream *below);

/* zstd frames one after the other; a window above 128 MiB (`zstd --long=28` and
 * more) is refused. */
struct dj_stream *dj_stream_of_zstd(struct dj_stream *below);

/* xz streams one after the other; what needs more than 256 MiB is refused.
 */
struct dj_stream *dj_stream_of_xz(struct dj_stream *below);

/* UTF-16, also after a byte order mark that is at hand in `below`, comes out as UTF-8;
 * half a pair of surrogates as U+FFFD. */
struct dj_stream *dj_stream_of_utf16_le(struct dj_stream *below);
struct dj_stream *dj_stream_of_utf16_be(struct dj_stream *below);

#endif
