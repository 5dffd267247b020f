/* PowerShell's `>` writes UTF-16: a byte order mark (FF FE), and then two bytes for each
 * character. */
#include "input/decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "memory/memory.h"

enum { REPLACEMENT = 0xFFFD };

/* Returns the number in two bytes. `high` is the index of the high byte. */
static uint32_t read_unit(unsigned high, const char *bytes)
{
    return (uint32_t)(unsigned char)bytes[high] << 8 | (unsigned char)bytes[1 - high];
}

/* Decodes the next character from `left` bytes (at least two). Returns the number of
 * bytes of this character. */
static size_t decode_character(unsigned high, const char *bytes, size_t left,
                               uint32_t *code)
{
    uint32_t first = read_unit(high, bytes);
    *code = first;
    if (first < 0xD800 || first > 0xDFFF) {
        return 2;
    }
    uint32_t second = first < 0xDC00 && left >= 4 ? read_unit(high, bytes + 2) : 0;
    if (second < 0xDC00 || second > 0xDFFF) {
        *code = REPLACEMENT;
        return 2;
    }
    *code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    return 4;
}

static int utf16_produce(struct dj_stream *stream, char *into, size_t room, size_t *got,
                         struct dj_error *err)
{
    const unsigned *high = stream->state;
    struct dj_stream *below = stream->below;
    int code = dj_stream_peek(below, 4, err);
    if (code != 0) {
        return code;
    }
    if (below->left == 1) {
        dj_stream_consume(below, 1);
        return dj_stream_need(below, 1, err);
    }
    /* If four bytes are buffered, stop before the last two, because they may be half a
     * surrogate pair. Fewer than four bytes are the last ones of the text. */
    size_t least = below->left < 4 ? 2 : 4;
    while (below->left >= least && room - *got >= DJ_UTF8_MOST) {
        uint32_t character;
        dj_stream_consume(below,
                          decode_character(*high, below->at, below->left, &character));
        *got += dj_utf8_write(into + *got, character);
    }
    return 0;
}

static struct dj_stream *utf16_open(struct dj_stream *below, unsigned high,
                                    const char *mark)
{
    static const struct dj_stream_kind kind = {utf16_produce, free};
    unsigned *state = dj_xcalloc(1, sizeof(*state));
    *state = high;
    if (below->left >= 2 && memcmp(below->at, mark, 2) == 0) {
        dj_stream_consume(below, 2);
    }
    return dj_stream_create(&kind, state, below);
}

struct dj_stream *dj_input_stream_of_utf16_le(struct dj_stream *below)
{
    return utf16_open(below, 1, "\xff\xfe");
}

struct dj_stream *dj_input_stream_of_utf16_be(struct dj_stream *below)
{
    return utf16_open(below, 0, "\xfe\xff");
}
