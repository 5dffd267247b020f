/* Describes the addresses of stacks: module, address in its file, and function. */
#ifndef DEJANK_TRACE_PERF_DATA_CALLS_H
#define DEJANK_TRACE_PERF_DATA_CALLS_H

#include "memory/strings.h"
#include "stacks/names.h"
#include "stacks/unwind.h"
#include "trace/event.h"
#include "trace/perf_data/symbols.h"

/* Process whose mappings are those of the kernel. */
enum { DJ_PERF_KERNEL = -1 };

struct dj_perf_call;

/* Zero it and set the first four members. */
struct dj_perf_calls {
    struct dj_stacks_maps *maps;
    struct dj_stacks_names *names;
    const struct dj_perf_symbols *symbols;
    const struct dj_perf_data *file;
    struct dj_perf_call *calls; /* Calls that were described. Owned. */
    size_t call_count, call_capacity;
    struct dj_map call_places;
    struct dj_event_mapping **mappings; /* By number in `maps`. Each is owned. */
    size_t mapping_count;
    struct dj_strings strings; /* Names that were demangled. */
};

void dj_perf_data_calls_finish(struct dj_perf_calls *calls);

/* Adds a mapping of a process or of the kernel. */
void dj_perf_data_calls_add_mapping(struct dj_perf_calls *calls,
                                    const struct dj_stacks_new_mapping *mapping);

/* Forgets descriptions if there are many, so that memory is limited. Call it before each
 * stack. */
void dj_perf_data_calls_limit(struct dj_perf_calls *calls);

/* Describes an address of a program. `address` is inside the code of the call. The result
 * is valid until dj_perf_data_calls_limit(). */
struct dj_event_call dj_perf_data_calls_describe(struct dj_perf_calls *calls,
                                                 uint32_t mapping, uint64_t address);
/* Describes an address of the kernel. Without a symbol, it has no address: all unknown
 * functions of the kernel are one. */
struct dj_event_call dj_perf_data_calls_describe_kernel(struct dj_perf_calls *calls,
                                                        uint64_t address);

#endif
