/* Describes the addresses of stacks: module, address in its file, and function. */
#ifndef DEJANK_TRACE_PERF_DATA_CALLS_H
#define DEJANK_TRACE_PERF_DATA_CALLS_H

#include "memory/strings.h"
#include "stacks/names.h"
#include "stacks/unwind.h"
#include "trace/event.h"
#include "trace/perf_data/symbols.h"

/* Process id under which the mappings of the kernel are stored. */
enum { DJ_PERF_KERNEL = -1 };

struct dj_perf_call;

/* The descriptions of addresses, so that each address is looked up once. Zero the struct
 * and set its first four members. */
struct dj_perf_calls {
    struct dj_stacks_maps *maps;
    struct dj_stacks_names *names;
    const struct dj_perf_symbols *symbols;
    const struct dj_perf_data *file;
    /* Addresses that were already described. Owned by this struct. */
    struct dj_perf_call *calls;
    size_t call_count, call_capacity;
    struct dj_map call_places;
    /* Descriptions of mappings, indexed by the number of the mapping in `maps`. Owned by
     * this struct, like each element. */
    struct dj_event_mapping **mappings;
    size_t mapping_count;
    struct dj_strings strings; /* Demangled names of functions. */
};

void dj_perf_data_calls_finish(struct dj_perf_calls *calls);

/* Adds a mapping of a process or of the kernel. */
void dj_perf_data_calls_add_mapping(struct dj_perf_calls *calls,
                                    const struct dj_stacks_new_mapping *mapping);

/* Removes all descriptions if there are very many, to limit the memory use. Call this
 * function before each stack. */
void dj_perf_data_calls_limit(struct dj_perf_calls *calls);

/* Describes an address of a program. `address` is inside the code of the call. The result
 * is valid until dj_perf_data_calls_limit(). */
struct dj_event_call dj_perf_data_calls_describe(struct dj_perf_calls *calls,
                                                 uint32_t mapping, uint64_t address);
/* Describes an address of the kernel. The result has no address if no symbol is known, so
 * that all unknown kernel functions count as one function. */
struct dj_event_call dj_perf_data_calls_describe_kernel(struct dj_perf_calls *calls,
                                                        uint64_t address);

#endif
