/* The state and the parts of the text reader. */
#ifndef DEJANK_GFXINFO_READ_READER_H
#define DEJANK_GFXINFO_READ_READER_H

#include "base/str.h"
#include "base/text.h"
#include "gfxinfo/parse.h"

enum {
    DJ_READER_POSITIONS = 64,    /* columns of a row that are read; more are ignored */
    DJ_READER_NO_COLUMN = 0xFF,  /* a position that is ignored */
    DJ_READER_QUOTE = 64,        /* bytes of the prefix of every line */
    DJ_READER_HELD = 16 << 10,   /* bytes of a wrapped row or header */
    DJ_READER_PIECES = 512,      /* lines of it */
    DJ_READER_WINDOWS = 1 << 16, /* of all processes together; more are ignored */
    DJ_READER_PROCESSES = 1 << 16,
    DJ_READER_ENTRIES = 1 << 16 /* of graphicsstats, and as many Davey lines */
};

enum dj_reader_state {
    DJ_READING_LINES,      /* any line */
    DJ_READING_HEADER,     /* after the opening ---PROFILEDATA---: the next line has the
                              column names */
    DJ_READING_FRAMESTATS, /* rows of framestats */
    DJ_READING_PROFILE     /* rows of the simple dump */
};

/* A position in the text. */
struct dj_place {
    size_t line; /* from 1; 0: none */
    size_t byte;
};

/* A line of a wrapped row or header in the buffer. */
struct dj_piece {
    size_t at; /* where it begins in the buffer */
    struct dj_place place;
    bool begins_row; /* it looks like the beginning of a row */
};

/* Number of columns for a block without readable rows: more than any block has. */
#define DJ_READER_LOST SIZE_MAX

struct dj_reader {
    const char *at, *end;       /* the unread rest of the current span */
    const char *span, *line_at; /* the span, and the current line */
    size_t span_byte;           /* offset of the span in the text */
    size_t line;                /* number of the current line, from 1 */
    bool cut; /* the current line is the last of the text and has no end */
    struct dj_dump *dump;
    struct dj_parse_report *report; /* never NULL */
    char quote[DJ_READER_QUOTE]; /* the text before "** Graphics info" on its line: every
                                    line may have this prefix */
    size_t quote_length;
    bool seen;                /* something of gfxinfo was found in this text */
    bool bug_report;          /* the text is a bug report: it has parts */
    uint32_t stated_releases; /* releases stated in the text, see
                                 dj_release_of_fingerprint() */
    bool elsewhere;           /* the current part of the text is not part of gfxinfo */
    bool failed;              /* out of memory */
    size_t window_count;
    size_t rows_stored; /* frames in the dump */
    size_t text_stored; /* bytes of sections in the dump */

    dj_gfxinfo_dump_callback *callback; /* NULL: all data goes into one dump */
    void *callback_data;
    int callback_result; /* result of the callback */

    /* The destination of lines; NULL: none yet. Points into the arrays of dump, so it
     * is valid until the next element is added. */
    struct dj_dump_process *process;
    struct dj_dump_window *window;
    struct dj_graphicsstats *entry;

    bool in_hierarchy; /* after "View hierarchy:" */
    bool more_comes;   /* the text is read in pieces and has not ended */
    char *root;    /* the previous line of the hierarchy, possibly the title of a window;
                      NULL: none */
    size_t roots;  /* number of first windows that need no more root */
    bool counting; /* the previous line belonged to a statistics block */
    const char
        *due;       /* text that must still follow in the process's section; NULL: none */
    bool ending;    /* the text has ended */
    bool name_open; /* the header of a process had no end: the name may continue */
    struct dj_place name_place;
    bool end_reported; /* a warning has reported how the text ends */
    bool unknown;      /* the last line was of an unknown kind */
    bool in_service;   /* inside the gfxinfo part of a bug report */

    bool in_windows;      /* between "Profile data in ms:" and "View hierarchy:" */
    struct dj_text title; /* of a "Window:" before any other text, until the next line */
    struct dj_text section; /* the open section of the process */
    struct dj_place section_place;
    size_t section_bytes;   /* of all sections of the process */
    struct dj_text package; /* "Package: x", until the next line decides its meaning */
    bool package_seen;      /* it was the previous line, or the line before "Version:" */
    size_t package_section; /* length of the section before it */
    int64_t version;        /* … of the package; −1: unknown */
    struct dj_place version_place;
    int64_t uid; /* from the line before the package; −1: none */

    enum dj_reader_state state;
    bool marked;     /* the block began with a marker, so a marker ends it */
    bool trailing;   /* its header ended in a comma, so every complete row does */
    bool comma_seen; /* … and one did */
    uint64_t known;  /* columns of the block */
    uint8_t
        slot[DJ_READER_POSITIONS]; /* column at each position; values from DJ_COLUMN_COUNT
                                      on are vendor columns of the window */
    size_t positions;              /* columns of a row; may exceed DJ_READER_POSITIONS */
    bool vendor_reported; /* a warning has reported that a vendor column has no numbers */
    bool columns_warned;  /* a warning has reported the unknown number of columns of the
                             block */
    size_t vendor_lost;   /* columns of the block beyond the maximum */
    size_t frame_capacity, vendor_capacity;
    size_t
        header_width; /* length of the first line of a wrapped header; 0: not wrapped */
    struct dj_text
        buffered; /* buffer: a header or row that may continue in the next line */
    struct dj_piece piece[DJ_READER_PIECES]; /* its lines so far */
    size_t piece_count;
    bool buffer_is_header; /* the buffer is a header */
    size_t row_line;       /* the last line that was a row or part of one */
    struct dj_text davey;  /* a Davey line that may continue in the next line */
    struct dj_place davey_place;
    struct dj_text
        pair; /* the last pair of a histogram, which may continue in the next line */
    struct dj_stats_block
        *histogram_block;  /* … and its destination; NULL: no histogram is open */
    size_t histogram_line; /* line of the table in lines.h */
    bool pair_cut; /* the pair is in the last line of the text, which has no end */
    bool histogram_broken;  /* a token of the line was not a pair */
    size_t histogram_width; /* length of its first line */
    bool histogram_wrapped; /* the previous line was as long, and not the first */
    struct dj_place histogram_place;
};

/* Destinations of lines, and warnings. */

/* Warns about the current line, or about an earlier position. */
void dj_reader_warn(struct dj_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void dj_reader_warn_at(struct dj_reader *reader, struct dj_place place,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns where the current line begins. */
struct dj_place dj_reader_get_place(const struct dj_reader *reader);

/* Appends to a text. Sets reader->failed without memory. */
void dj_reader_append(struct dj_reader *reader, struct dj_text *text, struct dj_str more);

/* Each returns the current destination of lines, and adds one if there is none.
 * Returns NULL without memory or beyond the maximum. */
struct dj_dump_process *dj_reader_process(struct dj_reader *reader);
struct dj_dump_window *dj_reader_window(struct dj_reader *reader);

/* Each closes the open one and begins another. */
struct dj_dump_process *dj_reader_next_process(struct dj_reader *reader);
struct dj_dump_window *dj_reader_next_window(struct dj_reader *reader);

/* Each closes what is open: a block, a process. */
void dj_reader_close_block(struct dj_reader *reader);
void dj_reader_close_process(struct dj_reader *reader);

/* Ends the dump and passes it to the callback, if it has data and there is a callback. */
void dj_reader_emit_dump(struct dj_reader *reader);

/* Does the same while the rest of the same dump still follows. No process may be open. */
void dj_reader_emit_partial_dump(struct dj_reader *reader);

/* Replaces *string with a copy of a slice without blanks at its ends. NUL and CR
 * inside become blanks. */
void dj_reader_set_string(struct dj_reader *reader, char **string, struct dj_str slice);

/* Begins a dump; ends and completes it. */
void dj_reader_begin_dump(struct dj_reader *reader);
void dj_reader_end_dump(struct dj_reader *reader);

/* The text as lines. */

/* Initializes a reader at the start of a text. The caller finishes it. */
void dj_reader_init(struct dj_reader *reader, struct dj_dump *dump,
                    struct dj_parse_report *report);
void dj_reader_finish(struct dj_reader *reader);

/* Reads whole lines. The last line may lack its newline if the text ends there.
 * Returns the number of bytes read, which is less than `length` if lines must wait. */
size_t dj_reader_read_span(struct dj_reader *reader, const char *bytes, size_t length);

/* Counts a line of `length` bytes that is too long to read. */
void dj_reader_skip_line(struct dj_reader *reader, size_t length);

/* Ends a text; begins the next one, independent of the previous text. */
void dj_reader_end_text(struct dj_reader *reader);
void dj_reader_begin_text(struct dj_reader *reader);

/* Lines outside blocks. */

/* Reads one line without its newline. */
void dj_reader_read_line(struct dj_reader *reader, struct dj_str raw);

/* Ends a framestats block because other text follows. Warns if the closing marker is
 * missing. */
void dj_reader_end_block(struct dj_reader *reader);

/* Returns where the service's message about an app that does not answer begins inside
 * the line, or NULL if there is none or it begins the line. The message follows
 * everything that the app had written, so it often begins in the middle of a line. */
const char *dj_reader_find_failure(struct dj_str raw);

/* Lines that open something. */

enum dj_opener_kind {
    DJ_OPENER_PLAIN,
    DJ_OPENER_QUOTED, /* the prefix before it is also the prefix of the next lines */
    DJ_OPENER_KEPT    /* the line is also part of the process's other text */
};

/* A row of the table: a word that a line begins with, and its handler. */
struct dj_opener {
    const char *word;
    enum dj_opener_kind kind;
    void (*read)(struct dj_reader *reader,
                 struct dj_str rest); /* gets the text after the word */
};

/* Returns the opener of a line that is not empty, or NULL. */
const struct dj_opener *dj_reader_openers_find(struct dj_str line);

/* Reads such a line. `unquoted` is the same line with its indentation. */
void dj_reader_openers_read(struct dj_reader *reader, const struct dj_opener *opener,
                            struct dj_str line, struct dj_str unquoted);

/* Reads the text after "Window:". */
void dj_reader_openers_open_window(struct dj_reader *reader, struct dj_str rest);

/* Where a text breaks off. */

/* Records a line outside blocks that every section has. */
void dj_reader_record_milestone(struct dj_reader *reader, struct dj_str line);

/* Warns about missing data when the text ends and its last process or entry is still
 * open. */
void dj_reader_report_truncation(struct dj_reader *reader);

/* Text around a line. */

/* Returns a line without quotes, indentation, CRs and byte order mark. */
struct dj_str dj_reader_strip(struct dj_str line);

/* Returns the line with its indentation, without the prefix of its section's first
 * line. */
struct dj_str dj_reader_remove_quote(const struct dj_reader *reader, struct dj_str raw);

/* Returns where a section's first line begins after a log prefix, or NULL if the line
 * does not begin a section. */
const char *dj_reader_find_first(const struct dj_reader *reader, struct dj_str raw);

/* Sets the prefix of the next lines: the text before `first`, which points into the
 * line. */
void dj_reader_set_quote(struct dj_reader *reader, struct dj_str raw, const char *first);

/* The beginning of a window. */

/* Returns whether a line (with its indentation) is the title of a window. `other`: it
 * also looks like another line. */
bool dj_reader_is_title(const struct dj_reader *reader, struct dj_str line, bool other);
void dj_reader_read_title(struct dj_reader *reader, struct dj_str line);

/* Reads the end of a wrapped title that begins in the last line of the open section.
 * Returns whether the line is one. */
bool dj_reader_read_wrapped_title(struct dj_reader *reader, struct dj_str line);

/* Turns a section among the windows that can only be a title without an end into a
 * window, with a warning. */
void dj_reader_cut_title(struct dj_reader *reader);

/* Stores the beginning of a process name that may end in the next line; reads that
 * line, or returns false if it is another line. */
void dj_reader_open_name(struct dj_reader *reader, struct dj_str name);
bool dj_reader_continue_name(struct dj_reader *reader, struct dj_str line);
void dj_reader_close_name(struct dj_reader *reader);

/* Statistics. */

/* Reads a line of a statistics block. Returns false if it is another line. */
bool dj_reader_read_stats_line(struct dj_reader *reader, struct dj_str line);

/* Histograms. */

/* Reads the text after "HISTOGRAM:". The next lines may continue it. */
void dj_reader_begin_histogram(struct dj_reader *reader, size_t table_line,
                               struct dj_str rest, struct dj_stats_block *block);

/* Continues an open histogram. Returns false if the line does not. */
bool dj_reader_continue_histogram(struct dj_reader *reader, struct dj_str line);
void dj_reader_close_histogram(struct dj_reader *reader);

/* The beginning and end of framestats. */

/* Reads "---PROFILEDATA---", which opens or closes a block. */
void dj_reader_read_marker(struct dj_reader *reader);

/* Opens a block without a marker if this line is its header or its first row. Returns
 * false if it is neither. */
bool dj_reader_open_unmarked(struct dj_reader *reader, struct dj_str line);

/* Reads the line after the opening marker: names, or (M Preview) already a row.
 * Returns false if it is neither. */
bool dj_reader_read_header(struct dj_reader *reader, struct dj_str line);

/* Infers the columns of M Preview, and of samples in texts, from their number, because
 * there is no header. Returns false if no release has so many. */
bool dj_reader_infer_columns(struct dj_reader *reader, struct dj_str row);

/* Ends a framestats block and corrects swapped labels. */
void dj_reader_close_framestats(struct dj_reader *reader);

/* Two columns whose names some releases swap. */

/* Corrects the frames and columns of a block if the values show swapped names. */
void dj_reader_correct_labels(struct dj_dump_window *window);

/* Returns whether FrameInterval and FrameStartTime have each other's values in one
 * frame; swaps them. */
bool dj_reader_frame_is_swapped(const struct dj_frame *frame);
void dj_reader_swap_frame(struct dj_frame *frame);

/* Rows. */

/* Returns whether the line begins like a row: an integer and a comma. */
bool dj_reader_is_row(struct dj_str line);

/* Returns whether the first number of the row may be its flags. */
bool dj_reader_may_begin_row(struct dj_str line);

/* Returns whether the line has only numbers and commas, like the next line of a
 * wrapped row. */
bool dj_reader_is_numbers(struct dj_str line);

/* Counts the columns of a line of numbers, without the empty one after a final comma. */
size_t dj_reader_count_fields(struct dj_str line);

/* Removes a field and its comma from the rest of a row. Returns false if it is not an
 * integer. */
bool dj_reader_read_field(struct dj_str *rest, int64_t *value);

/* Reads all plain rows at reader->at on the fast path. Stops at the first row that is
 * not plain. */
void dj_reader_read_plain_rows(struct dj_reader *reader);

/* Adds a row with the values that can be read. The last number of a cut row is not
 * trusted. Warnings name its place. */
void dj_reader_add_row(struct dj_reader *reader, struct dj_str row, struct dj_place place,
                       bool cut);

/* Counts a row that began but has no usable value. */
void dj_reader_count_lost_row(struct dj_reader *reader);

/* Headers and rows of several lines. */

/* Buffers a line that the next one may continue, if there is space. */
bool dj_reader_can_buffer_line(const struct dj_reader *reader, struct dj_str line);
void dj_reader_buffer_line(struct dj_reader *reader, struct dj_str line);
void dj_reader_clear_buffer(struct dj_reader *reader);

/* Reads a row of any form, or a part of one. Returns false if the line is neither. A
 * truncated or broken row causes a warning and returns true. */
bool dj_reader_read_row(struct dj_reader *reader, struct dj_str line);

/* Completes the rows in the buffer. */
void dj_reader_flush_rows(struct dj_reader *reader);

/* The same for the first row of a block without a header. */
bool dj_reader_read_first_row(struct dj_reader *reader, struct dj_str line);
void dj_reader_flush_first_row(struct dj_reader *reader);

/* The simple dump. */

bool dj_reader_read_profile_header(struct dj_reader *reader, struct dj_str line);
bool dj_reader_read_profile_row(struct dj_reader *reader, struct dj_str line);

/* The view hierarchy. */

/* Reads a window's title or its view count after "View hierarchy:". Returns false if
 * the line is, or may be, another line. */
bool dj_reader_read_hierarchy_line(struct dj_reader *reader, struct dj_str line,
                                   struct dj_str unquoted);

/* Applies the note that the memory of views was unknown. */
void dj_reader_clear_view_memory(struct dj_dump_process *process);

/* Notes. */

/* Reads the text after "Note:". Ignores notes of other programs. */
void dj_reader_read_note(struct dj_reader *reader, struct dj_str rest);

/* Marks columns that the process's notes name as unknown if they repeat another
 * column. */
void dj_reader_apply_notes(struct dj_dump_process *process);

/* All other text. */

/* Stores a line that no other function used, if a process is open. */
void dj_reader_add_section_line(struct dj_reader *reader, struct dj_str text);
void dj_reader_close_section(struct dj_reader *reader);

/* Reads "Build fingerprint: 'google/…'", which states the release of all later dumps. */
void dj_reader_read_fingerprint(struct dj_reader *reader, struct dj_str line);

/* Reads a line that separates parts of a bug report. Returns whether the line is one. */
bool dj_reader_read_report_part(struct dj_reader *reader, struct dj_str line);

/* graphicsstats. */

/* Reads "Package:", "Version:", "UID:", "Stats end:", or the first statistics line of
 * an entry. Returns whether the line belongs to the entry alone. */
bool dj_reader_read_graphicsstats_line(struct dj_reader *reader, struct dj_str line);
void dj_reader_close_entry(struct dj_reader *reader);

/* Davey lines. */

/* Reads a line with "Davey!" that the next lines may continue; reads these lines, and
 * returns false if a line does not continue it. */
bool dj_reader_read_davey(struct dj_reader *reader, struct dj_str line);
bool dj_reader_continue_davey(struct dj_reader *reader, struct dj_str line);
void dj_reader_close_davey(struct dj_reader *reader);

#endif
