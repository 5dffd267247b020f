/*
 * base: what every room stands on — errors with a place, growable text, UTF-8,
 * checked arithmetic. It knows nothing of frames. Pure; safe in any thread; dj_error_* is
 * also async-signal-safe as far as vsnprintf is (no allocation, no locale change).
 */
#ifndef DEJANK_BASE_ERROR_H
#define DEJANK_BASE_ERROR_H

#include <stddef.h>

#include "base/count_of.h"

/* Codes are negative; 0 is success. */
enum dj_error_code {
    DJ_E_INVALID = -1,   /* bytes that break the format; offset says where */
    DJ_E_TRUNCATED = -2, /* the data ends before it should */
    DJ_E_VERSION = -3,   /* a format version this build does not read */
    DJ_E_OWNER = -4,     /* a file that is not the expected user's */
    DJ_E_NOT_FOUND = -5, /* no such package, process, device, file */
    DJ_E_IO = -6,        /* the system refused; the message has errno */
    DJ_E_LIMIT = -7,     /* a documented maximum was reached */
    DJ_E_NO_MEMORY = -8,
    DJ_E_TIMEOUT = -9,
    DJ_E_GONE = -10,        /* it was there, and went away in between */
    DJ_E_PROTOCOL = -11,    /* the peer answered out of turn */
    DJ_E_UNSUPPORTED = -12, /* known, but not by this build or device */
    DJ_E_NO_DATA = -13,     /* read well, and held nothing to compute from */
    DJ_E_USAGE = -14,       /* what was asked for makes no sense */
    DJ_E_INTERRUPTED = -15, /* whoever asked wants no answer any more */
    DJ_E_OUTPUT = -16,      /* the result cannot be written; the message has errno */
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

#endif
