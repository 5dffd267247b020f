/* Reading a dump: from any text that holds one. */
#ifndef DEJANK_GFXINFO_PARSE_H
#define DEJANK_GFXINFO_PARSE_H

#include "gfxinfo/dump.h"

/* Something in the text that was passed over; the rest was still read. */
struct dj_parse_warning {
    size_t line; /* from 1 */
    size_t byte; /* where that line begins, from 0 */
    char message[160];
};

enum { DJ_PARSE_WARNINGS = 32 };

/* What a device may say instead of a dump. */
enum dj_refusal {
    DJ_REFUSAL_NONE,
    DJ_REFUSAL_DENIED, /* "Permission Denial: …" */
    DJ_REFUSAL_FAILED  /* "Failure while dumping the app" and its like: the app did not
                          answer */
};

struct dj_parse_report {
    struct dj_parse_warning warning[DJ_PARSE_WARNINGS];
    size_t warning_count; /* may exceed the array: only the first are kept */
    size_t rows, rows_bad;
    enum dj_refusal refusal; /* the last one in the text */
};

/*
 * Reads text of `length` bytes (no NUL needed, not modified) into *dump, which the caller
 * finishes also after an error. 0, or DJ_E_NO_DATA where nothing of gfxinfo is in it
 * ("where and what was expected" in err), or DJ_E_NO_MEMORY. Malformed lines are warnings
 * in *report (may be NULL) and lose only themselves.
 */
int dj_parse_dump(const char *text, size_t length, struct dj_dump *dump,
                  struct dj_parse_report *report, struct dj_error *err);

#endif
