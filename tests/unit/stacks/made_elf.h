/* Small ELF files for tests: one segment, unwind information, symbols and a build-id. */
#ifndef DEJANK_TESTS_MADE_ELF_H
#define DEJANK_TESTS_MADE_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct made_symbol {
    const char *name;
    uint64_t start, size;
    uint8_t binding;
};

/* The unwind information of one function. */
struct made_frame {
    uint64_t start, size;
    const uint8_t *program; /* Instructions of the FDE. */
    size_t program_size;
};

struct made_elf_plan {
    uint16_t machine;         /* EM_X86_64 or EM_AARCH64. */
    const char *augmentation; /* "zR" or "zRS". */
    const uint8_t *initial;   /* Instructions of the CIE. */
    size_t initial_size;
    const struct made_frame *frames; /* In the order of their starts. */
    size_t frame_count;
    const struct made_symbol *symbols;
    size_t symbol_count;
    bool has_header;     /* .eh_frame_hdr with a sorted table. */
    uint8_t build_id;    /* Each byte of the build-id. 0: none. */
    const uint8_t *code; /* Bytes at `code_at`. */
    size_t code_at, code_size;
};

enum { MADE_ELF_BYTES = 16384 };

struct made_elf {
    uint8_t bytes[MADE_ELF_BYTES];
    size_t size;
};

/* Address and offset in the file are the same. Functions should be between 0x100 and
 * 0x1000, where the file has no other content. */
void made_elf_build(struct made_elf *elf, const struct made_elf_plan *plan);

#endif
