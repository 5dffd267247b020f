/*
 * base: what every room stands on — errors with a place, growable text, checked
 * arithmetic. It knows nothing of frames. Pure; safe in any thread; dj_error_* is also
 * async-signal-safe as far as vsnprintf is (no allocation, no locale change).
 */
#ifndef DEJANK_BASE_ERROR_H
#define DEJANK_BASE_ERROR_H

#include <stddef.h>

/* One table makes the codes and their names. Codes are negative; 0 is success. */
#define DJ_ERROR_MAP(X)                                                                  \
    X(INVALID, "invalid data")     /* bytes that break the format; offset says where */  \
    X(TRUNCATED, "truncated data") /* the data ends before it should */                  \
    X(VERSION, "unsupported version") /* a format version this build does not read */    \
    X(OWNER, "wrong owner")           /* a file that is not the expected user's */       \
    X(NOT_FOUND, "not found")         /* no such package, process, device, file */       \
    X(IO, "input/output error")       /* the system refused; the message has errno */    \
    X(LIMIT, "limit exceeded")        /* a documented maximum was reached */             \
    X(NO_MEMORY, "out of memory")                                                        \
    X(TIMEOUT, "timed out")                                                              \
    X(GONE, "device or process gone") /* it was there, and went away in between */       \
    X(PROTOCOL, "protocol error")     /* the peer answered out of turn */                \
    X(UNSUPPORTED, "not supported")   /* known, but not by this build or device */       \
    X(NO_DATA, "no data")             /* read well, and held nothing to compute from */  \
    X(USAGE, "usage error")           /* what was asked for makes no sense */            \
    X(INTERRUPTED, "interrupted")     /* whoever asked wants no answer any more */

enum dj_error_index {
#define DJ_ERROR_INDEX(name, text) DJ_ERROR_INDEX_##name,
    DJ_ERROR_MAP(DJ_ERROR_INDEX)
#undef DJ_ERROR_INDEX
};

enum dj_error_code {
#define DJ_ERROR_CODE(name, text) DJ_E_##name = -1 - DJ_ERROR_INDEX_##name,
    DJ_ERROR_MAP(DJ_ERROR_CODE)
#undef DJ_ERROR_CODE
};

/* Where and why something failed. Zero it before use; every function takes NULL for "not
 * wanted". */
struct dj_error {
    int code;         /* 0, or one of enum dj_error_code */
    long long offset; /* byte in the input, from 0; meaningful only if has_offset */
    int has_offset;
    char message[400]; /* one sentence, no newline, cut where too long */
};

/* Fills err (if not NULL) and returns code, so that `return dj_error_set(err, …)` reads
 * well. */
int dj_error_set(struct dj_error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As dj_error_set, and remembers the byte offset in the input. */
int dj_error_set_at(struct dj_error *err, int code, long long offset, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* Puts "context: " in front of the message: outer layers say where they were. */
void dj_error_prepend(struct dj_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The code's short English name ("wrong owner"); "success" for 0; never NULL. */
const char *dj_error_name(int code);

#endif
