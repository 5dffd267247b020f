/* The reader's inside: what parse*.c share. */
#ifndef DEJANK_GFXINFO_READER_H
#define DEJANK_GFXINFO_READER_H

#include "base/str.h"
#include "base/text.h"
#include "gfxinfo/parse.h"

enum {
    DJ_READER_POSITIONS =
        64, /* columns of a row that are looked at; more are passed over */
    DJ_READER_NO_COLUMN = 0xFF, /* a position that is passed over */
    DJ_READER_QUOTE = 64,       /* bytes of what stands before every line */
    DJ_READER_HELD = 16 << 10,  /* bytes of a wrapped row or header */
    DJ_READER_PIECES = 512,     /* lines of it */
    DJ_READER_WINDOWS =
        1 << 16, /* of all processes together; further ones are passed over */
    DJ_READER_PROCESSES = 1 << 16,
    DJ_READER_ENTRIES = 1 << 16 /* of graphicsstats; of Davey lines as many */
};

enum dj_reader_state {
    DJ_READING_LINES,      /* anything */
    DJ_READING_HEADER,     /* after the opening ---PROFILEDATA---: the next line names the
                              columns */
    DJ_READING_FRAMESTATS, /* rows of it */
    DJ_READING_PROFILE     /* rows of the simple dump */
};

/* Where something begins in the text. */
struct dj_place {
    size_t line; /* from 1; 0: nowhere */
    size_t byte;
};

/* A line of what is held of a wrapped row or header. */
struct dj_piece {
    size_t at; /* where it begins in what is held */
    struct dj_place place;
    bool begins_row; /* it looks as if */
};

/* Columns of a block of which no row can be read: more than any has. */
#define DJ_READER_LOST SIZE_MAX

struct dj_reader {
    const char *at, *end;       /* what is left of the span being read */
    const char *span, *line_at; /* the span, and the line being read */
    size_t span_byte;           /* where the span begins in the text */
    size_t line;                /* number of the line being read, from 1 */
    bool cut; /* the line being read is the text's last and has no end */
    struct dj_dump *dump;
    struct dj_parse_report *report; /* never NULL here */
    char quote[DJ_READER_QUOTE];    /* what stood before "** Graphics info" on its line:
                                       every    line may begin so */
    size_t quote_length;
    bool seen;                /* something of gfxinfo was found in this text */
    bool bug_report;          /* the text is one: it has parts */
    uint32_t stated_releases; /* that the text states: dj_release_of_fingerprint() */
    bool elsewhere;           /* in one of its parts that is not gfxinfo's */
    bool failed;              /* out of memory */
    size_t window_count;
    size_t rows_held; /* frames in the dump */
    size_t text_held; /* bytes of sections in it */

    dj_parser_taker *take; /* NULL: everything goes into one dump */
    void *take_data;
    int taken; /* what it returned */

    /* Where lines go; NULL: none yet. Into dump's arrays, so valid until the next is
     * added. */
    struct dj_dump_process *process;
    struct dj_dump_window *window;
    struct dj_graphicsstats *entry;

    bool in_hierarchy; /* behind "View hierarchy:" */
    bool more_comes;   /* the text is read in pieces, and its end was not told yet */
    char *root;        /* the line before this one there, perhaps a window's title;
                          NULL: none */
    size_t roots;      /* windows before this one have no root to come */
    bool counting;     /* the line before this one was of a statistics block */
    const char *due;   /* what must stand in the process's section yet; NULL: nothing */
    bool ending;       /* the text is over */
    bool name_open;    /* a process's header had no end: the name may go on */
    struct dj_place name_place;
    bool end_told;   /* a warning says how the text ends */
    bool unknown;    /* the last line was of no known kind */
    bool in_service; /* a bug report's part that is gfxinfo's has begun, and not ended */

    bool in_windows;        /* between "Profile data in ms:" and "View hierarchy:" */
    struct dj_text title;   /* of a "Window:" before anything else, until the next line */
    struct dj_text section; /* the open one of the process's sections */
    struct dj_place section_place;
    size_t section_bytes;   /* of all sections of the process */
    struct dj_text package; /* "Package: x", until the next line tells what it is */
    bool package_seen;      /* it was the line before this one, or before "Version:" */
    size_t package_section; /* how long the section was before it */
    int64_t version;        /* … of it; −1: unknown */
    struct dj_place version_place;
    int64_t uid; /* of the line before it; −1: none */

    enum dj_reader_state state;
    bool marked;     /* the block began with its marker, so one ends it */
    bool trailing;   /* its header ended in a comma: so does every whole row */
    bool comma_seen; /* … and one did */
    uint64_t known;  /* columns of the block */
    uint8_t slot[DJ_READER_POSITIONS]; /* column at each position; from DJ_COLUMN_COUNT on
                                          the window's vendor columns */
    size_t positions;    /* columns of a row; may exceed DJ_READER_POSITIONS */
    bool vendor_told;    /* that a column of a vendor's holds no numbers */
    bool columns_warned; /* a warning names the unknown number of the block's columns */
    size_t vendor_lost;  /* columns of the block that are beyond the maximum */
    size_t frame_capacity, vendor_capacity;
    size_t
        header_width; /* of the header's first line, where it was wrapped; 0: it was not
                       */
    struct dj_text held; /* a header or row that may go on in the next line */
    struct dj_piece piece[DJ_READER_PIECES]; /* its lines so far */
    size_t piece_count;
    bool names_held;      /* it is a header */
    size_t row_line;      /* the last line that was a row, or part of one */
    struct dj_text davey; /* a Davey line that may go on in the next one */
    struct dj_place davey_place;
    struct dj_text
        pair; /* the last pair of a histogram that may go on in the next line */
    struct dj_stats_block *histogram_block; /* … and where it goes; NULL: none is open */
    size_t histogram_line;                  /* line of the table in lines.h */
    bool pair_cut;          /* it stands in the text's last line, which has no end */
    bool histogram_broken;  /* something in it was no pair */
    size_t histogram_width; /* of its first line */
    bool histogram_wrapped; /* the line before this one was as long, and not the first */
    struct dj_place histogram_place;
};

/* ---- parse.c: what lines belong to, and what is remarked on them ---- */

/* About the line being read; or about an earlier one. */
void dj_reader_warn(struct dj_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void dj_reader_warn_at(struct dj_reader *reader, struct dj_place place,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Where the line being read begins. */
struct dj_place dj_reader_place(const struct dj_reader *reader);

/* Appends to a text of the reader's, which fails where that does. */
void dj_reader_append(struct dj_reader *reader, struct dj_text *text, struct dj_str more);

/* The process and window lines belong to now, made where there is none; NULL: out of
 * memory or beyond the maximum. */
struct dj_dump_process *dj_reader_process(struct dj_reader *reader);
struct dj_dump_window *dj_reader_window(struct dj_reader *reader);

/* Begins another one, closing what was open. */
struct dj_dump_process *dj_reader_next_process(struct dj_reader *reader);
struct dj_dump_window *dj_reader_next_window(struct dj_reader *reader);

/* Ends what is open: a block, a process. */
void dj_reader_close_block(struct dj_reader *reader);
void dj_reader_close_process(struct dj_reader *reader);

/* Ends the dump and hands it out, where it holds anything and somebody takes dumps. */
void dj_reader_hand_out(struct dj_reader *reader);

/* The same where what follows is of the same dump, and no process is open. */
void dj_reader_hand_out_so_far(struct dj_reader *reader);

/* A copy of a slice without the blanks at its ends; NUL and CR inside are blanks.
 * Replaces *string. */
void dj_reader_keep(struct dj_reader *reader, char **string, struct dj_str slice);

/* Begins a dump; ends it: what it holds is then whole. */
void dj_reader_begin_dump(struct dj_reader *reader);
void dj_reader_end_dump(struct dj_reader *reader);

/* ---- parse_text.c: the text as lines ---- */

/* A reader at the start of a text; its user finishes it. */
void dj_reader_init(struct dj_reader *reader, struct dj_dump *dump,
                    struct dj_parse_report *report);
void dj_reader_finish(struct dj_reader *reader);

/* Reads whole lines; the last one may lack its newline where the text ends there. Returns
 * how many bytes were read: fewer where lines have to wait. */
size_t dj_reader_read_span(struct dj_reader *reader, const char *bytes, size_t length);

/* Counts a line that is too long to be read, of `length` bytes. */
void dj_reader_pass_over_line(struct dj_reader *reader, size_t length);

/* Ends a text; begins the next, into which nothing of it reaches. */
void dj_reader_text_ends(struct dj_reader *reader);
void dj_reader_text_begins(struct dj_reader *reader);

/* ---- parse_lines.c: lines outside blocks ---- */

/* Reads one line, without its newline. */
void dj_reader_line(struct dj_reader *reader, struct dj_str raw);

/* Ends a framestats block that something else follows: one that has lost its closing
 * marker is told of. */
void dj_reader_end_block(struct dj_reader *reader);

/* What the service says of an app that does not answer stands behind whatever that had
 * written so far: often in the middle of a line. Where it begins there; NULL: it does
 * not, or begins the line. */
const char *dj_reader_find_failure(struct dj_str raw);

/* ---- parse_openers.c: lines that open something ---- */

enum dj_opener_kind {
    DJ_OPENER_PLAIN,
    DJ_OPENER_QUOTED, /* what stands before it stands before the lines that follow, too */
    DJ_OPENER_KEPT    /* it stands among the other text of its process, too */
};

/* A row of the table: a word that a line begins with, and what follows from it. */
struct dj_opener {
    const char *word;
    enum dj_opener_kind kind;
    void (*read)(struct dj_reader *reader, struct dj_str rest); /* behind the word */
};

/* NULL: the line, which is not empty, opens nothing. */
const struct dj_opener *dj_opener_find(struct dj_str line);

/* Reads such a line; `unquoted` is the same as it was indented. */
void dj_opener_read(struct dj_reader *reader, const struct dj_opener *opener,
                    struct dj_str line, struct dj_str unquoted);

/* "Window: x": what stands behind the word. */
void dj_opener_window(struct dj_reader *reader, struct dj_str rest);

/* ---- parse_ends.c: where a text breaks off ---- */

/* A line outside blocks that may be one of those every section has. */
void dj_reader_pass_milestone(struct dj_reader *reader, struct dj_str line);

/* The text is over, and its last process or entry still open: tells what it lacks. */
void dj_reader_end_of_text(struct dj_reader *reader);

/* ---- parse_quotes.c: what stands around a line ---- */

/* A line without quotes, indentation, CRs and a byte order mark. */
struct dj_str dj_reader_strip(struct dj_str line);

/* The line as it was indented, without what stood before its section's first line. */
struct dj_str dj_reader_without_quote(const struct dj_reader *reader, struct dj_str raw);

/* Where a section's first line begins behind what a log puts before it; NULL: it is none.
 */
const char *dj_reader_find_first(const struct dj_reader *reader, struct dj_str raw);

/* What stands before `first`, which lies in the line, stands before those that follow. */
void dj_reader_set_quote(struct dj_reader *reader, struct dj_str raw, const char *first);

/* ---- parse_titles.c: a window begins ---- */

/* Whether a line, as it was indented, is a window's title; `other`: it looks like another
 * line, too. */
bool dj_reader_is_title(const struct dj_reader *reader, struct dj_str line, bool other);
void dj_reader_title(struct dj_reader *reader, struct dj_str line);

/* The end of a title that was wrapped, the beginning of which is the last line of the
 * open section: true where the line is one. */
bool dj_reader_wrapped_title(struct dj_reader *reader, struct dj_str line);

/* A section among the windows that can only be a title whose end nobody knows becomes a
 * window, and is told of. */
void dj_reader_cut_title(struct dj_reader *reader);

/* What there is of a process's name, the end of which may stand in the next line; and
 * that line: false where it is another. */
void dj_reader_open_name(struct dj_reader *reader, struct dj_str name);
bool dj_reader_name_more(struct dj_reader *reader, struct dj_str line);
void dj_reader_close_name(struct dj_reader *reader);

/* ---- parse_stats.c ---- */

/* Reads a line of a statistics block; false where it is none. */
bool dj_reader_stats_line(struct dj_reader *reader, struct dj_str line);

/* ---- parse_histogram.c ---- */

/* Reads what follows "HISTOGRAM:"; the next lines may go on with it. */
void dj_reader_histogram(struct dj_reader *reader, size_t table_line, struct dj_str rest,
                         struct dj_stats_block *block);

/* Goes on with an open one; false where the line does not. */
bool dj_reader_histogram_more(struct dj_reader *reader, struct dj_str line);
void dj_reader_histogram_close(struct dj_reader *reader);

/* ---- parse_header.c: framestats begins and ends ---- */

/* "---PROFILEDATA---": opens or closes a block. */
void dj_reader_marker(struct dj_reader *reader);

/* Opens a block that has no marker where this line is its header or its first row; false
 * where it is neither. */
bool dj_reader_unmarked(struct dj_reader *reader, struct dj_str line);

/* The line after the opening marker: names, or (M Preview) already a row. False where it
 * is neither. */
bool dj_reader_header(struct dj_reader *reader, struct dj_str line);

/* M Preview, and samples in texts, have no header: the number of columns tells the
 * release. False where none has so many. */
bool dj_reader_infer_columns(struct dj_reader *reader, struct dj_str row);

/* Ends a framestats block: puts swapped labels right. */
void dj_reader_close_framestats(struct dj_reader *reader);

/* ---- parse_labels.c: two columns that releases name the wrong way round ---- */

/* Puts them right in a block's frames and columns, where its values tell of it. */
void dj_reader_mend_labels(struct dj_dump_window *window);

/* Whether the values of FrameInterval and FrameStartTime stand under each other's name,
 * and putting that right, in one frame. */
bool dj_reader_frame_is_swapped(const struct dj_frame *frame);
void dj_reader_swap_frame(struct dj_frame *frame);

/* ---- parse_rows.c: its rows ---- */

/* An integer with a comma behind it: so begin rows. */
bool dj_reader_is_row(struct dj_str line);

/* A row whose first number may be its flags. */
bool dj_reader_may_begin_row(struct dj_str line);

/* Nothing but numbers and commas: so goes on a wrapped row. */
bool dj_reader_is_numbers(struct dj_str line);

/* Columns of a line of them, not counting the nothing behind a trailing comma. */
size_t dj_reader_count_fields(struct dj_str line);

/* Removes a field and its comma from the rest of a row: an integer, or false. */
bool dj_reader_field(struct dj_str *rest, int64_t *value);

/* As many plain rows as stand at reader->at, fast; stops at the first that is not plain.
 */
void dj_reader_plain_rows(struct dj_reader *reader);

/* Keeps a row as far as it can be read: of a cut one the last number is not trusted. What
 * is wrong with it is told of its place. */
void dj_reader_add_row(struct dj_reader *reader, struct dj_str row, struct dj_place place,
                       bool cut);

/* A row that had begun, and of which nothing can be known. */
void dj_reader_count_lost_row(struct dj_reader *reader);

/* ---- parse_wrapped.c: headers and rows of several lines ---- */

/* Keeps a line that the next one may go on with, where it may be kept. */
bool dj_reader_may_hold(const struct dj_reader *reader, struct dj_str line);
void dj_reader_hold(struct dj_reader *reader, struct dj_str line);
void dj_reader_release(struct dj_reader *reader);

/* A row in whatever dress, or a part of one; false where the line is none. A cut or
 * broken row is a warning and true. */
bool dj_reader_row(struct dj_reader *reader, struct dj_str line);

/* Settles what is held of a wrapped row. */
void dj_reader_flush_rows(struct dj_reader *reader);

/* The same of the first row of a block that has no header. */
bool dj_reader_first_row(struct dj_reader *reader, struct dj_str line);
void dj_reader_settle_first_row(struct dj_reader *reader);

/* ---- parse_profile.c: the simple dump ---- */

bool dj_reader_profile_header(struct dj_reader *reader, struct dj_str line);
bool dj_reader_profile_row(struct dj_reader *reader, struct dj_str line);

/* ---- hierarchy.c ---- */

/* A window's title, or the count of its views, behind "View hierarchy:"; false where the
 * line is, or may be, another. */
bool dj_reader_hierarchy_line(struct dj_reader *reader, struct dj_str line,
                              struct dj_str unquoted);

/* The process's note says that nobody knew the memory of views. */
void dj_reader_forget_view_memory(struct dj_dump_process *process);

/* ---- parse_notes.c ---- */

/* What follows "Note:". Notes of others are passed over. */
void dj_reader_note(struct dj_reader *reader, struct dj_str rest);

/* Columns that a process's notes name become unknown where they repeat another. */
void dj_reader_apply_notes(struct dj_dump_process *process);

/* ---- parse_sections.c: all other text ---- */

/* Keeps a line that nothing else wanted, where a process is open. */
void dj_reader_other_line(struct dj_reader *reader, struct dj_str text);
void dj_reader_close_section(struct dj_reader *reader);

/* "Build fingerprint: 'google/…'" states the release of all dumps that follow. */
void dj_reader_read_fingerprint(struct dj_reader *reader, struct dj_str line);

/* A line that parts a bug report: true where the line was one. */
bool dj_reader_report_part(struct dj_reader *reader, struct dj_str line);

/* ---- parse_graphicsstats.c ---- */

/* "Package:", "Version:", "UID:", "Stats end:", and the first line of an entry's figures:
 * true where the line was the entry's own. */
bool dj_reader_graphicsstats_line(struct dj_reader *reader, struct dj_str line);
void dj_reader_close_entry(struct dj_reader *reader);

/* ---- parse_davey.c ---- */

/* A line with "Davey!" in it, which the next lines may go on with; and the next lines:
 * false where a line does not. */
bool dj_reader_davey(struct dj_reader *reader, struct dj_str line);
bool dj_reader_davey_more(struct dj_reader *reader, struct dj_str line);
void dj_reader_close_davey(struct dj_reader *reader);

#endif
