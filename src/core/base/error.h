/* base: the mechanisms that all other modules use: errors with a position in the input,
 * growable text, UTF-8, checked arithmetic, maps and file formats. It contains nothing
 * about frames. Functions have no global state and are safe in any thread. dj_error_set()
 * and the other dj_error_ functions allocate no memory and do not change the locale, so
 * they are as async-signal-safe as vsnprintf(). */
#ifndef DEJANK_BASE_ERROR_H
#define DEJANK_BASE_ERROR_H

#include <stddef.h>

#include "base/count_of.h"

/* Error codes. All are negative, because 0 is success. */
enum dj_error_code {
    DJ_E_INVALID = -1,   /* The bytes violate the format. `offset` has their position. */
    DJ_E_TRUNCATED = -2, /* The data ends too early. */
    DJ_E_VERSION = -3,   /* This build cannot read this version of the format. */
    DJ_E_OWNER = -4,     /* The file does not belong to the expected user. */
    /* The requested package, process, device or file does not exist. */
    DJ_E_NOT_FOUND = -5,
    DJ_E_IO = -6,    /* A system call failed. The message contains errno. */
    DJ_E_LIMIT = -7, /* A documented maximum was reached. */
    DJ_E_NO_MEMORY = -8,
    DJ_E_TIMEOUT = -9,
    /* The process, device or file disappeared during the operation. */
    DJ_E_GONE = -10,
    DJ_E_PROTOCOL = -11, /* The peer sent an unexpected answer. */
    /* The request is valid, but this build or device does not support it. */
    DJ_E_UNSUPPORTED = -12,
    /* The input is valid, but contains no data to compute from. */
    DJ_E_NO_DATA = -13,
    DJ_E_USAGE = -14,       /* The request is invalid. */
    DJ_E_INTERRUPTED = -15, /* The caller cancelled the operation. */
    /* The result cannot be written. The message contains errno. */
    DJ_E_OUTPUT = -16,
};

/* The position and the reason of a failure. Zero the struct before use. Every function
 * with an `err` parameter accepts NULL. */
struct dj_error {
    int code;         /* 0 or a value of enum dj_error_code. */
    long long offset; /* Byte offset in the input. Valid only if has_offset is set. */
    int has_offset;
    char message[400]; /* One sentence without a newline. Truncated if it does not fit. */
};

/* Fills err if it is not NULL. Returns code, so that a function can end with `return
 * dj_error_set(err, …)`. */
int dj_error_set(struct dj_error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Like dj_error_set(), but also stores a byte offset in the input. */
int dj_error_set_at(struct dj_error *err, int code, long long offset, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* Inserts "CONTEXT: " before the message, where CONTEXT is the formatted text. Does
 * nothing if err is NULL. */
void dj_error_prepend(struct dj_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
