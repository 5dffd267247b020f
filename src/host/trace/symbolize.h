/* Names the functions of sampled stacks after the recording, with the symbols of debug
 * files. The output is the same trace with packets ModuleSymbols at its end, as
 * Perfetto's own tools append them. All other bytes of the trace stay as they are. */
#ifndef DEJANK_TRACE_SYMBOLIZE_H
#define DEJANK_TRACE_SYMBOLIZE_H

#include "stacks/debug_files.h"

/* A module (file) with sampled functions. The struct owns the strings. They are NULL if
 * unknown. */
struct dj_symbolized_module {
    char *path;
    /* Build-id of the module in hexadecimal, or "" if the trace does not contain it. */
    char build_id[DJ_STACKS_BUILD_ID_TEXT];
    uint64_t functions; /* Number of sampled functions that had no name. */
    uint64_t named;     /* Number of these functions that have a name now. */
    /* Path of the debug file that gave the names, or NULL if there is none. */
    char *file;
    /* Path of a file that has the name of the module but another build-id. This file was
     * not used. */
    char *refused;
    char refused_build_id[DJ_STACKS_BUILD_ID_TEXT];
};

/* The result of dj_trace_symbolize(). A zeroed struct is empty. */
struct dj_symbolized {
    /* Modules, those that got no names first. Owned by this struct. */
    struct dj_symbolized_module *modules;
    size_t module_count;
    /* Sums of the members with the same names over all modules. */
    uint64_t functions, named;
    /* Number of addresses with source lines, and how many of these addresses are in a
     * function that is inlined into another one. Both are 0 without libdw. */
    uint64_t lines, inlined;
    uint64_t stacks;  /* Number of samples that were read. */
    bool was_written; /* False if nothing was added, and the file is unchanged. */
    /* Size of a truncated packet at the end of the input. It is not copied to the
     * output. */
    uint64_t incomplete_bytes;
    /* Folders and files with debug files that could not be read. The list belongs to
     * `files` of dj_trace_symbolize(). */
    const struct dj_stacks_unreadable *unreadable;
    size_t unreadable_count;
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
