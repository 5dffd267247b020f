/* base: the foundation of all modules: errors with a position, growable text, UTF-8,
 * checked arithmetic. It contains nothing about frames. Pure; safe in any thread;
 * dj_error_* is also as async-signal-safe as vsnprintf (no allocation, no locale
 * change). */
#ifndef DEJANK_BASE_ERROR_H
#define DEJANK_BASE_ERROR_H

#include <stddef.h>

#include "base/count_of.h"

/* Codes are negative; 0 is success. */
enum dj_error_code {
    DJ_E_INVALID = -1,   /* bytes that violate the format; offset has the position */
    DJ_E_TRUNCATED = -2, /* the data ends too early */
    DJ_E_VERSION = -3,   /* a format version this build does not read */
    DJ_E_OWNER = -4,     /* a file that does not belong to the expected user */
    DJ_E_NOT_FOUND = -5, /* no such package, process, device, file */
    DJ_E_IO = -6,        /* the system call failed; the message has errno */
    DJ_E_LIMIT = -7,     /* a documented maximum was reached */
    DJ_E_NO_MEMORY = -8,
    DJ_E_TIMEOUT = -9,
    DJ_E_GONE = -10,        /* it existed, and disappeared in between */
    DJ_E_PROTOCOL = -11,    /* the peer sent an unexpected answer */
    DJ_E_UNSUPPORTED = -12, /* valid, but not supported by this build or device */
    DJ_E_NO_DATA = -13,     /* read successfully, but contained no data to compute from */
    DJ_E_USAGE = -14,       /* the request is invalid */
    DJ_E_INTERRUPTED = -15, /* the caller cancelled the operation */
    DJ_E_OUTPUT = -16,      /* the result cannot be written; the message has errno */
};

/* Where and why something failed. Zero it before use. Every function accepts NULL if
 * it is not wanted. */
struct dj_error {
    int code;         /* 0, or one of enum dj_error_code */
    long long offset; /* byte in the input, from 0; valid only if has_offset */
    int has_offset;
    char message[400]; /* one sentence, no newline, truncated if too long */
};

/* Fills err (if not NULL) and returns code, for `return dj_error_set(err, …)`. */
int dj_error_set(struct dj_error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Like dj_error_set, and stores the byte offset in the input. */
int dj_error_set_at(struct dj_error *err, int code, long long offset, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* Inserts "context: " before the message: outer layers add their context. */
void dj_error_prepend(struct dj_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
