#include "trace/perfetto/stacks/symbols.h"

#include <stdlib.h>

#include "base/hash.h"
#include "memory/memory.h"
#include "trace/perfetto/stack_fields.h"

static uint64_t hash_address(struct dj_str module, uint64_t address)
{
    return dj_hash_bytes(module.at, module.length) ^
           address * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns the index of the address in symbols->all, or DJ_MAP_NONE. */
static size_t find_place(const struct dj_perfetto_symbols *symbols, struct dj_str module,
                         uint64_t address)
{
    uint64_t key = hash_address(module, address);
    size_t at, found = dj_map_first(&symbols->places, key, &at);
    while (found != DJ_MAP_NONE && (symbols->all[found].address != address ||
                                    !dj_str_equal(symbols->all[found].module, module))) {
        found = dj_map_next(&symbols->places, key, &at);
    }
    return found;
}

static void add_address(struct dj_perfetto_symbols *symbols,
                        const struct dj_perfetto_symbol *symbol)
{
    size_t found = find_place(symbols, symbol->module, symbol->address);
    if (found != DJ_MAP_NONE) {
        symbols->all[found] = *symbol;
        return;
    }
    dj_xcheck(dj_map_add(&symbols->places, hash_address(symbol->module, symbol->address),
                         symbols->count));
    DJ_XPUSH(symbols->all, symbols->count, *symbol);
}

void dj_perfetto_symbols_add(struct dj_perfetto_symbols *symbols, struct dj_str bytes)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_MODULE_SYMBOLS_BUILD_ID);
    struct dj_str build_id = dj_proto_bytes(&got[DJ_PF_MODULE_SYMBOLS_BUILD_ID]);
    struct dj_str path = dj_proto_bytes(&got[DJ_PF_MODULE_SYMBOLS_PATH]);
    struct dj_perfetto_symbol symbol = {.module = build_id.length > 0 ? build_id : path};
    struct dj_proto_message message = dj_proto_open(bytes);
    while (dj_perfetto_find_next_bytes(&message, DJ_PF_MODULE_SYMBOLS_ADDRESSES,
                                       &symbol.lines)) {
        DJ_PF_FIELDS(in, symbol.lines, DJ_PF_ADDRESS_SYMBOLS_ADDRESS);
        symbol.address = (uint64_t)dj_proto_int(&in[DJ_PF_ADDRESS_SYMBOLS_ADDRESS]);
        add_address(symbols, &symbol);
    }
}

/* Reads the functions of an address. In the message, the innermost function is first. */
static size_t read_lines(struct dj_str bytes,
                         struct dj_perfetto_line lines[DJ_PF_INLINED_MAX])
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_str encoded;
    size_t count = 0;
    while (count < DJ_PF_INLINED_MAX &&
           dj_perfetto_find_next_bytes(&message, DJ_PF_ADDRESS_SYMBOLS_LINES, &encoded)) {
        DJ_PF_FIELDS(got, encoded, DJ_PF_LINE_NUMBER);
        int64_t number = dj_proto_int(&got[DJ_PF_LINE_NUMBER]);
        struct dj_perfetto_line line = {
            .function = dj_proto_bytes(&got[DJ_PF_LINE_FUNCTION]),
            .file = dj_proto_bytes(&got[DJ_PF_LINE_FILE]),
            .line = number > 0 && number <= INT32_MAX ? (uint32_t)number : 0};
        if (line.function.length > 0) {
            lines[count++] = line;
        }
    }
    for (size_t i = 0; i < count / 2; i++) {
        struct dj_perfetto_line line = lines[i];
        lines[i] = lines[count - 1 - i];
        lines[count - 1 - i] = line;
    }
    return count;
}

size_t dj_perfetto_symbols_find(const struct dj_perfetto_symbols *symbols,
                                const struct dj_event_mapping *mapping, uint64_t address,
                                struct dj_perfetto_line lines[DJ_PF_INLINED_MAX])
{
    if (symbols->count == 0 || mapping == NULL) {
        return 0;
    }
    struct dj_str module =
        mapping->build_id.length > 0 ? mapping->build_id : mapping->path;
    size_t found = find_place(symbols, module, address);
    return found == DJ_MAP_NONE ? 0 : read_lines(symbols->all[found].lines, lines);
}

void dj_perfetto_symbols_finish(struct dj_perfetto_symbols *symbols)
{
    dj_map_finish(&symbols->places);
    free(symbols->all);
}
