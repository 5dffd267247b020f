/* Stores computed rows of unwind information by address, so that each row is computed
 * once. */
#ifndef DEJANK_STACKS_UNWIND_ROW_CACHE_H
#define DEJANK_STACKS_UNWIND_ROW_CACHE_H

#include "base/map.h"
#include "stacks/maps_private.h"
#include "stacks/unwind/machine.h"

/* The row of unwind information for an address in a file. */
struct dj_cached_row {
    uint64_t address; /* Address in the numbering of the file. */
    uint32_t module;
    bool has_row; /* False if there is no unwind information for the address. */
    /* True if the address is in the first function of the process, which has no
     * caller. */
    bool is_entry;
    /* Stored result of dj_row_cache_check_call() for this row. */
    enum { DJ_CALL_UNKNOWN, DJ_CALL_YES, DJ_CALL_NO } is_before_return;
    /* The row. It must be the last member, because memory is allocated only for the rules
     * that it uses. */
    struct dj_cfi_row row;
};

/* The result of a search for an address of a process. */
struct dj_found_row {
    /* Address in the process, and generation of the process's mappings. */
    uint64_t address, generation;
    uint32_t mapping;
    /* The row of the address, or NULL if the address is in no ELF file. */
    struct dj_cached_row *row;
};

/* Number of results that are stored. The samples of an app contain some hundred different
 * addresses. */
enum { DJ_FOUND_ROWS = 4096 };

struct dj_row_cache {
    struct dj_stacks_maps *maps;
    struct dj_map index; /* Maps a hash of module and address to a pointer to the row. */
    struct dj_found_row found[DJ_FOUND_ROWS];
};

/* Finds the row for an address of a process. Never returns NULL. The pointer is valid
 * until the next call. */
const struct dj_found_row *dj_row_cache_find(struct dj_row_cache *cache,
                                             struct dj_maps_process *process,
                                             uint64_t address);
/* Returns whether a call ends directly before the return address. `found` is the row of
 * this call. Returns true for code that is in no file, because it cannot be checked. */
bool dj_row_cache_check_call(struct dj_row_cache *cache, const struct dj_machine *machine,
                             const struct dj_found_row *found, uint64_t return_address);
void dj_row_cache_clear(struct dj_row_cache *cache);

#endif
