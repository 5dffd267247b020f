/* Parses text that contains dumps of gfxinfo, as a whole or in chunks. */
#ifndef DEJANK_GFXINFO_PARSE_H
#define DEJANK_GFXINFO_PARSE_H

#include "gfxinfo/dump.h"

/* Describes a part of the text that was ignored. The rest of the text was read. */
struct dj_parse_warning {
    size_t line; /* Line number, from 1. */
    size_t byte; /* Byte offset of the start of the line. */
    char message[200];
};

enum {
    DJ_PARSE_WARNINGS = 256,
    /* Maximum length of a line in bytes. Longer lines are ignored. */
    DJ_PARSE_LINE_MOST = 16 << 20,
    /* Maximum number of rows of one window. Further rows are counted but not stored. */
    DJ_PARSE_ROWS_MOST = 4 << 20,
    /* The parser emits a dump at the end of a process if the dump has more rows than
     * this. */
    DJ_PARSE_ROWS_PER_DUMP = 1 << 17,
    /* The parser emits a dump at the end of a process if the dump has more bytes of
     * uninterpreted text than this. */
    DJ_PARSE_TEXT_PER_DUMP = 16 << 20,
    /* The parser emits a part of a process at the end of a window if the part has more
     * rows than this. */
    DJ_PARSE_ROWS_PART = 1 << 20,
    /* Maximum bytes of uninterpreted text stored per process. */
    DJ_PARSE_SECTION_BYTES = 1 << 20,
    DJ_PARSE_VENDOR_COLUMNS = 32, /* Maximum number of vendor columns stored per block. */
    /* Maximum number of unknown names stored per Davey line. */
    DJ_PARSE_DAVEY_COLUMNS = 8
};

/* A message that a device prints instead of a dump. */
enum dj_refusal {
    DJ_REFUSAL_NONE,
    DJ_REFUSAL_DENIED, /* The output is "Permission Denial: …". */
    /* The output is "Failure while dumping the app" or similar: the app did not
     * answer. */
    DJ_REFUSAL_FAILED
};

struct dj_parse_report {
    struct dj_parse_warning warning[DJ_PARSE_WARNINGS];
    /* Number of warnings. If it is larger than the array, the array contains the first
     * ones. */
    size_t warning_count;
    size_t lines, bytes; /* Number of lines and bytes of the text read so far. */
    /* Number of rows of framestats and the simple dump, and number of truncated or
     * malformed rows among them. A truncated row is stored with the values that could be
     * read. */
    size_t rows, rows_bad;
    enum dj_refusal refusal; /* The last refusal in the text. */
    size_t refusal_line, refusal_byte;
    /* Position of the last "No process found for:". */
    size_t not_found_line, not_found_byte;
    bool seen; /* Whether the text read so far contained any output of gfxinfo. */
    /* Whether the text is the output of `dumpsys SurfaceFlinger` without options. */
    bool is_whole_surface_flinger;
    /* Name of the archive member that is being read, which precedes every message, or
     * NULL. The caller owns the string. */
    const char *part;
};

/* Parses `length` bytes of text into *dump. The text needs no NUL at its end. The caller
 * calls dj_gfxinfo_dump_finish(), even after an error.
 *
 * Returns 0, DJ_E_NO_MEMORY, or DJ_E_NO_DATA if the text contains no output of gfxinfo,
 * even if it describes layers of SurfaceFlinger.
 * In this case, `err` says what was expected. A malformed line causes a warning in
 * *report, which may be NULL, and only this line is ignored. */
int dj_gfxinfo_parse_dump(const char *text, size_t length, struct dj_dump *dump,
                          struct dj_parse_report *report, struct dj_error *err);

/* Parses a text in chunks. The text may be larger than memory. The parser emits each dump
 * as soon as the dump is complete. It emits a process with very many windows in parts:
 * the statistics with the first part, and the text outside the windows with the last
 * part. At any time, it stores at most DJ_PARSE_ROWS_PART rows and the rows of one more
 * window. */
struct dj_parser;

/* Receives one dump. The parser frees the dump after the call, unless the callback has
 * moved the contents away and zeroed the struct. If the result is not 0, parsing ends
 * and returns this result. */
typedef int dj_gfxinfo_dump_callback(void *data, struct dj_dump *dump);

/* Creates a parser. Returns NULL if there is not enough memory. The parser uses `report`
 * until it is destroyed. */
struct dj_parser *dj_gfxinfo_parser_create(dj_gfxinfo_dump_callback *callback, void *data,
                                           struct dj_parse_report *report);
void dj_gfxinfo_parser_destroy(struct dj_parser *parser);

/* Parses the next bytes. Returns 0, DJ_E_NO_MEMORY, or the result of the callback. After
 * an error this function must not be called again. */
int dj_gfxinfo_parser_feed(struct dj_parser *parser, const char *bytes, size_t length);

/* Ends the text and emits the last dump. The last line needs no newline. Bytes of later
 * calls of dj_gfxinfo_parser_feed() belong to a new text, which starts with line 1. */
int dj_gfxinfo_parser_end(struct dj_parser *parser);

/* Fills *err with the reason why the text contained no data: "no gfxinfo text in 12
 * lines: expected …". Returns DJ_E_NO_DATA. */
int dj_gfxinfo_describe_no_data(const struct dj_parse_report *report,
                                struct dj_error *err);

#endif
