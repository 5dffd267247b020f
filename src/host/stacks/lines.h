/*
 * Source lines and inlined functions of addresses, from the DWARF of a file with debug
 * information. elfutils' libdw reads it, and is loaded when it is first needed. Without
 * libdw, functions have names only. libdw is not written for hostile files, so dejank
 * reads only debug files with it, never the files of sampled processes.
 */
#ifndef DEJANK_STACKS_LINES_H
#define DEJANK_STACKS_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Maximum number of functions that are inlined into each other at one address. */
enum { DJ_STACKS_LINES_MAX = 32 };

/* A function at an address. The strings are valid until dj_stacks_lines_close(). */
struct dj_stacks_line {
    const char *function; /* Without parameters, or NULL if unknown. */
    const char *file;     /* Path of its source file, or NULL if unknown. */
    uint32_t line;        /* 0 if unknown. */
};

struct dj_stacks_lines;

/* Loads libdw. Returns DJ_E_UNSUPPORTED if it is not installed. */
int dj_stacks_lines_load(struct dj_error *err);

/* Opens a file. Returns NULL if libdw is not installed, or if the file contains no debug
 * information. */
struct dj_stacks_lines *dj_stacks_lines_open(const char *path);
/* `lines` may be NULL. */
void dj_stacks_lines_close(struct dj_stacks_lines *lines);

/* Finds the functions at an address of the file, the innermost one first. The last one is
 * the function that contains the others. Returns their number, or 0. */
size_t dj_stacks_lines_find(struct dj_stacks_lines *lines, uint64_t address,
                            struct dj_stacks_line found[DJ_STACKS_LINES_MAX]);

#endif
