/* The reader's inside: what parse*.c share. */
#ifndef DEJANK_GFXINFO_READER_H
#define DEJANK_GFXINFO_READER_H

#include "gfxinfo/parse.h"

/* A piece of the text: not NUL-terminated. */
struct dj_slice {
    const char *at;
    size_t length;
};

enum {
    DJ_READER_POSITIONS =
        64, /* columns of a row that are looked at; more are passed over */
    DJ_READER_NO_COLUMN = 0xFF, /* a position whose name no release has */
    DJ_READER_WINDOWS =
        1 << 16, /* of all processes together; further ones are passed over */
    DJ_READER_PROCESSES = 1 << 16,
};

enum dj_reader_state {
    DJ_READING_LINES,      /* anything */
    DJ_READING_HEADER,     /* after the opening ---PROFILEDATA---: the next line names the
                              columns */
    DJ_READING_FRAMESTATS, /* rows of it */
    DJ_READING_PROFILE     /* rows of the simple dump */
};

struct dj_reader {
    const char *at, *end;       /* what is left */
    const char *text, *line_at; /* the text, and the line being read */
    size_t line;                /* number of the line being read, from 1 */
    bool cut; /* the line being read is the text's last and has no end */
    struct dj_dump *dump;
    struct dj_parse_report *report; /* never NULL here */
    struct dj_slice quote; /* what stood before "** Graphics info" on its line: every line
                             may begin so */
    bool seen;             /* something of gfxinfo was found */
    bool failed;           /* out of memory */
    size_t window_count;

    /* Where lines go; NULL: none yet. Into dump's arrays, so valid until the next is
     * added. */
    struct dj_dump_process *process;
    struct dj_dump_window *window;

    enum dj_reader_state state;
    bool marked;    /* the block began with its marker, so one ends it */
    bool trailing;  /* its header ended in a comma: so does every whole row */
    uint64_t known; /* columns of the block */
    uint8_t slot[DJ_READER_POSITIONS]; /* column at each position */
    size_t positions; /* columns of a row; may exceed DJ_READER_POSITIONS */
    size_t frame_capacity, profile_capacity;
    bool prepare; /* the simple dump has that column */
};

/* ---- parse.c: where lines go ---- */

void dj_reader_warn(struct dj_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The process and window lines belong to now, made where there is none; NULL: out of
 * memory or beyond the maximum. */
struct dj_dump_process *dj_reader_process(struct dj_reader *reader);
struct dj_dump_window *dj_reader_window(struct dj_reader *reader);

/* Begins another one, closing what was open. */
struct dj_dump_process *dj_reader_next_process(struct dj_reader *reader);
struct dj_dump_window *dj_reader_next_window(struct dj_reader *reader);

/* A copy of a slice without the blanks at its ends; NUL and CR inside are blanks.
 * Replaces *string. */
void dj_reader_keep(struct dj_reader *reader, char **string, struct dj_slice slice);

/* ---- parse_stats.c ---- */

/* Reads a line of a statistics block; false where it is none. */
bool dj_reader_stats_line(struct dj_reader *reader, struct dj_slice line);

/* ---- parse_rows.c ---- */

/* "---PROFILEDATA---": opens or closes a block. */
void dj_reader_marker(struct dj_reader *reader);

/* Opens a block that has no marker where this line is its header or its first row; false
 * where it is neither. */
bool dj_reader_unmarked(struct dj_reader *reader, struct dj_slice line);

/* The line after the opening marker: names, or (M Preview) already a row. False where it
 * is neither. */
bool dj_reader_header(struct dj_reader *reader, struct dj_slice line);

/* As many plain rows as stand at reader->at, fast; stops at the first that is not plain.
 */
void dj_reader_plain_rows(struct dj_reader *reader);

/* A row in whatever dress; false where the line is none. A cut or broken row is a warning
 * and true. */
bool dj_reader_row(struct dj_reader *reader, struct dj_slice line);

/* Ends a framestats block: puts swapped labels right. */
void dj_reader_close_framestats(struct dj_reader *reader);

bool dj_reader_profile_header(struct dj_reader *reader, struct dj_slice line);
bool dj_reader_profile_row(struct dj_reader *reader, struct dj_slice line);

/* ---- parse_notes.c ---- */

/* What follows "Note:". Notes of others are passed over. */
void dj_reader_note(struct dj_reader *reader, struct dj_slice rest);

/* Ends a process's section: columns its notes name become unknown where they repeat
 * another. */
void dj_reader_close_process(struct dj_dump_process *process);

#endif
