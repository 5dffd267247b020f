/*
 * Libraries of this machine that are loaded when they are first needed. Most commands
 * need none of them, and with each come many more, for which every start would wait.
 *
 * The functions wanted are named once, in a table FUNCTIONS(ROW) that makes a struct of
 * pointers and the list of names; their types are those of the library's own headers. In
 * a header, and in one source file:
 *
 *     DJ_LIBRARY_DECLARE(dj_libpq, DJ_LIBPQ_FUNCTIONS);
 *     DJ_LIBRARY_DEFINE(dj_libpq, DJ_LIBPQ_FUNCTIONS, "libpq.so.5", "libpq5", "stores");
 *
 * That file loads it by dj_library_load(&dj_libpq_library, err). From then on a function
 * is dj_libpq->PQexec(…).
 */
#ifndef DEJANK_DEVICE_LIBRARY_H
#define DEJANK_DEVICE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define DJ_LIBRARY_POINTER(NAME) __typeof__(&NAME) NAME;
#define DJ_LIBRARY_NAME(NAME) #NAME,

/* LIBRARY is a pointer to a struct of pointers, which are NULL until it is loaded. */
#define DJ_LIBRARY_DECLARE(LIBRARY, FUNCTIONS)                                           \
    struct LIBRARY {                                                                     \
        FUNCTIONS(DJ_LIBRARY_POINTER)                                                    \
    };                                                                                   \
    extern const struct LIBRARY *const LIBRARY

/* The last three are fields of struct dj_library. */
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
    const char *soname;       /* "libpq.so.5" */
    const char *package;      /* Debian's, of that file: "libpq5" */
    const char *needed_by;    /* what is off without it, in the plural: "pictures" */
    const char *const *names; /* of functions: the library's, or of one it depends on */
    size_t count;             /* of names */
    void *pointers; /* a struct of `count` pointers to functions, as the names */
    bool loaded;    /* this room's */
};

/*
 * Loads the library and fills its pointers, once; it stays until the process ends. From
 * any thread: whoever got 0 may call the functions. DJ_E_UNSUPPORTED where it is not
 * installed, cannot be loaded or lacks a function: err names it, and what needs it. The
 * next call tries again.
 */
int dj_library_load(struct dj_library *library, struct dj_error *err);

#endif
