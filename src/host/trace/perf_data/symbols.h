/* The symbols that simpleperf stores: it records on devices, of which the files are
 * rarely at hand later. */
#ifndef DEJANK_TRACE_PERF_DATA_SYMBOLS_H
#define DEJANK_TRACE_PERF_DATA_SYMBOLS_H

#include "trace/perf_data/file.h"

struct dj_perf_symbol {
    uint64_t start;
    uint32_t size;
    struct dj_str name;
};

/* How the addresses of a file's symbols are counted. */
enum dj_perf_symbol_addresses {
    DJ_PERF_SYMBOL_PROCESS,    /* As addresses in memory: the kernel. */
    DJ_PERF_SYMBOL_ELF,        /* As the ELF file counts them. */
    DJ_PERF_SYMBOL_FILE_OFFSET /* As offsets in the file: Java code, and others. */
};

struct dj_perf_symbol_file {
    struct dj_str path;
    enum dj_perf_symbol_addresses addresses;
    /* Address of the first code, and its offset in the file. Valid for DJ_PERF_SYMBOL_ELF
     * if has_offset is set. */
    uint64_t code_address, code_offset;
    bool has_offset;
    struct dj_perf_symbol *symbols; /* Sorted by start. Owned. */
    size_t symbol_count, symbol_capacity;
};

/* Zero it before use. */
struct dj_perf_symbols {
    struct dj_perf_symbol_file *files; /* Owned. */
    size_t file_count;
    struct dj_map places; /* By hash of the path. */
};

/* Reads the symbols of a perf.data file. Notes damage there. Strings point into it. */
void dj_perf_data_symbols_read(struct dj_perf_symbols *symbols,
                               struct dj_perf_data *file);
/* Returns NULL if there are no symbols of this path. */
const struct dj_perf_symbol_file *
dj_perf_data_symbols_find_file(const struct dj_perf_symbols *symbols, const char *path);
/* Returns the symbol that contains the address, or NULL. */
const struct dj_perf_symbol *
dj_perf_data_symbols_find(const struct dj_perf_symbol_file *file, uint64_t address);
void dj_perf_data_symbols_finish(struct dj_perf_symbols *symbols);

#endif
