/* Computes the DWARF expressions that call frame information contains. */
#ifndef DEJANK_STACKS_CFI_EXPRESSION_H
#define DEJANK_STACKS_CFI_EXPRESSION_H

#include "stacks/cfi/row.h"

/* The known registers of one frame. */
struct dj_cfi_registers {
    uint64_t values[DJ_CFI_REGISTERS];
    uint64_t known; /* Bit mask: bit n is set if values[n] is known. */
};

/* A copy of a part of the stack's memory. */
struct dj_cfi_memory {
    const uint8_t *bytes;
    uint64_t start; /* Address of the first byte. */
    uint64_t size;
};

/* Reads a little-endian number of `size` bytes, from 1 to 8. Returns false if the copy
 * does not contain them. */
static inline bool dj_cfi_memory_read(const struct dj_cfi_memory *memory,
                                      uint64_t address, size_t size, uint64_t *value)
{
    uint64_t offset = address - memory->start;
    if (size > memory->size || offset > memory->size - size) {
        return false;
    }
    *value = 0;
    __builtin_memcpy(value, memory->bytes + offset, size);
    return true;
}

static inline bool dj_cfi_registers_get(const struct dj_cfi_registers *registers,
                                        uint64_t number, uint64_t *value)
{
    if (number >= DJ_CFI_REGISTERS || (registers->known >> number & 1) == 0) {
        return false;
    }
    *value = registers->values[number];
    return true;
}

/* Computes an expression. If `first` is not NULL, pushes *first before the first
 * operation. Returns false if the expression is damaged, has an unsupported operation, or
 * needs a register or memory that is unknown. */
bool dj_cfi_expression_compute(const struct dj_cfi_rule *rule, const uint64_t *first,
                               const struct dj_cfi_registers *registers,
                               const struct dj_cfi_memory *memory, uint64_t *result);

#endif
