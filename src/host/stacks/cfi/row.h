/* Defines a row of call frame information: how to find the caller of a function from one
 * address of the function. .eh_frame describes the table of these rows (DWARF 5, chapter
 * 6.4). */
#ifndef DEJANK_STACKS_CFI_ROW_H
#define DEJANK_STACKS_CFI_ROW_H

#include "stacks/cfi/cursor.h"

/* Number of registers, which have the numbers of DWARF: 0 to 16 on x86-64, 0 to 32 on
 * arm64. Rules for other registers are skipped, because these contain no pointer to code
 * or to the stack. */
enum { DJ_CFI_REGISTERS = 33 };

enum dj_cfi_rule_kind {
    DJ_CFI_SAME,      /* The function has not changed the register. */
    DJ_CFI_UNDEFINED, /* The register's old value is lost. */
    DJ_CFI_AT_CFA,    /* The value is in memory at the address CFA + offset. */
    DJ_CFI_CFA_PLUS,  /* The value is CFA + offset. */
    DJ_CFI_REGISTER,  /* The value is the value of register `other` plus offset. */
    /* The value is in memory at the address that the expression computes. */
    DJ_CFI_AT_EXPRESSION,
    DJ_CFI_EXPRESSION, /* The value is the result of the expression. */
};

struct dj_cfi_rule {
    uint8_t kind;
    uint8_t number; /* The register that the rule restores. */
    uint8_t other;
    uint32_t size; /* Size of the expression in bytes. */
    union {
        uint64_t offset; /* Offset of the rule, as two's complement. */
        /* Start of the DWARF expression in the bytes of the section. */
        const uint8_t *expression;
    };
};

struct dj_cfi_row {
    /* Rule for the CFA (canonical frame address). Its kind is DJ_CFI_REGISTER or
     * DJ_CFI_EXPRESSION. */
    struct dj_cfi_rule cfa;
    uint8_t return_register;
    /* True for the code to which a signal handler returns. The address of its caller is
     * the interrupted instruction, and not the instruction after a call. */
    bool is_signal;
    uint8_t rule_count;
    /* Rules of the registers, without rules of kind DJ_CFI_SAME. */
    struct dj_cfi_rule rules[DJ_CFI_REGISTERS];
};

/* The call frame information of one function in .eh_frame: its FDE together with the CIE
 * of the FDE. */
struct dj_cfi_entry {
    uint64_t start, end;
    uint64_t code_factor, data_factor;
    uint8_t return_register;
    uint8_t encoding; /* Encoding of the pointers in the FDE. */
    bool is_signal;
    /* Instructions of the CIE, and instructions of the FDE. */
    struct dj_cfi_cursor initial, program;
};

/* Reads the FDE at an offset of the section. Returns false if the FDE is damaged or if
 * there is none at the offset. */
bool dj_cfi_entry_read(const struct dj_cfi_section *section, uint64_t offset,
                       struct dj_cfi_entry *entry);

/* Calls `visit` for each valid FDE of a section. Stops at a record whose header is
 * damaged. */
void dj_cfi_entry_visit(const struct dj_cfi_section *section,
                        void (*visit)(void *user, uint64_t offset,
                                      const struct dj_cfi_entry *entry),
                        void *user);

/* Computes the row for an address of the function. Returns false if the instructions are
 * damaged. */
bool dj_cfi_row_compute(const struct dj_cfi_section *section,
                        const struct dj_cfi_entry *entry, uint64_t address,
                        struct dj_cfi_row *row);

#endif
