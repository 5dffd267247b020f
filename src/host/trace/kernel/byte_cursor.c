#include "trace/kernel/byte_cursor.h"

#include <string.h>

struct dj_str dj_byte_cursor_read_bytes(struct dj_byte_cursor *cursor, uint64_t length)
{
    if (cursor->failed || cursor->at > cursor->size ||
        length > cursor->size - cursor->at) {
        cursor->failed = true;
        return (struct dj_str){"", 0};
    }
    const char *from = (const char *)cursor->bytes + cursor->at;
    cursor->at += (size_t)length;
    return (struct dj_str){from, (size_t)length};
}

uint64_t dj_byte_cursor_read_number(struct dj_byte_cursor *cursor, size_t size)
{
    struct dj_str bytes = dj_byte_cursor_read_bytes(cursor, size);
    return dj_byte_cursor_decode_number((const uint8_t *)bytes.at, bytes.length);
}

struct dj_str dj_byte_cursor_read_string(struct dj_byte_cursor *cursor)
{
    bool ended = cursor->failed || cursor->at >= cursor->size;
    size_t left = ended ? 0 : cursor->size - cursor->at;
    size_t length =
        left == 0 ? 0 : strnlen((const char *)cursor->bytes + cursor->at, left);
    if (length == left) {
        cursor->failed = true;
        return (struct dj_str){"", 0};
    }
    struct dj_str words = dj_byte_cursor_read_bytes(cursor, length);
    cursor->at++;
    return words;
}
