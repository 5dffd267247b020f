/*
 * Reads little-endian numbers, bytes and strings one after the other. After the end it
 * returns 0 and sets `failed`.
 */
#ifndef DEJANK_TRACE_KERNEL_BYTE_CURSOR_H
#define DEJANK_TRACE_KERNEL_BYTE_CURSOR_H

#include "trace/event.h"

/* Reads a little-endian number of up to 8 bytes. */
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

/* `size` is 1, 2, 4 or 8 bytes. */
uint64_t dj_byte_cursor_read_number(struct dj_byte_cursor *cursor, size_t size);
/* Returns `length` bytes, or none if fewer are left. */
struct dj_str dj_byte_cursor_read_bytes(struct dj_byte_cursor *cursor, uint64_t length);
/* Returns the text up to a NUL and skips the NUL. */
struct dj_str dj_byte_cursor_read_string(struct dj_byte_cursor *cursor);

#endif
