#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "stacks/elf/file.h"

static int check_ident(const Elf64_Ehdr *header, struct dj_error *err)
{
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
        return dj_error_set_at(err, DJ_E_INVALID, 0, "not an ELF file");
    }
    if (header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB ||
        (header->e_machine != EM_X86_64 && header->e_machine != EM_AARCH64)) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "an ELF file of machine %u; expected x86-64 or arm64",
                            header->e_machine);
    }
    return 0;
}

/* Searches a range of notes for the build-id. */
static void read_notes(struct dj_stacks_elf *elf, uint64_t offset, uint64_t size)
{
    enum { HEADER = 12, NOTES_MAX = 1 << 16 };
    uint8_t *notes = size > NOTES_MAX ? NULL : dj_elf_copy_file(elf, offset, size);
    if (notes == NULL) {
        return;
    }
    struct dj_cfi_cursor cursor = dj_cfi_cursor_of(notes, (size_t)size);
    while (dj_cfi_cursor_rest(&cursor) >= HEADER && !cursor.failed) {
        uint64_t name_size = dj_cfi_cursor_read_number(&cursor, 4);
        uint64_t id_size = dj_cfi_cursor_read_number(&cursor, 4);
        uint64_t type = dj_cfi_cursor_read_number(&cursor, 4);
        const uint8_t *name = dj_cfi_cursor_skip(&cursor, (name_size + 3) & ~3ULL);
        const uint8_t *id = dj_cfi_cursor_skip(&cursor, id_size);
        if (id != NULL && type == NT_GNU_BUILD_ID && name_size == 4 &&
            memcmp(name, "GNU", 4) == 0 && id_size <= DJ_STACKS_BUILD_ID_MAX) {
            memcpy(elf->build_id.bytes, id, id_size);
            elf->build_id.length = (uint8_t)id_size;
            break;
        }
        /* The padding of the last note may be missing. */
        uint64_t padding = -id_size & 3;
        uint64_t rest = dj_cfi_cursor_rest(&cursor);
        dj_cfi_cursor_skip(&cursor, padding < rest ? padding : rest);
    }
    free(notes);
}

/* Returns a copy of a table with `count` records. Returns NULL if the records do not have
 * the expected size. */
static void *copy_table(const struct dj_stacks_elf *elf, uint64_t offset, uint64_t count,
                        uint64_t stored_size, size_t expected_size)
{
    if (count == 0 || stored_size != expected_size) {
        return NULL;
    }
    return dj_elf_copy_file(elf, offset, count * expected_size);
}

static int read_segments(struct dj_stacks_elf *elf, const Elf64_Ehdr *header,
                         struct dj_error *err)
{
    Elf64_Phdr *table = copy_table(elf, header->e_phoff, header->e_phnum,
                                   header->e_phentsize, sizeof(*table));
    if (table == NULL) {
        return header->e_phnum == 0
                   ? 0
                   : dj_error_set_at(err, DJ_E_TRUNCATED, (long long)header->e_phoff,
                                     "the table of segments is not complete");
    }
    for (size_t i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *row = &table[i];
        if (row->p_type == PT_LOAD) {
            struct dj_elf_segment segment = {row->p_offset, row->p_filesz, row->p_vaddr,
                                             (row->p_flags & PF_X) != 0};
            DJ_XPUSH(elf->segments, elf->segment_count, segment);
        } else if (row->p_type == PT_NOTE && elf->build_id.length == 0) {
            read_notes(elf, row->p_offset, row->p_filesz);
        } else if (row->p_type == PT_GNU_EH_FRAME) {
            elf->header.address = row->p_vaddr;
            elf->header.size = (size_t)row->p_filesz;
        }
    }
    free(table);
    return 0;
}

static void read_section_names(struct dj_stacks_elf *elf, size_t index)
{
    if (index < elf->section_count) {
        const struct dj_elf_section *section = &elf->sections[index];
        elf->section_names =
            (char *)dj_elf_copy_file(elf, section->offset, section->size);
        elf->section_names_size = elf->section_names == NULL ? 0 : (size_t)section->size;
    }
}

/* Reads the table of sections. A damaged table is not an error, because a file need not
 * have sections. */
static void read_sections(struct dj_stacks_elf *elf, const Elf64_Ehdr *header)
{
    Elf64_Shdr *table = copy_table(elf, header->e_shoff, header->e_shnum,
                                   header->e_shentsize, sizeof(*table));
    if (table == NULL) {
        return;
    }
    elf->sections = dj_xcalloc(header->e_shnum, sizeof(*elf->sections));
    for (size_t i = 0; i < header->e_shnum; i++) {
        const Elf64_Shdr *row = &table[i];
        elf->sections[i] =
            (struct dj_elf_section){row->sh_offset, row->sh_size, row->sh_addr,
                                    row->sh_name,   row->sh_type, row->sh_link};
        if (row->sh_type == SHT_NOTE && elf->build_id.length == 0) {
            read_notes(elf, row->sh_offset, row->sh_size);
        }
    }
    elf->section_count = header->e_shnum;
    free(table);
    read_section_names(elf, header->e_shstrndx);
}

int dj_elf_read_headers(struct dj_stacks_elf *elf, struct dj_error *err)
{
    Elf64_Ehdr header;
    if (!dj_elf_read_file(elf, 0, &header, sizeof(header))) {
        return dj_error_set(err, DJ_E_INVALID,
                            "not an ELF file: it is smaller than an ELF header");
    }
    int code = check_ident(&header, err);
    if (code != 0) {
        return code;
    }
    elf->machine = header.e_machine == EM_AARCH64 ? DJ_STACKS_ARM64 : DJ_STACKS_X86_64;
    elf->entry = header.e_entry;
    code = read_segments(elf, &header, err);
    if (code == 0) {
        read_sections(elf, &header);
    }
    return code;
}
