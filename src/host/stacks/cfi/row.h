/*
 * How to find the caller of a function at one address: a row of the table that the call
 * frame information (DWARF 5, chapter 6.4) of .eh_frame describes.
 */
#ifndef DEJANK_STACKS_CFI_ROW_H
#define DEJANK_STACKS_CFI_ROW_H

#include "stacks/cfi/cursor.h"

/* Registers have the numbers of DWARF: 0 to 16 on x86-64, 0 to 32 on arm64. Rules for
 * registers with other numbers are skipped: no pointer to code or stack is in them. */
enum { DJ_CFI_REGISTERS = 33 };

enum dj_cfi_rule_kind {
    DJ_CFI_SAME,          /* The function did not change the register. */
    DJ_CFI_UNDEFINED,     /* The value is lost. */
    DJ_CFI_AT_CFA,        /* The value is in memory at CFA + offset. */
    DJ_CFI_CFA_PLUS,      /* The value is CFA + offset. */
    DJ_CFI_REGISTER,      /* The value is that of register `other` + offset. */
    DJ_CFI_AT_EXPRESSION, /* The value is in memory at the result of the expression. */
    DJ_CFI_EXPRESSION,    /* The value is the result of the expression. */
};

struct dj_cfi_rule {
    uint8_t kind;
    uint8_t number; /* The register that the rule restores. */
    uint8_t other;
    uint32_t size; /* Of the expression. */
    union {
        uint64_t offset; /* Two's complement. */
        /* The DWARF expression, in the bytes of the section. */
        const uint8_t *expression;
    };
};

struct dj_cfi_row {
    struct dj_cfi_rule cfa; /* Kind DJ_CFI_REGISTER or DJ_CFI_EXPRESSION. */
    uint8_t return_register;
    bool is_signal; /* The caller was interrupted at its address. */
    uint8_t rule_count;
    struct dj_cfi_rule rules[DJ_CFI_REGISTERS]; /* Without those of kind DJ_CFI_SAME. */
};

/* A function of .eh_frame: its FDE together with its CIE. */
struct dj_cfi_entry {
    uint64_t start, end;
    uint64_t code_factor, data_factor;
    uint8_t return_register;
    uint8_t encoding; /* Of pointers. */
    bool is_signal;
    struct dj_cfi_cursor initial, program; /* Their instructions. */
};

/* Reads the FDE at an offset of the section. Returns false if it is damaged, or if there
 * is no FDE. */
bool dj_cfi_entry_read(const struct dj_cfi_section *section, uint64_t offset,
                       struct dj_cfi_entry *entry);

/* Visits each FDE of a section, until one is damaged. */
void dj_cfi_entry_visit(const struct dj_cfi_section *section,
                        void (*visit)(void *user, uint64_t offset,
                                      const struct dj_cfi_entry *entry),
                        void *user);

/* Computes the row for an address of the entry. Returns false if the instructions are
 * damaged. */
bool dj_cfi_row_compute(const struct dj_cfi_section *section,
                        const struct dj_cfi_entry *entry, uint64_t address,
                        struct dj_cfi_row *row);

#endif
