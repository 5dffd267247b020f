/* The sampled addresses of a trace, by file and function. */
#ifndef DEJANK_TRACE_SYMBOLIZE_ADDRESSES_H
#define DEJANK_TRACE_SYMBOLIZE_ADDRESSES_H

#include "base/map.h"
#include "stacks/elf.h"
#include "trace/event.h"

/* A function without a name. */
struct dj_unnamed_function {
    char *given; /* "MODULE!0xSTART", or "" if the trace says nothing. Owned. */
    bool is_named;
};

/* The function has a name already, but may get source lines. */
#define DJ_HAS_NAME UINT32_MAX

struct dj_sampled_address {
    uint64_t address;
    /* Index in `functions` of the module, or DJ_HAS_NAME. */
    uint32_t function;
};

struct dj_sampled_module {
    char *path; /* Owned. */
    /* The build-id as the trace contains it, and its bytes. */
    char *stored_id; /* Owned. Not terminated. */
    size_t stored_id_length;
    struct dj_stacks_build_id build_id;
    struct dj_sampled_address *addresses; /* Owned. */
    size_t address_count;
    struct dj_unnamed_function *functions; /* Owned. */
    size_t function_count;
    struct dj_map address_places, function_places;
};

/* A zeroed struct is empty. */
struct dj_sampled_addresses {
    struct dj_sampled_module *modules; /* Owned. */
    size_t module_count;
    struct dj_map places;
    uint64_t stacks; /* Number of samples. */
};

/* Adds the addresses of a DJ_EVENT_STACK that were not symbolized. Ignores other events.
 * `user` is a struct dj_sampled_addresses. Always returns 0. */
int dj_sampled_addresses_add(void *user, const struct dj_event *event);

void dj_sampled_addresses_finish(struct dj_sampled_addresses *sampled);

#endif
