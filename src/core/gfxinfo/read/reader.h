/* The state of the text parser, and the functions of the files in this folder.
 *
 * Terms: A process section is the output for one process. A block is the rows or the
 * statistics of one window. A span is the part of the text that is in memory. A quote is
 * text that precedes every line, such as a log prefix or the "> " of a mail. Long lines
 * may be wrapped, that is broken into several lines, and a text may be truncated
 * anywhere. A pair is one bucket of a histogram line, such as "5ms=12". */
#ifndef DEJANK_GFXINFO_READ_READER_H
#define DEJANK_GFXINFO_READ_READER_H

#include "base/str.h"
#include "base/text.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/surface/state.h"

enum {
    /* Maximum number of columns that are read. Further columns of a row are ignored. */
    DJ_READER_POSITIONS = 64,
    DJ_READER_NO_COLUMN = 0xFF, /* Column number for columns that are ignored. */
    DJ_READER_QUOTE = 64,       /* Maximum length of a quote in bytes. */
    /* Maximum size in bytes of a wrapped row or header. */
    DJ_READER_BUFFER_BYTES = 16 << 10,
    /* Maximum number of lines of a wrapped row or header. */
    DJ_READER_BUFFER_LINES = 512,
    /* Maximum number of windows in a dump. Further windows are ignored. */
    DJ_READER_WINDOWS = 1 << 16,
    DJ_READER_PROCESSES = 1 << 16,
    /* Maximum number of graphicsstats entries, and of Davey lines. */
    DJ_READER_ENTRIES = 1 << 16
};

enum dj_reader_state {
    DJ_READING_LINES, /* The next line may be of any kind. */
    /* After the opening ---PROFILEDATA---: the next line is the header. */
    DJ_READING_HEADER,
    DJ_READING_FRAMESTATS, /* The reader is in rows of framestats. */
    DJ_READING_PROFILE     /* The reader is in rows of the simple dump. */
};

/* The position of a line in the text. */
struct dj_place {
    size_t line; /* Line number from 1, or 0 if there is no position. */
    size_t byte;
};

/* A line in the buffer of a wrapped row or header. */
struct dj_buffered_line {
    size_t at; /* Offset of the line in the buffer. */
    struct dj_place place;
    bool begins_row; /* Whether the line may be the first line of a row. */
};

/* Value of dj_reader.positions for a block with an unreadable header. No row has so many
 * columns, so no row matches. */
#define DJ_READER_LOST SIZE_MAX

struct dj_reader {
    const char *at, *end;       /* The unread part of the span. */
    const char *span, *line_at; /* Start of the span, and of the current line. */
    size_t span_byte;           /* Offset of the span in the text. */
    size_t line;                /* Number of the current line, from 1. */
    /* Whether the current line is the last one of the text and has no newline. It may be
     * truncated. */
    bool truncated;
    struct dj_dump *dump;
    struct dj_parse_report *report; /* Report that receives the warnings. Never NULL. */
    /* Text that precedes "** Graphics info" on its line. The following lines may have the
     * same prefix. */
    char quote[DJ_READER_QUOTE];
    size_t quote_length;
    bool seen;       /* Whether this text contained output of gfxinfo. */
    bool bug_report; /* Whether the text is a bug report, which has parts. */
    /* Releases named by a build fingerprint in the text (see
     * dj_release_of_fingerprint()). */
    uint32_t stated_releases;
    bool elsewhere; /* Whether the current part of the bug report is not about gfxinfo. */
    bool failed;    /* Whether an allocation failed. */
    size_t window_count;
    size_t rows_stored; /* Number of frames in the dump. */
    size_t text_stored; /* Number of bytes of uninterpreted text in the dump. */

    /* Called with each dump. If NULL, the whole text becomes one dump. */
    dj_gfxinfo_dump_callback *callback;
    void *callback_data;
    int callback_result; /* Last result of the callback. */

    /* The process, window and graphicsstats entry to which lines are added, or NULL. The
     * pointers point into arrays of the dump, so they are valid until an element is
     * added. */
    struct dj_dump_process *process;
    struct dj_dump_window *window;
    struct dj_graphicsstats *entry;

    /* Whether the current line is in the view hierarchy, that is after "View
     * hierarchy:". */
    bool in_hierarchy;
    bool more_comes; /* Whether the text is parsed in chunks and has not ended. */
    /* The previous line of the view hierarchy, which may be the title of a window, or
     * NULL. */
    char *root;
    size_t roots;  /* Index of the window at which the search of assign_root() starts. */
    bool counting; /* Whether the previous line belonged to a statistics block. */
    /* Text that every complete process section contains after the current line, or
     * NULL. */
    const char *expected_text;
    bool ending; /* Whether the text has ended. */
    /* Whether the header of a process had no closing bracket, so that the name may
     * continue in the next line. */
    bool name_open;
    struct dj_place name_place;
    bool end_reported; /* Whether a warning has reported that the text is truncated. */
    bool unknown;      /* Whether the kind of the last line was unknown. */
    bool in_service;   /* Whether the reader is in the gfxinfo part of a bug report. */

    /* Whether the reader is between "Profile data in ms:" and "View hierarchy:". */
    bool in_windows;
    /* Title in a line "Window: x" before any output of gfxinfo. The next line decides
     * whether the title is used. */
    struct dj_text title;
    /* Uninterpreted lines of the process that are not yet in the dump. */
    struct dj_text section;
    struct dj_place section_place;
    size_t section_bytes; /* Number of bytes of all uninterpreted text of the process. */
    /* Name in a line "Package: x". The next lines decide whether the name is used. */
    struct dj_text package;
    /* Whether the previous line was "Package: x", or "Version: x" after it. */
    bool package_seen;
    /* Length of `section` before the "Package:" or "UID:" line. */
    size_t package_section;
    int64_t version; /* Version code of the package, or −1 if unknown. */
    struct dj_place version_place;
    int64_t uid; /* User id in the line before the package, or −1 if there is none. */

    enum dj_reader_state state;
    /* Whether the block began with a marker, so that another marker ends it. */
    bool marked;
    /* Whether the header ended with a comma. If so, every complete row ends with a comma,
     * too. */
    bool trailing;
    bool comma_seen; /* Whether a row of the block ended with a comma. */
    uint64_t known;  /* Bit mask of the columns of the block. */
    /* Column at each position of a row. DJ_COLUMN_COUNT + n means vendor column n of the
     * window. */
    uint8_t slot[DJ_READER_POSITIONS];
    /* Number of columns of a row of the block. May be greater than
     * DJ_READER_POSITIONS. */
    size_t positions;
    /* Whether a warning has reported that a vendor column contains other text than
     * numbers. */
    bool vendor_reported;
    /* Whether a warning has reported that the number of columns is unknown. */
    bool columns_warned;
    size_t vendor_lost; /* Number of vendor columns of the block that are not stored. */
    size_t frame_capacity, vendor_capacity;
    /* Length of the first line of a wrapped header, or 0 if the header is not wrapped. */
    size_t header_width;
    /* The buffer: the lines so far of a header or row that may continue in the next
     * line. */
    struct dj_text buffered;
    /* Describes the lines in `buffered`. */
    struct dj_buffered_line buffered_line[DJ_READER_BUFFER_LINES];
    size_t buffered_count;
    bool buffer_is_header; /* Whether the buffer contains a header. */
    size_t row_line;       /* Number of the last line that was a row or a part of one. */
    struct dj_text davey;  /* A Davey line that may continue in the next line. */
    struct dj_place davey_place;
    /* The last pair of a histogram line, which may continue in the next line. */
    struct dj_text pair;
    /* Statistics to which the open histogram belongs, or NULL if no histogram is open. */
    struct dj_stats_block *histogram_block;
    size_t histogram_line; /* Number of the histogram's line in the table of lines.h. */
    /* Whether the pair is at the end of the text, so that its number may be truncated. */
    bool is_pair_truncated;
    bool histogram_broken;  /* Whether a token of the histogram was not a pair. */
    size_t histogram_width; /* Length of the first line of the histogram. */
    /* Whether the previous line had the full width, so that its last number may be
     * wrapped. */
    bool histogram_wrapped;
    struct dj_place histogram_place;
    struct dj_surface_state surface; /* State of the texts of SurfaceFlinger. */
};

/* Functions for the results: processes, windows and warnings (reader.c). */

/* Adds a warning about the current line. */
void dj_reader_warn(struct dj_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a warning about an earlier position. */
void dj_reader_warn_at(struct dj_reader *reader, struct dj_place place,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns the position of the current line. */
struct dj_place dj_reader_get_place(const struct dj_reader *reader);

/* Appends to a text. Sets reader->failed if there is not enough memory. */
void dj_reader_append(struct dj_reader *reader, struct dj_text *text, struct dj_str more);

/* Returns the current process. If there is none, adds one. Returns NULL if there is not
 * enough memory. */
struct dj_dump_process *dj_reader_process(struct dj_reader *reader);

/* Returns the current window. If there is none, adds one. Returns NULL if there is not
 * enough memory or if the maximum is reached. */
struct dj_dump_window *dj_reader_window(struct dj_reader *reader);

/* Closes the current process and adds another one. */
struct dj_dump_process *dj_reader_next_process(struct dj_reader *reader);

/* Closes the current window and adds another one. */
struct dj_dump_window *dj_reader_next_window(struct dj_reader *reader);

/* Closes the current block. */
void dj_reader_close_block(struct dj_reader *reader);

/* Closes the current process. */
void dj_reader_close_process(struct dj_reader *reader);

/* Completes the dump and passes it to the callback. Does nothing if there is no
 * callback. An empty dump is not passed. */
void dj_reader_emit_dump(struct dj_reader *reader);

/* Like dj_reader_emit_dump(), but more processes of the same dump follow. The current
 * process must be closed. */
void dj_reader_emit_partial_dump(struct dj_reader *reader);

/* Replaces *string with a copy of the slice without blanks at both ends. NUL and CR
 * become blanks. */
void dj_reader_set_string(struct dj_reader *reader, char **string, struct dj_str slice);

/* Starts an empty dump. */
void dj_reader_begin_dump(struct dj_reader *reader);

/* Completes the dump. */
void dj_reader_end_dump(struct dj_reader *reader);

/* Functions that split the text into lines (text.c). */

/* Initializes a reader at the start of a text. The caller calls dj_reader_finish(). */
void dj_reader_init(struct dj_reader *reader, struct dj_dump *dump,
                    struct dj_parse_report *report);
void dj_reader_finish(struct dj_reader *reader);

/* Reads whole lines. The last line needs no newline if the text ends there. Returns the
 * number of bytes read, which is less than `length` if the meaning of the last lines
 * depends on the next line. */
size_t dj_reader_read_span(struct dj_reader *reader, const char *bytes, size_t length);

/* Counts a line of `length` bytes that is too long to read. */
void dj_reader_skip_line(struct dj_reader *reader, size_t length);

/* Ends the text. */
void dj_reader_end_text(struct dj_reader *reader);

/* Starts a text that is independent of the previous text. */
void dj_reader_begin_text(struct dj_reader *reader);

/* Functions that read lines outside blocks (lines.c). */

/* Reads one line without its newline. */
void dj_reader_read_line(struct dj_reader *reader, struct dj_str raw);

/* Ends a framestats block because other text follows. Warns if the closing marker is
 * missing. */
void dj_reader_end_block(struct dj_reader *reader);

/* Returns the position in the line of the message that the app did not answer. Returns
 * NULL if the line does not contain the message, or begins with it. The message follows
 * everything that the app had written, so it often begins in the middle of a line. */
const char *dj_reader_find_failure(struct dj_str raw);

/* Functions that detect a truncated text (truncation.c). */

/* Updates reader->expected_text if every complete process section contains such a
 * line. */
void dj_reader_record_milestone(struct dj_reader *reader, struct dj_str line);

/* Warns if the text is truncated. Called when the text ends, before the last process is
 * closed. */
void dj_reader_report_truncation(struct dj_reader *reader);

/* Functions that remove text around a line (quotes.c). */

/* Returns the line without quote marks, indentation and CR characters. */
struct dj_str dj_reader_strip(struct dj_str line);

/* Returns the line without the quote of its process section. The indentation remains. */
struct dj_str dj_reader_remove_quote(const struct dj_reader *reader, struct dj_str raw);

/* If the line begins a process section, returns the position after its log prefix.
 * Otherwise returns NULL. */
const char *dj_reader_find_first(const struct dj_reader *reader, struct dj_str raw);

/* Sets the quote of the next lines to the text before `first`, which points into the
 * line. */
void dj_reader_set_quote(struct dj_reader *reader, struct dj_str raw, const char *first);

/* Functions that read titles and names (titles.c). */

/* Returns whether a line with its indentation is the title of a window. `other` states
 * whether the line may also be another kind of line. */
bool dj_reader_is_title(const struct dj_reader *reader, struct dj_str line, bool other);
/* Returns whether the line ends as the title of a window does. */
bool dj_reader_ends_with_visibility(struct dj_str line);
void dj_reader_read_title(struct dj_reader *reader, struct dj_str line);

/* Reads the last line of a wrapped title. The first lines of the title were stored as
 * text of the process. Returns whether the line is the end of a title. */
bool dj_reader_read_wrapped_title(struct dj_reader *reader, struct dj_str line);

/* If the stored text can only be a truncated title, makes it the title of a window and
 * warns. */
void dj_reader_add_truncated_title(struct dj_reader *reader);

/* Stores the first part of a process name that may continue in the next line. */
void dj_reader_open_name(struct dj_reader *reader, struct dj_str name);

/* Reads the next part of the process name. Returns false if the line is not a part of the
 * name. */
bool dj_reader_continue_name(struct dj_reader *reader, struct dj_str line);

/* Ends the process name. */
void dj_reader_close_name(struct dj_reader *reader);

/* Functions that read statistics (stats.c). */

/* Reads a line of a statistics block. Returns false if it is another line. */
bool dj_reader_read_stats_line(struct dj_reader *reader, struct dj_str line);

/* Functions that read histograms (histogram.c). */

/* Reads the text after "HISTOGRAM:". The histogram is then open: the next lines may
 * continue it. */
void dj_reader_begin_histogram(struct dj_reader *reader, size_t table_line,
                               struct dj_str rest, struct dj_stats_block *block);

/* Continues an open histogram. Returns false if the line does not belong to it. */
bool dj_reader_continue_histogram(struct dj_reader *reader, struct dj_str line);
void dj_reader_close_histogram(struct dj_reader *reader);

/* Functions that read the start and end of framestats (column_header.c). */

/* Reads "---PROFILEDATA---", which opens or closes a block. */
void dj_reader_read_marker(struct dj_reader *reader);

/* Opens a block without a marker if the line is certainly a header or a row. Returns
 * false if it is neither. */
bool dj_reader_open_unmarked(struct dj_reader *reader, struct dj_str line);

/* Reads a line after the opening marker. The line is a part of the header, or a row if
 * there is no header (M Preview). Returns false if it is neither. */
bool dj_reader_read_header(struct dj_reader *reader, struct dj_str line);

/* Sets the columns of a block without a header to those of the release with the same
 * number of columns. M Preview prints no header, and samples in texts often lack it.
 * Returns false if no release has this number. */
bool dj_reader_infer_columns(struct dj_reader *reader, struct dj_str row);

/* Ends a framestats block and corrects exchanged column names. */
void dj_reader_close_framestats(struct dj_reader *reader);

/* Functions that correct FrameStartTime and FrameInterval, whose names some releases
 * exchange (swapped_labels.c). */

/* Exchanges the two columns in all frames of a block if the values show that their names
 * are exchanged. */
void dj_reader_correct_labels(struct dj_dump_window *window);

/* Returns whether FrameStartTime and FrameInterval of the frame have each other's
 * value. */
bool dj_reader_frame_is_swapped(const struct dj_frame *frame);

/* Exchanges FrameStartTime and FrameInterval of the frame. */
void dj_reader_swap_frame(struct dj_frame *frame);

/* Functions that read rows (rows.c). */

/* Returns whether the line begins like a row, with an integer and a comma. */
bool dj_reader_is_row(struct dj_str line);

/* Returns whether the first number of the row may be its flags. */
bool dj_reader_may_begin_row(struct dj_str line);

/* Returns whether the line contains only numbers and commas. A part of a wrapped row
 * looks like this. */
bool dj_reader_is_numbers(struct dj_str line);

/* Returns the number of columns in a line of numbers. A final comma adds no column. */
size_t dj_reader_count_fields(struct dj_str line);

/* Removes a field and its comma from the start of a row. Returns false if the field is
 * not an integer. */
bool dj_reader_read_field(struct dj_str *rest, int64_t *value);

/* Reads rows at reader->at, and stops before the first row that is not plain. A plain row
 * is a line of numbers and commas with the right number of columns. This function reads
 * plain rows fast. */
void dj_reader_read_plain_rows(struct dj_reader *reader);

/* Adds a row with the values that can be read, and warns about the others. If
 * `truncated` is true, the last number may be incomplete, so it is ignored. */
void dj_reader_add_row(struct dj_reader *reader, struct dj_str row, struct dj_place place,
                       bool truncated);

/* Counts a row without any readable value. */
void dj_reader_count_lost_row(struct dj_reader *reader);

/* Functions that read wrapped headers and rows (wrapped_rows.c). */

/* Returns whether the buffer has space for the line. */
bool dj_reader_can_buffer_line(const struct dj_reader *reader, struct dj_str line);

/* Appends the line to the buffer. */
void dj_reader_buffer_line(struct dj_reader *reader, struct dj_str line);

/* Removes all lines from the buffer. */
void dj_reader_clear_buffer(struct dj_reader *reader);

/* Reads a row or a part of one. Returns false if the line is neither. A truncated or
 * malformed row causes a warning, and the function returns true. */
bool dj_reader_read_row(struct dj_reader *reader, struct dj_str line);

/* Adds the rows that are in the buffer. */
void dj_reader_flush_rows(struct dj_reader *reader);

/* Like dj_reader_read_row(), for the first row of a block without a header. */
bool dj_reader_read_first_row(struct dj_reader *reader, struct dj_str line);
void dj_reader_flush_first_row(struct dj_reader *reader);

/* Functions that read the simple dump (profile.c). */

bool dj_reader_read_profile_header(struct dj_reader *reader, struct dj_str line);
bool dj_reader_read_profile_row(struct dj_reader *reader, struct dj_str line);

/* Functions that read the view hierarchy (hierarchy.c in the parent folder). */

/* Reads a window title or a view count after "View hierarchy:". Returns false if the
 * line may be another line. */
bool dj_reader_read_hierarchy_line(struct dj_reader *reader, struct dj_str line,
                                   struct dj_str unquoted);

/* Applies the note that the memory of views was not recorded. */
void dj_reader_clear_view_memory(struct dj_dump_process *process);

/* Functions that read dejank's notes (notes.c). */

/* Reads the text after "Note:". Ignores the notes of other programs. */
void dj_reader_read_note(struct dj_reader *reader, struct dj_str rest);

/* Marks values as unknown that the printer filled in, according to the process's
 * notes. */
void dj_reader_apply_notes(struct dj_dump_process *process);

/* Functions for text that the reader does not interpret (sections.c). */

/* Stores a line as text of the current process. Does nothing if there is no process. */
void dj_reader_add_section_line(struct dj_reader *reader, struct dj_str text);
void dj_reader_close_section(struct dj_reader *reader);

/* Reads "Build fingerprint: 'google/…'". The release that the fingerprint names applies
 * to all later dumps. */
void dj_reader_read_fingerprint(struct dj_reader *reader, struct dj_str line);

/* Reads a line that separates parts of a bug report. Returns whether the line is one. */
bool dj_reader_read_report_part(struct dj_reader *reader, struct dj_str line);

/* Functions that read graphicsstats (graphicsstats.c). */

/* Reads "Package:", "Version:", "UID:", "Stats end:", or the first statistics line of an
 * entry. Returns whether the line was fully read. */
bool dj_reader_read_graphicsstats_line(struct dj_reader *reader, struct dj_str line);
void dj_reader_close_entry(struct dj_reader *reader);

/* Functions that read Davey lines (davey.c). */

/* Starts a Davey if the line contains "Davey!". The text of a Davey may continue in
 * the next line. Returns false if the line contains no Davey. */
bool dj_reader_read_davey(struct dj_reader *reader, struct dj_str line);

/* Reads the next part of a Davey line. Returns false if the line is not a part of it. */
bool dj_reader_continue_davey(struct dj_reader *reader, struct dj_str line);

/* Ends the Davey line and adds it to the dump. */
void dj_reader_close_davey(struct dj_reader *reader);

#endif
