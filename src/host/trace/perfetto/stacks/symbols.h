/* Names of functions that were found after the recording: packets ModuleSymbols. They are
 * often at the end of the trace, so they are read before the samples. */
#ifndef DEJANK_TRACE_PERFETTO_STACKS_SYMBOLS_H
#define DEJANK_TRACE_PERFETTO_STACKS_SYMBOLS_H

#include "base/map.h"
#include "trace/event.h"
#include "trace/perfetto/fields.h"

/* The names of one address. */
struct dj_perfetto_symbol {
    struct dj_str module; /* Build-id of the file, or its path if that is unknown. */
    uint64_t address;
    struct dj_str lines; /* An encoded AddressSymbols. The bytes belong to the trace. */
};

/* A zeroed struct is empty. */
struct dj_perfetto_symbols {
    struct dj_map places;
    struct dj_perfetto_symbol *all; /* Owned. */
    size_t count;
};

/* Adds the names of a ModuleSymbols message. They replace earlier names of the same
 * addresses, as in Perfetto. */
void dj_perfetto_symbols_add(struct dj_perfetto_symbols *symbols, struct dj_str message);

/* Maximum number of functions that are inlined into each other. */
enum { DJ_PF_INLINED_MAX = 64 };

/* A function at an address. */
struct dj_perfetto_line {
    struct dj_str function, file;
    uint32_t line; /* 0 if unknown. */
};

/* Finds the names of an address. Sets `lines`, the function into which the others are
 * inlined first. Returns their number, or 0 if the address has no names. */
size_t dj_perfetto_symbols_find(const struct dj_perfetto_symbols *symbols,
                                const struct dj_event_mapping *mapping, uint64_t address,
                                struct dj_perfetto_line lines[DJ_PF_INLINED_MAX]);

void dj_perfetto_symbols_finish(struct dj_perfetto_symbols *symbols);

#endif
