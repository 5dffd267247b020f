#include "made_elf.h"

#include <criterion/criterion.h>
#include <string.h>

enum { CONTENT_AT = 0x1000, CODE_FACTOR = 1, DATA_FACTOR = 0x78 /* −8 */ };

static size_t append(struct made_elf *elf, const void *bytes, size_t size)
{
    size_t at = elf->size;
    cr_assert_leq(at + size, sizeof(elf->bytes));
    memcpy(elf->bytes + at, bytes, size);
    elf->size += size;
    return at;
}

static void append_number(struct made_elf *elf, uint64_t number, size_t size)
{
    append(elf, &number, size);
}

static void align(struct made_elf *elf, size_t to, uint8_t filler)
{
    while (elf->size % to != 0) {
        append(elf, &filler, 1);
    }
}

/* Sets the length of a record that started at `at`, after padding it with nops. */
static void end_record(struct made_elf *elf, size_t at)
{
    align(elf, 4, 0);
    uint32_t length = (uint32_t)(elf->size - at - 4);
    memcpy(elf->bytes + at, &length, sizeof(length));
}

static size_t append_common(struct made_elf *elf, const struct made_elf_plan *plan)
{
    enum { ENCODING = 0x1b }; /* Relative to itself, signed, 4 bytes. */
    size_t at = elf->size;
    uint8_t return_register = plan->machine == EM_AARCH64 ? 30 : 16;
    append_number(elf, 0, 4);
    append_number(elf, 0, 4);
    append_number(elf, 1, 1);
    append(elf, plan->augmentation, strlen(plan->augmentation) + 1);
    append_number(elf, CODE_FACTOR, 1);
    append_number(elf, DATA_FACTOR, 1);
    append_number(elf, return_register, 1);
    append_number(elf, 1, 1); /* Size of the augmentation data. */
    append_number(elf, ENCODING, 1);
    append(elf, plan->initial, plan->initial_size);
    end_record(elf, at);
    return at;
}

static size_t append_frame(struct made_elf *elf, const struct made_frame *frame,
                           size_t common)
{
    size_t at = elf->size;
    append_number(elf, 0, 4);
    append_number(elf, at + 4 - common, 4);
    append_number(elf, frame->start - elf->size, 4);
    append_number(elf, frame->size, 4);
    append_number(elf, 0, 1);
    append(elf, frame->program, frame->program_size);
    end_record(elf, at);
    return at;
}

struct places {
    size_t frames, frames_end, header, header_end, note, note_end;
    size_t symbols, symbols_end, strings, strings_end, names;
};

static void append_frames(struct made_elf *elf, const struct made_elf_plan *plan,
                          struct places *places)
{
    size_t offsets[64];
    align(elf, 8, 0);
    places->frames = elf->size;
    size_t common = append_common(elf, plan);
    for (size_t i = 0; i < plan->frame_count; i++) {
        offsets[i] = append_frame(elf, &plan->frames[i], common);
    }
    append_number(elf, 0, 4);
    places->frames_end = elf->size;
    places->header = elf->size;
    if (plan->has_header) {
        append(elf, "\1\x1b\3\x3b", 4);
        append_number(elf, places->frames - elf->size, 4);
        append_number(elf, plan->frame_count, 4);
        for (size_t i = 0; i < plan->frame_count; i++) {
            append_number(elf, plan->frames[i].start - places->header, 4);
            append_number(elf, offsets[i] - places->header, 4);
        }
    }
    places->header_end = elf->size;
}

static void append_note(struct made_elf *elf, const struct made_elf_plan *plan,
                        struct places *places)
{
    enum { ID_BYTES = 20 };
    places->note = elf->size;
    if (plan->build_id != 0) {
        append_number(elf, 4, 4);
        append_number(elf, ID_BYTES, 4);
        append_number(elf, NT_GNU_BUILD_ID, 4);
        append(elf, "GNU", 4);
        for (size_t i = 0; i < ID_BYTES; i++) {
            append_number(elf, plan->build_id, 1);
        }
    }
    places->note_end = elf->size;
}

static void append_symbols(struct made_elf *elf, const struct made_elf_plan *plan,
                           struct places *places)
{
    size_t name = 1;
    align(elf, 8, 0);
    places->symbols = elf->size;
    append(elf, &(Elf64_Sym){0}, sizeof(Elf64_Sym));
    for (size_t i = 0; i < plan->symbol_count; i++) {
        const struct made_symbol *symbol = &plan->symbols[i];
        Elf64_Sym row = {.st_name = (uint32_t)name,
                         .st_info = (uint8_t)ELF64_ST_INFO(symbol->binding, STT_FUNC),
                         .st_shndx = 1,
                         .st_value = symbol->start,
                         .st_size = symbol->size};
        append(elf, &row, sizeof(row));
        name += strlen(symbol->name) + 1;
    }
    places->symbols_end = elf->size;
    places->strings = elf->size;
    append(elf, "", 1);
    for (size_t i = 0; i < plan->symbol_count; i++) {
        append(elf, plan->symbols[i].name, strlen(plan->symbols[i].name) + 1);
    }
    places->strings_end = elf->size;
}

static void append_section(struct made_elf *elf, uint32_t name, uint32_t type,
                           size_t from, size_t to, uint32_t link)
{
    Elf64_Shdr row = {.sh_name = name,
                      .sh_type = type,
                      .sh_addr = from,
                      .sh_offset = from,
                      .sh_size = to - from,
                      .sh_link = link};
    append(elf, &row, sizeof(row));
}

void made_elf_build(struct made_elf *elf, const struct made_elf_plan *plan)
{
    static const char names[] = "\0.eh_frame\0.symtab\0.strtab\0.shstrtab";
    struct places places = {0};
    memset(elf, 0, sizeof(*elf));
    elf->size = CONTENT_AT;
    if (plan->code_size > 0) {
        memcpy(elf->bytes + plan->code_at, plan->code, plan->code_size);
    }
    append_frames(elf, plan, &places);
    append_note(elf, plan, &places);
    append_symbols(elf, plan, &places);
    places.names = append(elf, names, sizeof(names));
    align(elf, 8, 0);
    size_t sections = elf->size;
    append_section(elf, 0, SHT_NULL, 0, 0, 0);
    append_section(elf, 1, SHT_PROGBITS, places.frames, places.frames_end, 0);
    append_section(elf, 11, SHT_SYMTAB, places.symbols, places.symbols_end, 3);
    append_section(elf, 19, SHT_STRTAB, places.strings, places.strings_end, 0);
    append_section(elf, 27, SHT_STRTAB, places.names, places.names + sizeof(names), 0);

    Elf64_Ehdr header = {.e_ident = ELFMAG,
                         .e_type = ET_DYN,
                         .e_machine = plan->machine,
                         .e_version = EV_CURRENT,
                         .e_phoff = sizeof(Elf64_Ehdr),
                         .e_shoff = sections,
                         .e_ehsize = sizeof(Elf64_Ehdr),
                         .e_phentsize = sizeof(Elf64_Phdr),
                         .e_phnum = 3,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = 5,
                         .e_shstrndx = 4};
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    Elf64_Phdr segments[] = {
        {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = elf->size},
        {.p_type = plan->has_header ? PT_GNU_EH_FRAME : PT_NULL,
         .p_offset = places.header,
         .p_vaddr = places.header,
         .p_filesz = places.header_end - places.header},
        {.p_type = PT_NOTE,
         .p_offset = places.note,
         .p_vaddr = places.note,
         .p_filesz = places.note_end - places.note},
    };
    memcpy(elf->bytes, &header, sizeof(header));
    memcpy(elf->bytes + sizeof(header), segments, sizeof(segments));
}
