/* Rows that were computed before, for addresses of processes. */
#ifndef DEJANK_STACKS_UNWIND_ROW_CACHE_H
#define DEJANK_STACKS_UNWIND_ROW_CACHE_H

#include "base/map.h"
#include "stacks/maps_private.h"
#include "stacks/unwind/machine.h"

/* The unwind information of an address in a file. */
struct dj_cached_row {
    uint64_t address; /* In the file. */
    uint32_t module;
    bool has_row; /* Otherwise there is no unwind information. */
    /* The address is in the first function of the process, which has no caller. */
    bool is_entry;
    enum { DJ_CALL_UNKNOWN, DJ_CALL_YES, DJ_CALL_NO } is_before_return; /* See below. */
    struct dj_cfi_row row; /* Last: only its used rules are allocated. */
};

/* The result for an address of a process. */
struct dj_found_row {
    uint64_t address, generation; /* Of the process. */
    uint32_t mapping;
    struct dj_cached_row *row; /* NULL: the address is in no ELF file. */
};

/* 4096 addresses are enough: the samples of an app have some hundreds. */
enum { DJ_FOUND_ROWS = 4096 };

struct dj_row_cache {
    struct dj_stacks_maps *maps;
    struct dj_map index; /* Of all rows, as pointers. */
    struct dj_found_row found[DJ_FOUND_ROWS];
};

/* Finds the row of an address. Never returns NULL. Valid until the next call. */
const struct dj_found_row *dj_row_cache_find(struct dj_row_cache *cache,
                                             struct dj_maps_process *process,
                                             uint64_t address);
/* Returns whether a call ends before the return address in the process. `found` is the
 * row of its call. Code that is in no file cannot be checked, and gives true. */
bool dj_row_cache_check_call(struct dj_row_cache *cache, const struct dj_machine *machine,
                             const struct dj_found_row *found, uint64_t return_address);
void dj_row_cache_clear(struct dj_row_cache *cache);

#endif
