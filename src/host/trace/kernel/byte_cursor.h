/*
 * Reads little-endian numbers, bytes and strings from a buffer, one after the other. If a
 * read would go beyond the end of the buffer, it returns 0 or an empty string and sets
 * `failed`.
 */
#ifndef DEJANK_TRACE_KERNEL_BYTE_CURSOR_H
#define DEJANK_TRACE_KERNEL_BYTE_CURSOR_H

#include "trace/event.h"

/* Decodes a little-endian number of up to 8 bytes. */
static inline uint64_t dj_byte_cursor_decode_number(const uint8_t *bytes, size_t size)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++) {
        number |= (uint64_t)bytes[i] << (8 * i);
    }
    return number;
}

struct dj_byte_cursor {
    const uint8_t *bytes;
    size_t size, at;
    bool failed;
};

/* Reads a little-endian number of `size` bytes: 1, 2, 4 or 8. */
uint64_t dj_byte_cursor_read_number(struct dj_byte_cursor *cursor, size_t size);
/* Returns the next `length` bytes. Returns an empty string if fewer bytes are left. */
struct dj_str dj_byte_cursor_read_bytes(struct dj_byte_cursor *cursor, uint64_t length);
/* Returns the next string, which ends at a NUL, and skips the NUL. */
struct dj_str dj_byte_cursor_read_string(struct dj_byte_cursor *cursor);

#endif
