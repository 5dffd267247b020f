/*
 * Loads libraries of this machine when they are first needed. Most commands need none of
 * them, and each loads many others, which would delay every start.
 *
 * A table FUNCTIONS(ROW) names the needed functions once. It defines a struct of pointers
 * and a list of names. The types are those of the library's own headers. In a header, and
 * in one source file:
 *
 *     DJ_LIBRARY_DECLARE(dj_libpq, DJ_LIBPQ_FUNCTIONS);
 *     DJ_LIBRARY_DEFINE(dj_libpq, DJ_LIBPQ_FUNCTIONS, "libpq.so.5", "libpq5", "stores");
 *
 * That file loads it with dj_device_library_load(&dj_libpq_library, err). After that a
 * function is called as dj_libpq->PQexec(…).
 */
#ifndef DEJANK_DEVICE_LIBRARY_H
#define DEJANK_DEVICE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define DJ_LIBRARY_POINTER(NAME) __typeof__(&NAME) NAME;
#define DJ_LIBRARY_NAME(NAME) #NAME,

/* LIBRARY points to a struct of pointers, which are NULL until the library is loaded. */
#define DJ_LIBRARY_DECLARE(LIBRARY, FUNCTIONS)                                           \
    struct LIBRARY {                                                                     \
        FUNCTIONS(DJ_LIBRARY_POINTER)                                                    \
    };                                                                                   \
    extern const struct LIBRARY *const LIBRARY

/* SONAME, PACKAGE and NEEDED_BY are fields of struct dj_library. */
#define DJ_LIBRARY_DEFINE(LIBRARY, FUNCTIONS, SONAME, PACKAGE, NEEDED_BY)                \
    static struct LIBRARY LIBRARY##_pointers;                                            \
    const struct LIBRARY *const LIBRARY = &LIBRARY##_pointers;                           \
    static const char *const LIBRARY##_names[] = {FUNCTIONS(DJ_LIBRARY_NAME)};           \
    static struct dj_library LIBRARY##_library = {                                       \
        .soname = SONAME,                                                                \
        .package = PACKAGE,                                                              \
        .needed_by = NEEDED_BY,                                                          \
        .names = LIBRARY##_names,                                                        \
        .count = COUNT_OF(LIBRARY##_names),                                              \
        .pointers = &LIBRARY##_pointers,                                                 \
    }

/* Static, one per library. */
struct dj_library {
    const char *soname;    /* "libpq.so.5" */
    const char *package;   /* the Debian package that contains the file: "libpq5" */
    const char *needed_by; /* what does not work without it, in the plural: "pictures" */
    const char *const
        *names;     /* of functions in the library or in one that it depends on */
    size_t count;   /* number of names */
    void *pointers; /* a struct of `count` pointers to functions, in the order of names */
    bool loaded;    /* set by dj_device_library_load() */
};

/* Loads the library once and fills its pointers. It stays loaded until the process ends.
 * Any thread may call this, and may call the functions after it returned 0.
 * DJ_E_UNSUPPORTED: the library is not installed, cannot be loaded or lacks a function;
 * the message names it and what needs it. The next call tries again. */
int dj_device_library_load(struct dj_library *library, struct dj_error *err);

#endif
