/* Reading dumps: from any text that holds some, whole or piece by piece. */
#ifndef DEJANK_GFXINFO_PARSE_H
#define DEJANK_GFXINFO_PARSE_H

#include "gfxinfo/dump.h"

/* Something in the text that was passed over; the rest was still read. */
struct dj_parse_warning {
    size_t line; /* from 1 */
    size_t byte; /* where that line begins, from 0 */
    char message[200];
};

enum {
    DJ_PARSE_WARNINGS = 256,
    DJ_PARSE_LINE_MOST = 16 << 20, /* longer lines are passed over */
    DJ_PARSE_ROWS_MOST = 4 << 20,  /* of one window; further ones are counted alone */
    DJ_PARSE_ROWS_HELD = 1 << 17,  /* after so many, a process's end is a dump's end, */
    DJ_PARSE_TEXT_HELD = 16 << 20, /* or after so many bytes of other text, */
    DJ_PARSE_ROWS_PART = 1 << 20,  /* and a window's end part of a process */
    DJ_PARSE_SECTION_BYTES = 1 << 20, /* of other text kept of one process */
    DJ_PARSE_VENDOR_COLUMNS = 32,     /* kept of one block */
    DJ_PARSE_DAVEY_COLUMNS = 8        /* kept of one log line, of those no release has */
};

/* What a device may say instead of a dump. */
enum dj_refusal {
    DJ_REFUSAL_NONE,
    DJ_REFUSAL_DENIED, /* "Permission Denial: …" */
    DJ_REFUSAL_FAILED  /* "Failure while dumping the app" and its like: the app did not
                          answer */
};

struct dj_parse_report {
    struct dj_parse_warning warning[DJ_PARSE_WARNINGS];
    size_t warning_count;    /* may exceed the array: only the first are kept */
    size_t lines, bytes;     /* of the text, so far */
    size_t rows, rows_bad;   /* framestats and simple dump; bad: cut or broken, kept with
                                what   could be read of them */
    enum dj_refusal refusal; /* the last one in the text */
    size_t refusal_line, refusal_byte;
    size_t not_found_line, not_found_byte; /* of the last "No process found for:" */
    bool seen;                             /* something of gfxinfo was found */
    const char *part; /* the entry of an archive that is being read: named before every
                         message; NULL: none. The caller's */
};

/*
 * Reads text of `length` bytes (no NUL needed, not modified) into *dump, which the caller
 * finishes also after an error. 0, or DJ_E_NO_DATA where nothing of gfxinfo is in it
 * ("where and what was expected" in err), or DJ_E_NO_MEMORY. Malformed lines are warnings
 * in *report (may be NULL) and lose only themselves.
 */
int dj_parse_dump(const char *text, size_t length, struct dj_dump *dump,
                  struct dj_parse_report *report, struct dj_error *err);

/*
 * The same of a text that comes in pieces and may be larger than memory: each dump in it
 * is handed out as soon as it is whole; a process with very many windows in parts: its
 * statistics with the first, what stands outside its windows with the last. What is held
 * is at most DJ_PARSE_ROWS_PART rows and one window.
 */
struct dj_parser;

/* Takes one dump; it is finished after the call, unless the taker has moved it out and
 * zeroed it. Not 0: reading ends with that code. */
typedef int dj_parser_taker(void *data, struct dj_dump *dump);

/* NULL: out of memory. `report` is the parser's until it is destroyed. */
struct dj_parser *dj_parser_create(dj_parser_taker *take, void *data,
                                   struct dj_parse_report *report);
void dj_parser_destroy(struct dj_parser *parser);

/* Reads on. 0, DJ_E_NO_MEMORY, or what the taker returned: then nothing else may be fed.
 */
int dj_parser_feed(struct dj_parser *parser, const char *bytes, size_t length);

/* Ends the text (its last line needs no newline) and hands out the last dump; the next
 * piece fed begins another text. Its lines are counted from 1 again. */
int dj_parser_end(struct dj_parser *parser);

/* Fills err with why there is nothing in what was read: "no gfxinfo text in 12 lines:
 * expected …". Returns DJ_E_NO_DATA. */
int dj_parse_nothing(const struct dj_parse_report *report, struct dj_error *err);

#endif
