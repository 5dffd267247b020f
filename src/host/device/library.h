/*
 * Libraries of this machine that are loaded when they are first needed. Most commands
 * need none of them, and with each come many more, for which every start would wait.
 *
 * The functions wanted are named once, in a table FUNCTIONS(ROW) that makes a struct of
 * pointers and the list of names; their types are those of the library's own headers:
 *
 *     struct dj_libpq { FUNCTIONS(DJ_LIBRARY_POINTER) };
 *     static const char *const names[] = {FUNCTIONS(DJ_LIBRARY_NAME)};
 */
#ifndef DEJANK_DEVICE_LIBRARY_H
#define DEJANK_DEVICE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define DJ_LIBRARY_POINTER(NAME) __typeof__(&NAME) NAME;
#define DJ_LIBRARY_NAME(NAME) #NAME,

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
