/* Defines the data of an open ELF file. */
#ifndef DEJANK_STACKS_ELF_FILE_H
#define DEJANK_STACKS_ELF_FILE_H

#include "stacks/cfi/row.h"
#include "stacks/elf.h"

/* A loaded segment. */
struct dj_elf_segment {
    uint64_t offset, size; /* Offset and size of the segment's bytes in the file. */
    uint64_t address;
    bool is_executable;
};

/* A section of the file. */
struct dj_elf_section {
    uint64_t offset, size, address;
    uint32_t name; /* Offset in the table of section names. */
    uint32_t type, link;
};

struct dj_elf_symbol {
    uint64_t start, end;
    /* Largest end of this symbol and of all symbols before it in the table. */
    uint64_t furthest_end;
    uint32_t name; /* Offset of the name in `strings`. */
    /* Rank among the symbols with the same start. The symbol with the highest rank is
     * used. */
    uint8_t rank;
};

struct dj_elf_range {
    uint64_t start;
    uint64_t offset; /* Offset of the function's FDE in .eh_frame. */
};

struct dj_stacks_elf {
    /* Descriptor of the file, or −1 if the file is in memory or mapped. */
    int fd;
    uint8_t *bytes; /* The content of a file in memory, otherwise NULL. */
    /* Start of the mapped file, or NULL. Never read this memory directly: see own_memory
     * in file.c. */
    void *mapped;
    char *path; /* Path of the file, or NULL if the file is in memory. */
    uint64_t size;
    enum dj_stacks_machine machine;
    struct dj_stacks_build_id build_id;
    uint64_t entry; /* Address where the program or the dynamic linker starts, or 0. */

    struct dj_elf_segment *segments;
    size_t segment_count;
    struct dj_elf_section *sections;
    size_t section_count;
    char *section_names; /* Names of the sections. The last byte is a NUL. */
    size_t section_names_size;

    struct dj_cfi_section frames; /* Section .eh_frame. The struct owns its bytes. */
    struct dj_cfi_section header; /* Section .eh_frame_hdr. The struct owns its bytes. */
    /* The sorted search table in .eh_frame_hdr, or NULL if there is none. */
    const uint8_t *table;
    size_t table_count;
    /* Ranges of functions, sorted by start. Used if the file has no search table. */
    struct dj_elf_range *ranges;
    size_t range_count;

    bool has_read_symbols;
    struct dj_elf_symbol *symbols; /* Symbols, sorted by start, then by rank. */
    size_t symbol_count;
    char *strings; /* Names of the symbols. The last byte is a NUL. */
    size_t strings_size;
    /* The ELF file in .gnu_debugdata, or NULL. Its symbols are in none of the other
     * tables. */
    struct dj_stacks_elf *mini;
    bool is_mini; /* True if this file itself comes from a section .gnu_debugdata. */
};

/* Reads bytes of the file. Returns false if the file is too short. */
bool dj_elf_read_file(const struct dj_stacks_elf *elf, uint64_t offset, void *bytes,
                      size_t size);
/* Copies bytes of the file to new memory and appends a NUL. The caller frees the copy.
 * Returns NULL if the file is too short, or if `size` exceeds any useful table. */
uint8_t *dj_elf_copy_file(const struct dj_stacks_elf *elf, uint64_t offset,
                          uint64_t size);
const struct dj_elf_section *dj_elf_find_section(const struct dj_stacks_elf *elf,
                                                 const char *name);

/* Opens FOLDER/.build-id/xx/yy.debug or FOLDER/xx/yy.debug if it has the build-id.
 * Returns NULL if neither has it. */
struct dj_stacks_elf *dj_elf_open_build_id(const char *folder,
                                           const struct dj_stacks_build_id *id);

/* Unpacks and opens the ELF file in the section .gnu_debugdata. Returns NULL if the
 * section is missing or damaged. */
struct dj_stacks_elf *dj_elf_open_mini(const struct dj_stacks_elf *elf);

/* Reads the build-id, the segments and the sections. */
int dj_elf_read_headers(struct dj_stacks_elf *elf, struct dj_error *err);
/* Reads .eh_frame and its header. A file without them is valid. */
void dj_elf_read_frames(struct dj_stacks_elf *elf);

/* Finds the FDE of the function that contains the address. */
bool dj_elf_find_entry(const struct dj_stacks_elf *elf, uint64_t address,
                       struct dj_cfi_entry *entry);

#endif
