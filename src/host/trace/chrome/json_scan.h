/*
 * Splits JSON into tokens. The caller passes the JSON text in pieces of any size, which
 * may end anywhere. The memory use does not grow with the input.
 */
#ifndef DEJANK_TRACE_CHROME_JSON_SCAN_H
#define DEJANK_TRACE_CHROME_JSON_SCAN_H

#include "trace/event.h"

enum dj_json_token {
    DJ_JSON_OBJECT, /* Start of an object. `depth` already includes this object. */
    DJ_JSON_ARRAY,
    /* End of an object or array. `depth` no longer includes this object or array. */
    DJ_JSON_CLOSE,
    DJ_JSON_KEY,
    /* A part of a string. Escapes are already replaced. Most strings have only one part.
     */
    DJ_JSON_STRING,
    DJ_JSON_STRING_END,
    DJ_JSON_NUMBER,
    DJ_JSON_WORD /* The token is the word true, false or null. */
};

enum {
    DJ_JSON_DEPTH = 512, /* Maximum nesting depth. */
    /* Maximum length of keys and numbers in bytes. Longer ones are truncated. */
    DJ_JSON_SHORT = 256,
    /* Maximum length in bytes of the parts in which a string value is passed on. */
    DJ_JSON_PART = 1 << 14
};

/* A scanner. Zero the struct and set on_token and `user`. The scanner accepts some
 * invalid JSON and counts each case as a fault. Unknown escapes and control characters
 * stay unchanged. Half of a surrogate pair becomes U+FFFD. A comma may precede a closing
 * bracket. */
struct dj_json_scan {
    int (*on_token)(void *user, enum dj_json_token token, struct dj_str text,
                    struct dj_error *err);
    void *user;
    uint32_t depth;
    uint64_t faults;
    /* Message about the first fault, with its position, for example "byte 12: expected
     * …". "" if there is no fault. */
    char fault[160];
    uint64_t place; /* Approximate byte offset of the current token. */
    /* The following members are private. */
    uint64_t at; /* Number of bytes in earlier pieces. */
    uint8_t state;
    bool broken; /* True after an error. The rest of the input is then ignored. */
    bool is_key;
    uint8_t digits; /* Number of digits of the current \uXXXX that were read. */
    uint32_t unit;  /* Value of the digits that were read. */
    uint32_t high;  /* First half of a surrogate pair, or 0 if there is none. */
    /* For each open bracket: true for an object, false for an array. */
    bool objects[DJ_JSON_DEPTH];
    size_t length;
    char text[DJ_JSON_PART];
};

/* Scans the next piece. If `on_token` returns a code other than 0, stops and returns the
 * code. */
int dj_json_scan_read(struct dj_json_scan *scan, const char *bytes, size_t length,
                      struct dj_error *err);

/* Ends the input. Call this function after the last piece. Open objects, arrays and
 * strings are a fault. If only the outermost array is open, this is no fault, because
 * programs that were killed leave such files. */
int dj_json_scan_end(struct dj_json_scan *scan, struct dj_error *err);

#endif
