/* Names the functions of sampled stacks after the recording, with the symbols of debug
 * files. The output is the same trace with packets ModuleSymbols at its end, as
 * Perfetto's own tools append them. All other bytes of the trace stay as they are. */
#ifndef DEJANK_TRACE_SYMBOLIZE_H
#define DEJANK_TRACE_SYMBOLIZE_H

#include "stacks/debug_files.h"

/* A file whose functions were sampled. The strings are owned, and NULL if unknown. */
struct dj_symbolized_module {
    char *path;
    char build_id[DJ_STACKS_BUILD_ID_TEXT]; /* "" if the trace does not contain it. */
    uint64_t functions; /* Number of sampled functions that had no name. */
    uint64_t named;     /* Number of these functions that have a name now. */
    char *file;         /* The debug file that was used. */
    /* A file with the name of the module, but with another build-id. It was not used. */
    char *refused;
    char refused_build_id[DJ_STACKS_BUILD_ID_TEXT];
};

/* The result of dj_trace_symbolize(). A zeroed struct is empty. */
struct dj_symbolized {
    struct dj_symbolized_module *modules; /* Owned. Those without names come first. */
    size_t module_count;
    uint64_t functions, named; /* Sums of all modules. */
    /* Number of addresses with source lines, and how many of them are in a function that
     * is inlined into another one. 0 without libdw. */
    uint64_t lines, inlined;
    uint64_t stacks;  /* Number of samples that were read. */
    bool was_written; /* False if nothing was added, and the file is unchanged. */
    uint64_t incomplete_bytes; /* Bytes of a truncated packet at the end, not written. */
};

/* Reads the trace `input`, names its functions, and writes the trace to `output`, which
 * may be the same file. The file is replaced completely or not at all. If nothing is
 * added, a different `output` becomes a copy of `input`. `files` may be NULL. Returns 0,
 * DJ_E_NO_DATA if the trace contains no sampled stacks, DJ_E_UNSUPPORTED if it is not an
 * uncompressed Perfetto trace, or an error of reading or writing. */
int dj_trace_symbolize(const char *input, const char *output,
                       struct dj_stacks_debug_files *files, struct dj_symbolized *result,
                       struct dj_error *err);

void dj_trace_symbolized_finish(struct dj_symbolized *result);

#endif
