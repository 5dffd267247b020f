/*
 * Loads libraries of this machine when they are first needed. Most commands need none of
 * these libraries, and each of them loads many others, which would delay the start of
 * every command.
 *
 * A macro FUNCTIONS(ROW) lists the needed functions once. From this list, the macros
 * below define a struct of function pointers and an array of function names. The types of
 * the pointers come from the headers of the library. In a header, and in one source file:
 *
 *     DJ_LIBRARY_DECLARE(dj_libpq, DJ_LIBPQ_FUNCTIONS);
 *     DJ_LIBRARY_DEFINE(dj_libpq, DJ_LIBPQ_FUNCTIONS, "libpq.so.5", "libpq5", "stores");
 *
 * The source file loads the library with dj_device_library_load(&dj_libpq_library, err).
 * After that, a function is called as dj_libpq->PQexec(…).
 */
#ifndef DEJANK_DEVICE_LIBRARY_H
#define DEJANK_DEVICE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define DJ_LIBRARY_POINTER(NAME) __typeof__(&NAME) NAME;
#define DJ_LIBRARY_NAME(NAME) #NAME,

/* Declares LIBRARY, a pointer to a struct of function pointers. They are NULL until the
 * library is loaded. */
#define DJ_LIBRARY_DECLARE(LIBRARY, FUNCTIONS)                                           \
    struct LIBRARY {                                                                     \
        FUNCTIONS(DJ_LIBRARY_POINTER)                                                    \
    };                                                                                   \
    extern const struct LIBRARY *const LIBRARY

/* Defines LIBRARY. SONAME, PACKAGE and NEEDED_BY are fields of struct dj_library. */
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

/* A library that is loaded on demand. There is one static object per library. */
struct dj_library {
    const char *soname; /* File name of the library, such as "libpq.so.5". */
    /* Debian package that contains the library, such as "libpq5". */
    const char *package;
    /* Plural of the feature that needs the library, such as "pictures". */
    const char *needed_by;
    /* Names of functions that the library, or a library that it depends on, contains. */
    const char *const *names;
    size_t count;   /* Number of elements of `names`. */
    void *pointers; /* A struct of `count` function pointers in the order of `names`. */
    bool loaded;    /* True after dj_device_library_load() has loaded the library. */
};

/* Loads the library if it is not loaded yet, and sets its function pointers. The library
 * remains loaded until the process ends. Any thread may call this function, and may use
 * the pointers after it returned 0. Returns DJ_E_UNSUPPORTED if the library is not
 * installed, cannot be loaded or lacks a function. The message names the library and the
 * feature that needs it. The next call tries again. */
int dj_device_library_load(struct dj_library *library, struct dj_error *err);

#endif
