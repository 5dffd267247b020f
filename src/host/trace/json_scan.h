/* JSON in pieces of any size becomes what it is made of, one after the other, in memory
 * that does not grow with it. Of this room only. */
#ifndef DEJANK_TRACE_JSON_SCAN_H
#define DEJANK_TRACE_JSON_SCAN_H

#include "trace/event.h"

enum dj_json_token {
    DJ_JSON_OBJECT, /* one begins; `depth` counts it already */
    DJ_JSON_ARRAY,
    DJ_JSON_CLOSE, /* of either; `depth` does not count it any more */
    DJ_JSON_KEY,
    DJ_JSON_STRING, /* a part of one, without its escapes, mostly all of it */
    DJ_JSON_STRING_END,
    DJ_JSON_NUMBER,
    DJ_JSON_WORD /* true, false, null */
};

enum {
    DJ_JSON_DEPTH = 512, /* deeper ones are refused */
    DJ_JSON_SHORT = 256, /* longer keys and numbers are cut */
    DJ_JSON_PART = 1 << 14
};

/*
 * Zero it but for the first two. What is not quite JSON and has one meaning all the same
 * is read: an escape that there is none of and a control character stand for themselves,
 * half a surrogate pair is U+FFFD, a comma may stand before an end. These are counted.
 */
struct dj_json_scan {
    int (*take)(void *user, enum dj_json_token token, struct dj_str text,
                struct dj_error *err);
    void *user;
    uint32_t depth;
    uint64_t faults;
    char fault[160]; /* the first one and where: "byte 12: expected …"; "": none */
    uint64_t place;  /* byte near which what is told stands */
    /* Of json_scan.c alone. */
    uint64_t at; /* bytes of the pieces before this one */
    uint8_t state;
    bool broken; /* what is left is passed over */
    bool is_key;
    uint8_t digits;              /* of \uXXXX that are read */
    uint32_t unit;               /* those */
    uint32_t high;               /* first half of a surrogate pair; 0: none */
    bool objects[DJ_JSON_DEPTH]; /* that is open: an object, no array */
    size_t length;
    char text[DJ_JSON_PART];
};

/* What `take` answered. */
int dj_json_scan_take(struct dj_json_scan *scan, const char *bytes, size_t length,
                      struct dj_error *err);

/* All is in: what is open is a fault; but of an array in which nothing else is open, as
 * programs leave it that were ended. */
int dj_json_scan_end(struct dj_json_scan *scan, struct dj_error *err);

#endif
