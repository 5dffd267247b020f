/* Finds source lines and inlined functions of addresses, from the DWARF data of a file
 * with debug information. Uses elfutils' libdw, which is loaded at its first use. Without
 * libdw, only names of functions are known. libdw is not written for hostile files, so
 * dejank opens only debug files with it, never the files of sampled processes. */
#ifndef DEJANK_STACKS_LINES_H
#define DEJANK_STACKS_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Maximum number of functions that are inlined into each other at one address. */
enum { DJ_STACKS_LINES_MAX = 32 };

/* A function at an address. The strings are valid until dj_stacks_lines_close(). */
struct dj_stacks_line {
    /* Name of the function without parameters, or NULL if unknown. */
    const char *function;
    const char *file; /* Path of its source file, or NULL if unknown. */
    uint32_t line;    /* Line in the source file, or 0 if unknown. */
};

struct dj_stacks_lines;

/* Loads libdw. Returns DJ_E_UNSUPPORTED if it is not installed. */
int dj_stacks_lines_load(struct dj_error *err);

/* Opens a file. Returns NULL if libdw is not installed, or if the file contains no debug
 * information. */
struct dj_stacks_lines *dj_stacks_lines_open(const char *path);
/* Closes the file. `lines` may be NULL. */
void dj_stacks_lines_close(struct dj_stacks_lines *lines);

/* Finds the functions at an address of the file, innermost first. The last function
 * contains the others. Returns the number of functions, or 0 if none is known. */
size_t dj_stacks_lines_find(struct dj_stacks_lines *lines, uint64_t address,
                            struct dj_stacks_line found[DJ_STACKS_LINES_MAX]);

#endif
