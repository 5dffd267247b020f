#include "stacks/cfi/cursor.h"

#include "base/count_of.h"

uint64_t dj_cfi_cursor_read_number(struct dj_cfi_cursor *cursor, size_t size)
{
    uint64_t number = 0;
    if (cursor->failed || dj_cfi_cursor_rest(cursor) < size) {
        cursor->failed = true;
        return 0;
    }
    for (size_t i = 0; i < size; i++) {
        number |= (uint64_t)cursor->at[i] << 8 * i;
    }
    cursor->at += size;
    return number;
}

/* `number` has no bits if a read failed. */
static uint64_t extend_sign(uint64_t number, unsigned bits)
{
    bool is_negative = bits > 0 && bits < 64 && (number >> (bits - 1) & 1) != 0;
    return is_negative ? number | UINT64_MAX << bits : number;
}

uint64_t dj_cfi_cursor_read_signed(struct dj_cfi_cursor *cursor, size_t size)
{
    return extend_sign(dj_cfi_cursor_read_number(cursor, size), 8 * (unsigned)size);
}

static uint64_t read_leb(struct dj_cfi_cursor *cursor, bool is_signed)
{
    uint64_t number = 0;
    unsigned shift = 0;
    uint8_t byte = 0x80;
    while ((byte & 0x80) != 0 && !cursor->failed) {
        byte = (uint8_t)dj_cfi_cursor_read_number(cursor, 1);
        number |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        shift += shift < 64 ? 7 : 0;
    }
    return is_signed ? extend_sign(number, shift) : number;
}

uint64_t dj_cfi_cursor_read_uleb(struct dj_cfi_cursor *cursor)
{
    return read_leb(cursor, false);
}

uint64_t dj_cfi_cursor_read_sleb(struct dj_cfi_cursor *cursor)
{
    return read_leb(cursor, true);
}

const uint8_t *dj_cfi_cursor_skip(struct dj_cfi_cursor *cursor, uint64_t size)
{
    const uint8_t *from = cursor->at;
    if (cursor->failed || dj_cfi_cursor_rest(cursor) < size) {
        cursor->failed = true;
        return NULL;
    }
    cursor->at += size;
    return from;
}

static uint64_t read_8(struct dj_cfi_cursor *cursor)
{
    return dj_cfi_cursor_read_number(cursor, 8);
}

static uint64_t read_u2(struct dj_cfi_cursor *cursor)
{
    return dj_cfi_cursor_read_number(cursor, 2);
}

static uint64_t read_u4(struct dj_cfi_cursor *cursor)
{
    return dj_cfi_cursor_read_number(cursor, 4);
}

static uint64_t read_s2(struct dj_cfi_cursor *cursor)
{
    return dj_cfi_cursor_read_signed(cursor, 2);
}

static uint64_t read_s4(struct dj_cfi_cursor *cursor)
{
    return dj_cfi_cursor_read_signed(cursor, 4);
}

/* Functions that read a pointer, indexed by the lower four bits of its encoding. */
static uint64_t (*const formats[16])(struct dj_cfi_cursor *) = {
    [0x0] = read_8, [0x1] = dj_cfi_cursor_read_uleb, [0x2] = read_u2, [0x3] = read_u4,
    [0x4] = read_8, [0x9] = dj_cfi_cursor_read_sleb, [0xa] = read_s2, [0xb] = read_s4,
    [0xc] = read_8,
};

uint64_t dj_cfi_cursor_read_pointer(struct dj_cfi_cursor *cursor, uint8_t encoding,
                                    const struct dj_cfi_section *section, uint64_t base)
{
    enum { RELATIVE = 0x70, TO_ITSELF = 0x10, TO_DATA = 0x30 };
    uint64_t here = section->address + (uint64_t)(cursor->at - section->bytes);
    int relative = encoding & RELATIVE;
    if (formats[encoding & 0xf] == NULL ||
        (relative != 0 && relative != TO_ITSELF && relative != TO_DATA)) {
        cursor->failed = true;
        return 0;
    }
    uint64_t value = formats[encoding & 0xf](cursor);
    return value + (relative == TO_ITSELF ? here : relative == TO_DATA ? base : 0);
}
