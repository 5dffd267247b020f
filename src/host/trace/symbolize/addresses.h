/* Collects the sampled addresses of a trace, grouped by file and function. */
#ifndef DEJANK_TRACE_SYMBOLIZE_ADDRESSES_H
#define DEJANK_TRACE_SYMBOLIZE_ADDRESSES_H

#include "base/map.h"
#include "stacks/elf.h"
#include "trace/event.h"

/* A function that the trace names only by its position, or not at all. */
struct dj_unnamed_function {
    /* Generated name "MODULE!0xSTART", or "" if the trace has no name. Owned by this
     * struct. */
    char *given;
    bool is_named;
};

/* Value for functions that already have a name. They may still get source lines. */
#define DJ_HAS_NAME UINT32_MAX

struct dj_sampled_address {
    uint64_t address;
    /* Index of the function in the module's `functions`, or DJ_HAS_NAME. */
    uint32_t function;
};

struct dj_sampled_module {
    char *path; /* Owned by this struct. */
    /* The build-id as the trace stores it (without a final NUL), and the decoded
     * build-id. */
    /* Build-id as the trace stores it, without a final NUL. Owned by this struct. */
    char *stored_id;
    size_t stored_id_length;
    struct dj_stacks_build_id build_id;
    struct dj_sampled_address *addresses; /* Owned by this struct. */
    size_t address_count;
    struct dj_unnamed_function *functions; /* Owned by this struct. */
    size_t function_count;
    struct dj_map address_places, function_places;
};

/* A zeroed struct is empty. */
struct dj_sampled_addresses {
    struct dj_sampled_module *modules; /* Owned by this struct. */
    size_t module_count;
    struct dj_map places;
    uint64_t stacks; /* Number of samples that were added. */
};

/* Adds the addresses of a DJ_EVENT_STACK that were not symbolized. Ignores other events.
 * `user` is a struct dj_sampled_addresses. Always returns 0. */
int dj_sampled_addresses_add(void *user, const struct dj_event *event);

void dj_sampled_addresses_finish(struct dj_sampled_addresses *sampled);

#endif
