/* The data of an open ELF file. */
#ifndef DEJANK_STACKS_ELF_FILE_H
#define DEJANK_STACKS_ELF_FILE_H

#include "stacks/cfi/row.h"
#include "stacks/elf.h"

/* A loaded segment. */
struct dj_elf_segment {
    uint64_t offset, size; /* Of its bytes in the file. */
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
    uint64_t furthest_end; /* Largest end of this symbol and of all before it. */
    uint32_t name;         /* Offset in `strings`. */
    uint8_t rank;          /* Of several symbols at a place, the highest is used. */
};

struct dj_elf_range {
    uint64_t start;
    uint64_t offset; /* Of the FDE in .eh_frame. */
};

struct dj_stacks_elf {
    int fd;         /* −1 if the file is in memory or mapped. */
    uint8_t *bytes; /* The file in memory, or NULL. */
    void *mapped;   /* The mapped file, or NULL. Never read directly: see file.c. */
    char *path;     /* NULL if the file is in memory. */
    uint64_t size;
    enum dj_stacks_machine machine;
    struct dj_stacks_build_id build_id;
    uint64_t entry; /* Address where the program or the dynamic linker starts, or 0. */

    struct dj_elf_segment *segments;
    size_t segment_count;
    struct dj_elf_section *sections;
    size_t section_count;
    char *section_names; /* Ends with a NUL. */
    size_t section_names_size;

    struct dj_cfi_section frames; /* .eh_frame; its bytes are owned. */
    struct dj_cfi_section header; /* .eh_frame_hdr; its bytes are owned. */
    const uint8_t *table;         /* The sorted table in the header, or NULL. */
    size_t table_count;
    /* If the file has no search table: the ranges of functions, sorted by start. */
    struct dj_elf_range *ranges;
    size_t range_count;

    bool has_read_symbols;
    struct dj_elf_symbol *symbols; /* Sorted by start, then by rank. */
    size_t symbol_count;
    char *strings; /* Ends with a NUL. */
    size_t strings_size;
    /* The symbols of .gnu_debugdata, which are in none of the other tables, or NULL. */
    struct dj_stacks_elf *mini;
    bool is_mini; /* The file is such a table itself. */
};

/* Reads bytes of the file. Returns false if it has fewer. */
bool dj_elf_read_file(const struct dj_stacks_elf *elf, uint64_t offset, void *bytes,
                      size_t size);
/* Reads bytes of the file to new memory, and adds a NUL. Returns NULL if the file has
 * fewer, or if they are more than any useful table. The caller frees them. */
uint8_t *dj_elf_copy_file(const struct dj_stacks_elf *elf, uint64_t offset,
                          uint64_t size);
const struct dj_elf_section *dj_elf_find_section(const struct dj_stacks_elf *elf,
                                                 const char *name);

/* Opens FOLDER/.build-id/xx/yy.debug or FOLDER/xx/yy.debug if it has the build-id.
 * Returns NULL if there is none. */
struct dj_stacks_elf *dj_elf_open_build_id(const char *folder,
                                           const struct dj_stacks_build_id *id);

/* Unpacks the file in the section .gnu_debugdata. Returns NULL if there is none or it is
 * damaged. */
struct dj_stacks_elf *dj_elf_open_mini(const struct dj_stacks_elf *elf);

/* Reads build-id, segments and sections. */
int dj_elf_read_headers(struct dj_stacks_elf *elf, struct dj_error *err);
/* Reads .eh_frame and its header. A file without them is valid. */
void dj_elf_read_frames(struct dj_stacks_elf *elf);

/* Finds the FDE that contains the address. */
bool dj_elf_find_entry(const struct dj_stacks_elf *elf, uint64_t address,
                       struct dj_cfi_entry *entry);

#endif
