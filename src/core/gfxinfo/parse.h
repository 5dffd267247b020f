/* Reads dumps from any text that contains some, at once or piece by piece. */
#ifndef DEJANK_GFXINFO_PARSE_H
#define DEJANK_GFXINFO_PARSE_H

#include "gfxinfo/dump.h"

/* A part of the text that was ignored. The rest was still read. */
struct dj_parse_warning {
    size_t line; /* from 1 */
    size_t byte; /* where that line begins, from 0 */
    char message[200];
};

enum {
    DJ_PARSE_WARNINGS = 256,
    DJ_PARSE_LINE_MOST = 16 << 20, /* longer lines are ignored */
    DJ_PARSE_ROWS_MOST = 4 << 20,  /* rows of one window; more are only counted */
    DJ_PARSE_ROWS_HELD =
        1 << 17, /* after this many rows, a dump is emitted at the end of a process */
    DJ_PARSE_TEXT_HELD = 16 << 20,    /* or after this many bytes of other text */
    DJ_PARSE_ROWS_PART = 1 << 20,     /* and part of a process at the end of a window */
    DJ_PARSE_SECTION_BYTES = 1 << 20, /* bytes of other text stored per process */
    DJ_PARSE_VENDOR_COLUMNS = 32,     /* stored per block */
    DJ_PARSE_DAVEY_COLUMNS = 8        /* unknown names stored per log line */
};

/* A message that a device prints instead of a dump. */
enum dj_refusal {
    DJ_REFUSAL_NONE,
    DJ_REFUSAL_DENIED, /* "Permission Denial: …" */
    DJ_REFUSAL_FAILED  /* "Failure while dumping the app" and similar: the app did not
                          answer */
};

struct dj_parse_report {
    struct dj_parse_warning warning[DJ_PARSE_WARNINGS];
    size_t warning_count;  /* may exceed the array, which holds the first ones */
    size_t lines, bytes;   /* of the text so far */
    size_t rows, rows_bad; /* of framestats and the simple dump; bad: truncated or broken,
                              stored with the values that could be read */
    enum dj_refusal refusal; /* the last one in the text */
    size_t refusal_line, refusal_byte;
    size_t not_found_line, not_found_byte; /* of the last "No process found for:" */
    bool seen;                             /* the text contained something of gfxinfo */
    const char *part; /* name of the archive entry that is being read, printed before
                         every message; NULL: none. The caller owns it. */
};

/* Reads `length` bytes of text (no NUL needed, not modified) into *dump, which the
 * caller finishes also after an error. Returns 0, DJ_E_NO_DATA if the text contains
 * nothing of gfxinfo (err says where and what was expected), or DJ_E_NO_MEMORY. A
 * malformed line causes a warning in *report (may be NULL), and only this line is
 * lost. */
int dj_gfxinfo_parse_dump(const char *text, size_t length, struct dj_dump *dump,
                          struct dj_parse_report *report, struct dj_error *err);

/* Reads a text that comes in pieces and may be larger than memory. The parser emits
 * each dump as soon as it is complete. It emits a process with very many windows in
 * parts: its statistics with the first part, the text outside its windows with the
 * last. It stores at most DJ_PARSE_ROWS_PART rows and one window. */
struct dj_parser;

/* Receives one dump, which the parser finishes after the call unless the callback
 * moved it out and zeroed it. A nonzero result ends reading with that code. */
typedef int dj_gfxinfo_dump_callback(void *data, struct dj_dump *dump);

/* Returns NULL without memory. The parser uses `report` until it is destroyed. */
struct dj_parser *dj_gfxinfo_parser_create(dj_gfxinfo_dump_callback *take, void *data,
                                           struct dj_parse_report *report);
void dj_gfxinfo_parser_destroy(struct dj_parser *parser);

/* Reads the next bytes. Returns 0, DJ_E_NO_MEMORY, or the result of the callback.
 * After an error the caller must not feed more. */
int dj_gfxinfo_parser_feed(struct dj_parser *parser, const char *bytes, size_t length);

/* Ends the text (its last line needs no newline) and emits the last dump. The next
 * piece begins another text with line 1. */
int dj_gfxinfo_parser_end(struct dj_parser *parser);

/* Fills err with the reason why the text contained no data: "no gfxinfo text in 12
 * lines: expected …". Returns DJ_E_NO_DATA. */
int dj_gfxinfo_describe_no_data(const struct dj_parse_report *report,
                                struct dj_error *err);

#endif
