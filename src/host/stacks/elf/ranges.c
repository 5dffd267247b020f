#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "stacks/elf/file.h"

/* Size of a row of the sorted table in .eh_frame_hdr: two signed numbers of 4 bytes. */
enum { TABLE_ROW = 8 };

/* Returns the segment that contains the address, or NULL. */
static const struct dj_elf_segment *find_segment(const struct dj_stacks_elf *elf,
                                                 uint64_t address)
{
    for (size_t i = 0; i < elf->segment_count; i++) {
        if (address - elf->segments[i].address < elf->segments[i].size) {
            return &elf->segments[i];
        }
    }
    return NULL;
}

/* Reads bytes at an address to new memory. */
static void read_section(struct dj_stacks_elf *elf, struct dj_cfi_section *section,
                         uint64_t address, uint64_t size)
{
    const struct dj_elf_segment *segment = find_segment(elf, address);
    *section = (struct dj_cfi_section){0};
    if (segment == NULL) {
        return;
    }
    uint64_t offset = address - segment->address;
    uint64_t rest = segment->size - offset;
    size = size < rest ? size : rest;
    section->bytes = dj_elf_copy_file(elf, segment->offset + offset, size);
    section->size = section->bytes == NULL ? 0 : (size_t)size;
    section->address = address;
}

/* Reads .eh_frame_hdr. Returns the address of .eh_frame that it contains, or 0. */
static uint64_t read_header(struct dj_stacks_elf *elf)
{
    enum { VERSION = 1, RELATIVE_SIGNED_4 = 0x3b };
    struct dj_cfi_section *header = &elf->header;
    read_section(elf, header, header->address, header->size);
    if (header->bytes == NULL) {
        return 0;
    }
    struct dj_cfi_cursor cursor = dj_cfi_cursor_of(header->bytes, header->size);
    uint8_t version = (uint8_t)dj_cfi_cursor_read_number(&cursor, 1);
    uint8_t pointer_encoding = (uint8_t)dj_cfi_cursor_read_number(&cursor, 1);
    uint8_t count_encoding = (uint8_t)dj_cfi_cursor_read_number(&cursor, 1);
    uint8_t table_encoding = (uint8_t)dj_cfi_cursor_read_number(&cursor, 1);
    if (cursor.failed || version != VERSION || pointer_encoding == DJ_CFI_OMIT) {
        return 0;
    }
    uint64_t frames =
        dj_cfi_cursor_read_pointer(&cursor, pointer_encoding, header, header->address);
    if (cursor.failed) {
        return 0;
    }
    if (count_encoding != DJ_CFI_OMIT && table_encoding == RELATIVE_SIGNED_4) {
        uint64_t count =
            dj_cfi_cursor_read_pointer(&cursor, count_encoding, header, header->address);
        uint64_t most = dj_cfi_cursor_rest(&cursor) / TABLE_ROW;
        elf->table_count = cursor.failed ? 0 : (size_t)(count < most ? count : most);
        elf->table = elf->table_count == 0 ? NULL : cursor.at;
    }
    return frames;
}

static void add_range(void *user, uint64_t offset, const struct dj_cfi_entry *entry)
{
    struct dj_stacks_elf *elf = user;
    struct dj_elf_range range = {entry->start, offset};
    DJ_XPUSH(elf->ranges, elf->range_count, range);
}

static int compare_ranges(const void *one, const void *other)
{
    const struct dj_elf_range *a = one, *b = other;
    return (a->start > b->start) - (a->start < b->start);
}

void dj_elf_read_frames(struct dj_stacks_elf *elf)
{
    uint64_t address = elf->header.size == 0 ? 0 : read_header(elf);
    const struct dj_elf_section *section = dj_elf_find_section(elf, ".eh_frame");
    uint64_t size = UINT64_MAX;
    if (section != NULL && section->type != SHT_NOBITS &&
        (address == 0 || address == section->address)) {
        address = section->address;
        size = section->size;
    }
    if (address != 0) {
        read_section(elf, &elf->frames, address, size);
    }
    if (elf->table == NULL && elf->frames.bytes != NULL) {
        dj_cfi_entry_visit(&elf->frames, add_range, elf);
        if (elf->range_count > 0) {
            qsort(elf->ranges, elf->range_count, sizeof(*elf->ranges), compare_ranges);
        }
    }
}

static uint64_t read_relative(const struct dj_stacks_elf *elf, size_t row, size_t column)
{
    int32_t distance;
    memcpy(&distance, elf->table + row * TABLE_ROW + column * sizeof(distance),
           sizeof(distance));
    return elf->header.address + (uint64_t)(int64_t)distance;
}

static uint64_t get_start(const struct dj_stacks_elf *elf, size_t index)
{
    return elf->table != NULL ? read_relative(elf, index, 0) : elf->ranges[index].start;
}

static uint64_t get_offset(const struct dj_stacks_elf *elf, size_t index)
{
    return elf->table != NULL ? read_relative(elf, index, 1) - elf->frames.address
                              : elf->ranges[index].offset;
}

bool dj_elf_find_entry(const struct dj_stacks_elf *elf, uint64_t address,
                       struct dj_cfi_entry *entry)
{
    size_t low = 0;
    size_t high = elf->table != NULL ? elf->table_count : elf->range_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (get_start(elf, middle) <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && elf->frames.bytes != NULL &&
           dj_cfi_entry_read(&elf->frames, get_offset(elf, low - 1), entry) &&
           address >= entry->start && address < entry->end;
}

bool dj_stacks_elf_find_range(struct dj_stacks_elf *elf, uint64_t address,
                              struct dj_stacks_function *function)
{
    struct dj_cfi_entry entry;
    if (!dj_elf_find_entry(elf, address, &entry)) {
        return false;
    }
    *function = (struct dj_stacks_function){NULL, entry.start, entry.end};
    return true;
}
