#include "stacks/unwind/row_cache.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "stacks/elf/file.h"

/* Maximum number of cached rows. A row needs about 150 bytes, so all rows need at most 40
 * MB. */
enum { ROWS_MAX = 1 << 18 };

/* Maximum size of the first function of a program or dynamic linker. It is written in
 * assembler, has about ten instructions, and often lacks unwind information. */
enum { ENTRY_BYTES = 64 };

void dj_row_cache_clear(struct dj_row_cache *cache)
{
    for (size_t i = 0; i < cache->index.capacity; i++) {
        if (cache->index.slots[i].value != DJ_MAP_NONE) {
            free((void *)(uintptr_t)cache->index.slots[i].value);
        }
    }
    dj_map_finish(&cache->index);
    memset(cache->found, 0, sizeof(cache->found));
}

static struct dj_cached_row *compute_row(const struct dj_stacks_elf *elf, uint32_t module,
                                         uint64_t address)
{
    struct dj_cached_row row = {.address = address, .module = module};
    struct dj_cfi_entry entry;
    row.has_row = dj_elf_find_entry(elf, address, &entry) &&
                  dj_cfi_row_compute(&elf->frames, &entry, address, &row.row);
    row.is_entry = !row.has_row && elf->entry != 0 && address - elf->entry < ENTRY_BYTES;
    size_t rules = row.has_row ? row.row.rule_count : 0;
    size_t size =
        offsetof(struct dj_cached_row, row.rules) + rules * sizeof(row.row.rules[0]);
    struct dj_cached_row *copy = dj_xresize(NULL, size, 1);
    memcpy(copy, &row, size);
    return copy;
}

static struct dj_cached_row *find_in_file(struct dj_row_cache *cache, uint32_t module,
                                          uint64_t address)
{
    uint64_t key = address ^ (uint64_t)module << 44;
    size_t at;
    for (size_t i = dj_map_first(&cache->index, key, &at); i != DJ_MAP_NONE;
         i = dj_map_next(&cache->index, key, &at)) {
        struct dj_cached_row *row = (void *)(uintptr_t)i;
        if (row->address == address && row->module == module) {
            return row;
        }
    }
    if (cache->index.count >= ROWS_MAX) {
        dj_row_cache_clear(cache);
    }
    struct dj_cached_row *row =
        compute_row(cache->maps->modules[module].elf, module, address);
    dj_xcheck(dj_map_add(&cache->index, key, (size_t)(uintptr_t)row));
    return row;
}

const struct dj_found_row *dj_row_cache_find(struct dj_row_cache *cache,
                                             struct dj_maps_process *process,
                                             uint64_t address)
{
    size_t slot = (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 40) % DJ_FOUND_ROWS;
    struct dj_found_row *found = &cache->found[slot];
    uint64_t file_address;
    if (found->address == address && found->generation == process->generation) {
        return found;
    }
    struct dj_found_row fresh = {.address = address, .generation = process->generation};
    fresh.mapping = dj_maps_process_find(process, address);
    if (fresh.mapping != DJ_STACKS_NO_MAPPING &&
        dj_stacks_maps_file_address(cache->maps, fresh.mapping, address, &file_address)) {
        fresh.row = find_in_file(cache, cache->maps->mappings[fresh.mapping].module,
                                 file_address);
    }
    *found = fresh;
    return found;
}

bool dj_row_cache_check_call(struct dj_row_cache *cache, const struct dj_machine *machine,
                             const struct dj_found_row *found, uint64_t return_address)
{
    uint8_t before[DJ_MACHINE_CALL_BYTES];
    struct dj_cached_row *row = found->row;
    if (row == NULL) {
        return found->mapping != DJ_STACKS_NO_MAPPING;
    }
    if (row->is_before_return == DJ_CALL_UNKNOWN) {
        uint64_t end = row->address + (return_address - found->address);
        const struct dj_stacks_elf *elf = cache->maps->modules[row->module].elf;
        bool is_call =
            dj_stacks_elf_read(elf, end - sizeof(before), before, sizeof(before)) &&
            machine->is_call(before);
        row->is_before_return = is_call ? DJ_CALL_YES : DJ_CALL_NO;
    }
    return row->is_before_return == DJ_CALL_YES;
}
