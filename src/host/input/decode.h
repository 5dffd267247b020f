/* Streams that decode another stream, called `below`. */
#ifndef DEJANK_INPUT_DECODE_H
#define DEJANK_INPUT_DECODE_H

#include "input/stream.h"

/* Decodes consecutive gzip members and compares their checksums. Skips zeros after the
 * last member, because tapes are padded with zeros. Other bytes after the last member
 * cause an error at the end of the stream. */
struct dj_stream *dj_input_stream_of_gzip(struct dj_stream *below);

/* Decodes a deflate stream without a gzip header, as in zip archives. Reads no byte after
 * the end of the deflate stream. */
struct dj_stream *dj_input_stream_of_deflate(struct dj_stream *below);

/* Decodes consecutive zstd frames. Refuses frames with a window above 128 MiB, which
 * `zstd --long=28` and higher values create. */
struct dj_stream *dj_input_stream_of_zstd(struct dj_stream *below);

/* Decodes consecutive xz streams. Refuses streams that need more than 256 MiB of
 * memory. */
struct dj_stream *dj_input_stream_of_xz(struct dj_stream *below);

/* Converts little-endian UTF-16 to UTF-8. Skips a byte order mark at the beginning.
 * Replaces an unpaired surrogate by U+FFFD. */
struct dj_stream *dj_input_stream_of_utf16_le(struct dj_stream *below);

/* Converts big-endian UTF-16 to UTF-8 in the same way. */
struct dj_stream *dj_input_stream_of_utf16_be(struct dj_stream *below);

#endif
