/* Stores names of functions that were found after the recording (packets ModuleSymbols).
 * These packets are often at the end of the trace, so they are read before the
 * samples. */
#ifndef DEJANK_TRACE_PERFETTO_STACKS_SYMBOLS_H
#define DEJANK_TRACE_PERFETTO_STACKS_SYMBOLS_H

#include "base/map.h"
#include "trace/event.h"
#include "trace/perfetto/fields.h"

/* The names of the functions at one address. */
struct dj_perfetto_symbol {
    /* Build-id of the file, or the path of the file if the build-id is unknown. */
    struct dj_str module;
    uint64_t address;
    /* Encoded AddressSymbols message. The bytes belong to the trace. */
    struct dj_str lines;
};

/* The names of all addresses. A zeroed struct is empty. */
struct dj_perfetto_symbols {
    struct dj_map places;
    struct dj_perfetto_symbol *all; /* Addresses with names. Owned by this struct. */
    size_t count;
};

/* Adds the names of a ModuleSymbols message. They replace earlier names of the same
 * addresses, as they do in Perfetto. */
void dj_perfetto_symbols_add(struct dj_perfetto_symbols *symbols, struct dj_str message);

/* Maximum number of functions at one address that are inlined into each other. */
enum { DJ_PF_INLINED_MAX = 64 };

/* A function at an address, with its position in the source. */
struct dj_perfetto_line {
    struct dj_str function, file;
    uint32_t line; /* Line in the source file, or 0 if unknown. */
};

/* Finds the functions at an address and sets `lines`. The outermost function, into which
 * the others are inlined, is first. Returns the number of functions, or 0 if the address
 * has no names. */
size_t dj_perfetto_symbols_find(const struct dj_perfetto_symbols *symbols,
                                const struct dj_event_mapping *mapping, uint64_t address,
                                struct dj_perfetto_line lines[DJ_PF_INLINED_MAX]);

void dj_perfetto_symbols_finish(struct dj_perfetto_symbols *symbols);

#endif
