/*
 * Splits JSON into tokens. The caller passes the JSON text in pieces of any size. The
 * memory use does not grow with the input.
 */
#ifndef DEJANK_TRACE_CHROME_JSON_SCAN_H
#define DEJANK_TRACE_CHROME_JSON_SCAN_H

#include "trace/event.h"

enum dj_json_token {
    DJ_JSON_OBJECT, /* Start of an object. `depth` includes the object. */
    DJ_JSON_ARRAY,
    DJ_JSON_CLOSE, /* End of an object or array. `depth` no longer includes it. */
    DJ_JSON_KEY,
    /* A part of a string, without escape sequences. Most strings have only one part. */
    DJ_JSON_STRING,
    DJ_JSON_STRING_END,
    DJ_JSON_NUMBER,
    DJ_JSON_WORD /* true, false or null. */
};

enum {
    DJ_JSON_DEPTH = 512, /* Maximum nesting depth. */
    /* Maximum length of keys and numbers. Longer ones are truncated. */
    DJ_JSON_SHORT = 256,
    DJ_JSON_PART = 1 << 14
};

/* Zero it and set the first two members. The scanner also accepts some invalid JSON and
 * counts each case as a fault: unknown escapes and control characters stay unchanged,
 * half a surrogate pair becomes U+FFFD, and a comma may precede a closing bracket. */
struct dj_json_scan {
    int (*on_token)(void *user, enum dj_json_token token, struct dj_str text,
                    struct dj_error *err);
    void *user;
    uint32_t depth;
    uint64_t faults;
    /* Description of the first fault with its position, for example "byte 12: expected
     * …". "" if there is none. */
    char fault[160];
    uint64_t place; /* Approximate byte offset of the current token. */
    /* The following members are private. */
    uint64_t at; /* Number of bytes in earlier pieces. */
    uint8_t state;
    bool broken; /* The rest of the input is ignored. */
    bool is_key;
    uint8_t digits; /* Number of digits of \uXXXX that were read. */
    uint32_t unit;  /* Value of these digits. */
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

/* Ends the input. Open objects, arrays and strings count as a fault. There is one
 * exception: if only the outermost array is open, this is no fault, because killed
 * programs leave such files. */
int dj_json_scan_end(struct dj_json_scan *scan, struct dj_error *err);

#endif
