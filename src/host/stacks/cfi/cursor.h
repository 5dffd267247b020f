/* Reads numbers of DWARF from a buffer, one after the other. A read beyond the end
 * returns 0 and sets `failed`. */
#ifndef DEJANK_STACKS_CFI_CURSOR_H
#define DEJANK_STACKS_CFI_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dj_cfi_cursor {
    const uint8_t *at, *end;
    bool failed;
};

/* A range of a file that was read into memory. */
struct dj_cfi_section {
    const uint8_t *bytes;
    size_t size;
    uint64_t address; /* Address of the first byte, in the numbering of the file. */
};

static inline struct dj_cfi_cursor dj_cfi_cursor_of(const uint8_t *bytes, size_t size)
{
    return (struct dj_cfi_cursor){bytes, bytes + size, false};
}

static inline size_t dj_cfi_cursor_rest(const struct dj_cfi_cursor *cursor)
{
    return (size_t)(cursor->end - cursor->at);
}

/* Reads a little-endian number of `size` bytes, from 1 to 8. */
uint64_t dj_cfi_cursor_read_number(struct dj_cfi_cursor *cursor, size_t size);
/* Like dj_cfi_cursor_read_number(), but extends the sign. */
uint64_t dj_cfi_cursor_read_signed(struct dj_cfi_cursor *cursor, size_t size);
/* Read a LEB128 number, unsigned or signed. Bits beyond the 64th are ignored. A signed
 * number is returned as its two's complement. */
uint64_t dj_cfi_cursor_read_uleb(struct dj_cfi_cursor *cursor);
uint64_t dj_cfi_cursor_read_sleb(struct dj_cfi_cursor *cursor);
/* Skips the next `size` bytes and returns their address. Returns NULL if fewer bytes are
 * left. */
const uint8_t *dj_cfi_cursor_skip(struct dj_cfi_cursor *cursor, uint64_t size);

/* Encoding DW_EH_PE_omit: there is no pointer. */
enum { DJ_CFI_OMIT = 0xff };

/* Reads a pointer of exception tables, in an encoding of the Linux Standard Base. `base`
 * is added to pointers relative to data. Indirect pointers are returned as they are
 * stored. An unknown encoding sets `failed`. */
uint64_t dj_cfi_cursor_read_pointer(struct dj_cfi_cursor *cursor, uint8_t encoding,
                                    const struct dj_cfi_section *section, uint64_t base);

#endif
