/* Reads the symbols that simpleperf stores in its files. simpleperf records on devices,
 * and the files of a device are rarely available later. */
#ifndef DEJANK_TRACE_PERF_DATA_SYMBOLS_H
#define DEJANK_TRACE_PERF_DATA_SYMBOLS_H

#include "trace/perf_data/file.h"

struct dj_perf_symbol {
    uint64_t start;
    uint32_t size;
    struct dj_str name;
};

/* The meaning of the addresses of a file's symbols. */
enum dj_perf_symbol_addresses {
    DJ_PERF_SYMBOL_PROCESS, /* Addresses in memory. Used for the kernel. */
    DJ_PERF_SYMBOL_ELF,     /* Addresses in the numbering of the ELF file. */
    /* Offsets in the file. Used for Java code and all other types. */
    DJ_PERF_SYMBOL_FILE_OFFSET
};

struct dj_perf_symbol_file {
    struct dj_str path;
    enum dj_perf_symbol_addresses addresses;
    /* Address of the first code, and the offset of this code in the file. Valid for
     * DJ_PERF_SYMBOL_ELF if has_offset is set. */
    uint64_t code_address, code_offset;
    bool has_offset;
    struct dj_perf_symbol *symbols; /* Symbols, sorted by start. Owned by this struct. */
    size_t symbol_count, symbol_capacity;
};

/* The symbols of all files. Zero the struct before use. */
struct dj_perf_symbols {
    struct dj_perf_symbol_file *files; /* Owned by this struct. */
    size_t file_count;
    struct dj_map places; /* Maps the hash of a path to an index in `files`. */
};

/* Reads the symbols that a perf.data file contains. Notes damage in the perf.data file.
 * The strings of the symbols point into its bytes. */
void dj_perf_data_symbols_read(struct dj_perf_symbols *symbols,
                               struct dj_perf_data *file);
/* Returns the symbols of the file with this path, or NULL if there are none. */
const struct dj_perf_symbol_file *
dj_perf_data_symbols_find_file(const struct dj_perf_symbols *symbols, const char *path);
/* Returns the symbol that contains the address, or NULL if there is none. */
const struct dj_perf_symbol *
dj_perf_data_symbols_find(const struct dj_perf_symbol_file *file, uint64_t address);
void dj_perf_data_symbols_finish(struct dj_perf_symbols *symbols);

#endif
