#include "trace/perf_data/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/proto.h"
#include "memory/memory.h"

/* Types of files whose symbols have addresses in memory (kernel) or in the numbering of
 * the ELF file. Symbols of other types have offsets in the file. */
enum { TYPE_KERNEL = 0, TYPE_ELF = 2 };

static enum dj_perf_symbol_addresses get_addresses(uint64_t type)
{
    return type == TYPE_KERNEL ? DJ_PERF_SYMBOL_PROCESS
           : type == TYPE_ELF  ? DJ_PERF_SYMBOL_ELF
                               : DJ_PERF_SYMBOL_FILE_OFFSET;
}

static void add_symbol(struct dj_perf_symbol_file *file, uint64_t start, uint64_t size,
                       struct dj_str name)
{
    const struct dj_perf_symbol symbol = {
        start, size < UINT32_MAX ? (uint32_t)size : UINT32_MAX, name};
    DJ_XRESERVE(file->symbols, file->symbol_capacity, file->symbol_count + 1);
    file->symbols[file->symbol_count++] = symbol;
}

static bool read_file(struct dj_str bytes, struct dj_perf_symbol_file *file)
{
    struct dj_byte_cursor at = {(const uint8_t *)bytes.at, bytes.length, 0, false};
    file->path = dj_byte_cursor_read_string(&at);
    uint64_t type = dj_byte_cursor_read_number(&at, 4);
    file->addresses = get_addresses(type);
    file->code_address = dj_byte_cursor_read_number(&at, 8);
    uint64_t count = dj_byte_cursor_read_number(&at, 4);
    for (uint64_t i = 0; i < count && !at.failed; i++) {
        uint64_t start = dj_byte_cursor_read_number(&at, 8);
        uint64_t size = dj_byte_cursor_read_number(&at, 4);
        struct dj_str name = dj_byte_cursor_read_string(&at);
        if (!at.failed) {
            add_symbol(file, start, size, name);
        }
    }
    if (type == TYPE_ELF && at.size - at.at >= 8) {
        file->code_offset = dj_byte_cursor_read_number(&at, 8);
        file->has_offset = file->code_offset != UINT64_MAX;
    }
    return !at.failed;
}

enum { PATH = 1, TYPE = 2, CODE_ADDRESS = 3, SYMBOL = 4, ELF = 6 };
enum { SYMBOL_START = 1, SYMBOL_SIZE = 2, SYMBOL_NAME = 3 };
enum { ELF_CODE_OFFSET = 1 };

static void read_message_symbol(struct dj_str bytes, struct dj_perf_symbol_file *file)
{
    struct dj_proto_field fields[SYMBOL_NAME + 1] = {{.number = 0}};
    if (dj_proto_collect(bytes, fields, COUNT_OF(fields))) {
        add_symbol(file, fields[SYMBOL_START].value, fields[SYMBOL_SIZE].value,
                   dj_proto_bytes(&fields[SYMBOL_NAME]));
    }
}

static bool read_message(struct dj_str bytes, struct dj_perf_symbol_file *file)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field;
    uint64_t type = 0;
    while (dj_proto_next(&message, &field)) {
        if (field.wire == DJ_PROTO_BYTES && field.number == PATH) {
            file->path = field.bytes;
        } else if (field.wire == DJ_PROTO_BYTES && field.number == SYMBOL) {
            read_message_symbol(field.bytes, file);
        } else if (field.wire == DJ_PROTO_BYTES && field.number == ELF) {
            struct dj_proto_field elf[ELF_CODE_OFFSET + 1] = {{.number = 0}};
            file->has_offset = dj_proto_collect(field.bytes, elf, COUNT_OF(elf));
            file->code_offset = elf[ELF_CODE_OFFSET].value;
        } else if (field.wire == DJ_PROTO_VARINT && field.number == TYPE) {
            type = field.value;
        } else if (field.wire == DJ_PROTO_VARINT && field.number == CODE_ADDRESS) {
            file->code_address = field.value;
        }
    }
    file->addresses = get_addresses(type);
    return !message.failed;
}

static int by_start(const void *a, const void *b)
{
    const struct dj_perf_symbol *left = a, *right = b;
    return DJ_COMPARE(left->start, right->start);
}

/* Returns the index of the file, or DJ_MAP_NONE. */
static size_t find_file(const struct dj_perf_symbols *symbols, struct dj_str path)
{
    size_t at;
    uint64_t key = dj_hash_bytes(path.at, path.length);
    size_t found = dj_map_first(&symbols->places, key, &at);
    while (found != DJ_MAP_NONE && !dj_str_equal(symbols->files[found].path, path)) {
        found = dj_map_next(&symbols->places, key, &at);
    }
    return found;
}

/* Moves the file into the list. Ignores a file without a path. Of several files with the
 * same path, keeps only the first one. */
static void add_file(struct dj_perf_symbols *symbols, struct dj_perf_symbol_file *file)
{
    if (file->path.length == 0 || find_file(symbols, file->path) != DJ_MAP_NONE) {
        free(file->symbols);
        return;
    }
    if (file->symbol_count > 0) {
        qsort(file->symbols, file->symbol_count, sizeof(*file->symbols), by_start);
    }
    uint64_t key = dj_hash_bytes(file->path.at, file->path.length);
    dj_xcheck(dj_map_add(&symbols->places, key, symbols->file_count));
    DJ_XPUSH(symbols->files, symbols->file_count, *file);
}

static void read_section(struct dj_perf_symbols *symbols, struct dj_perf_data *file,
                         struct dj_str section,
                         bool (*read)(struct dj_str, struct dj_perf_symbol_file *))
{
    struct dj_byte_cursor at = {(const uint8_t *)section.at, section.length, 0, false};
    for (size_t number = 1; at.at < at.size; number++) {
        struct dj_perf_symbol_file added = {.path = {"", 0}};
        struct dj_str bytes =
            dj_byte_cursor_read_bytes(&at, dj_byte_cursor_read_number(&at, 4));
        bool is_complete = !at.failed && read(bytes, &added);
        add_file(symbols, &added);
        if (!is_complete) {
            dj_perf_data_note_damage(file,
                                     "the section with symbols is damaged in file "
                                     "%zu",
                                     number);
            return;
        }
    }
}

void dj_perf_data_symbols_read(struct dj_perf_symbols *symbols, struct dj_perf_data *file)
{
    read_section(symbols, file, file->sections[DJ_PERF_DATA_FILES], read_file);
    read_section(symbols, file, file->sections[DJ_PERF_DATA_FILES_2], read_message);
}

const struct dj_perf_symbol_file *
dj_perf_data_symbols_find_file(const struct dj_perf_symbols *symbols, const char *path)
{
    size_t found = find_file(symbols, dj_str_of(path));
    return found != DJ_MAP_NONE ? &symbols->files[found] : NULL;
}

const struct dj_perf_symbol *
dj_perf_data_symbols_find(const struct dj_perf_symbol_file *file, uint64_t address)
{
    size_t low = 0, high = file->symbol_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (file->symbols[middle].start <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const struct dj_perf_symbol *symbol = low > 0 ? &file->symbols[low - 1] : NULL;
    return symbol != NULL && address - symbol->start < symbol->size ? symbol : NULL;
}

void dj_perf_data_symbols_finish(struct dj_perf_symbols *symbols)
{
    for (size_t i = 0; i < symbols->file_count; i++) {
        free(symbols->files[i].symbols);
    }
    free(symbols->files);
    dj_map_finish(&symbols->places);
    *symbols = (struct dj_perf_symbols){0};
}
