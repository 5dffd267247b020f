/*
 * Splits JSON, in pieces of any size, into tokens. The memory it needs does not grow
 * with the input.
 */
#ifndef DEJANK_TRACE_CHROME_JSON_SCAN_H
#define DEJANK_TRACE_CHROME_JSON_SCAN_H

#include "trace/event.h"

enum dj_json_token {
    DJ_JSON_OBJECT, /* an object begins; `depth` includes it */
    DJ_JSON_ARRAY,
    DJ_JSON_CLOSE, /* an object or array ends; `depth` no longer includes it */
    DJ_JSON_KEY,
    DJ_JSON_STRING, /* a part of a string, unescaped; usually the whole string */
    DJ_JSON_STRING_END,
    DJ_JSON_NUMBER,
    DJ_JSON_WORD /* true, false, null */
};

enum {
    DJ_JSON_DEPTH = 512, /* deeper nesting is refused */
    DJ_JSON_SHORT = 256, /* longer keys and numbers are truncated */
    DJ_JSON_PART = 1 << 14
};

/* Zero it and set the first two members. It accepts input that is not valid JSON but has
 * one clear meaning: an unknown escape and a control character are read unchanged, half
 * a surrogate pair becomes U+FFFD, and a comma may precede an end. It counts these as
 * faults. */
struct dj_json_scan {
    int (*take)(void *user, enum dj_json_token token, struct dj_str text,
                struct dj_error *err);
    void *user;
    uint32_t depth;
    uint64_t faults;
    char fault[160]; /* the first fault and its place: "byte 12: expected …"; "" none */
    uint64_t place;  /* approximate byte offset of the current token */
    /* The rest is private. */
    uint64_t at; /* bytes in earlier pieces */
    uint8_t state;
    bool broken; /* the rest of the input is ignored */
    bool is_key;
    uint8_t digits;              /* number of digits of \uXXXX that are read */
    uint32_t unit;               /* their value */
    uint32_t high;               /* first half of a surrogate pair; 0: none */
    bool objects[DJ_JSON_DEPTH]; /* for each open level: it is an object, not an array */
    size_t length;
    char text[DJ_JSON_PART];
};

/* Scans a piece. Returns the first code of `take` that is not 0. */
int dj_json_scan_read(struct dj_json_scan *scan, const char *bytes, size_t length,
                      struct dj_error *err);

/* Ends the input. Anything still open is a fault, with one exception: an array that
 * contains nothing open. Programs that were killed leave such an array. */
int dj_json_scan_end(struct dj_json_scan *scan, struct dj_error *err);

#endif
