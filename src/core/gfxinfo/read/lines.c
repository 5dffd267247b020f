#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/lines.h"
#include "gfxinfo/read/openers.h"
#include "gfxinfo/scan.h"

void dj_reader_end_block(struct dj_reader *reader)
{
    if (reader->state == DJ_READING_FRAMESTATS || reader->state == DJ_READING_HEADER) {
        dj_reader_flush_rows(reader);
        if (reader->marked) {
            dj_reader_warn(reader, "framestats block without a closing " DJ_MARKER);
        }
        dj_reader_close_block(reader);
    }
}

/* Reads a line inside a block of rows or a histogram. Returns whether the line belongs
 * to that block. */
static bool read_inside(struct dj_reader *reader, struct dj_str line)
{
    switch (reader->state) {
    case DJ_READING_LINES:
        return dj_reader_continue_histogram(reader, line);
    case DJ_READING_HEADER:
        return dj_reader_read_header(reader, line);
    case DJ_READING_FRAMESTATS:
        return dj_reader_read_row(reader, line);
    case DJ_READING_PROFILE:
        /* A title may begin with numbers and so look like a row. */
        if (!dj_reader_is_title(reader, line, false) &&
            dj_reader_read_profile_row(reader, line)) {
            return true;
        }
        reader->state = DJ_READING_LINES;
        return false;
    }
    return false;
}

/* Handles a line that begins with no known word. Between markers such a line is an error.
 * Elsewhere it may begin another text, a block or a Davey line. Otherwise it is stored as
 * text of the process. */
static void read_unknown(struct dj_reader *reader, struct dj_str line,
                         struct dj_str unquoted)
{
    if (reader->state != DJ_READING_LINES && reader->marked) {
        dj_reader_warn(reader, "ignored a line that is not a framestats row");
        return;
    }
    dj_reader_close_block(reader);
    if (dj_surface_read_unknown(reader, line)) {
        return;
    }
    if (!dj_reader_open_unmarked(reader, line) && !dj_reader_read_davey(reader, line) &&
        !dj_reader_read_wrapped_title(reader, line)) {
        dj_reader_add_section_line(reader, unquoted);
        reader->unknown = true;
    }
}

/* Decides whether a line "Window: x" belongs to gfxinfo. Many other texts contain such a
 * line, so it counts only if a statistics line follows or if the text already contained
 * output of gfxinfo. */
static void decide_window(struct dj_reader *reader, bool counted)
{
    if (reader->title.length == 0) {
        return;
    }
    if (counted) {
        reader->seen = true;
        dj_reader_openers_open_window(reader, dj_text_str(&reader->title));
    }
    dj_text_clear(&reader->title);
}

/* Reads a line outside blocks of rows. Returns whether the line is known. */
static bool read_known(struct dj_reader *reader, struct dj_str raw, struct dj_str line,
                       struct dj_str unquoted)
{
    const struct dj_opener *opener = dj_reader_openers_find(line);
    bool titled = dj_reader_is_title(reader, unquoted, opener != NULL);
    bool counted = dj_lines_find(line.at, line.length) != DJ_LINE_COUNT;
    if (opener != NULL || titled || counted) {
        dj_reader_end_block(reader);
    }
    decide_window(reader, counted);
    if (!titled && dj_reader_read_graphicsstats_line(reader, line)) {
        return true;
    }
    reader->counting = reader->counting && !titled && opener == NULL;
    if (titled) {
        dj_reader_read_title(reader, unquoted);
    } else if (opener != NULL) {
        if (opener->kind == DJ_OPENER_QUOTED || opener->kind == DJ_OPENER_SURFACE) {
            dj_reader_set_quote(reader, raw, line.at);
        }
        dj_reader_openers_read(reader, opener, line, unquoted);
    } else if (counted) {
        dj_reader_close_section(reader);
        dj_reader_read_stats_line(reader, line);
    } else if (dj_reader_read_profile_header(reader, line)) {
        dj_reader_close_section(reader);
    } else {
        return false;
    }
    return true;
}

/* Returns whether the line begins a dump. Such a line ends an unrelated part of a bug
 * report. */
static bool resumes_gfxinfo(struct dj_str line)
{
    return dj_str_begins(line, DJ_SERVICE) || dj_str_begins(line, DJ_PROCESS);
}

static void read_line(struct dj_reader *reader, struct dj_str raw)
{
    /* Removes "|" at the end of the line only if the line also begins with "|", as in a
     * Markdown table. */
    struct dj_str stripped = dj_reader_strip(raw);
    raw.length = (size_t)(stripped.at + stripped.length - raw.at);
    struct dj_str unquoted = dj_reader_remove_quote(reader, raw);
    struct dj_str line = dj_reader_strip(unquoted);
    if (line.length == 0) {
        dj_reader_close_name(reader);
        dj_reader_close_section(reader);
        dj_reader_close_davey(reader);
        return;
    }
    if (dj_reader_continue_name(reader, line) ||
        dj_reader_read_hierarchy_line(reader, line, unquoted) ||
        dj_reader_continue_davey(reader, line)) {
        return;
    }
    dj_reader_read_fingerprint(reader, line);
    if (reader->elsewhere && resumes_gfxinfo(line)) {
        reader->elsewhere = false;
    }
    unquoted.length = (size_t)(line.at + line.length - unquoted.at);
    /* A window may have the same name as a part of a bug report. */
    if (!dj_reader_is_title(reader, unquoted, true) &&
        dj_reader_read_report_part(reader, line)) {
        return;
    }
    if (reader->elsewhere) {
        if (!dj_reader_read_davey(reader, line)) {
            dj_surface_read_elsewhere(reader, line);
        }
        return;
    }
    if (reader->surface.mode != DJ_SURFACE_OUTSIDE &&
        dj_surface_read_line(reader, line)) {
        return;
    }
    if (read_inside(reader, line)) {
        return;
    }
    dj_reader_close_histogram(reader);
    if (dj_str_is(line, DJ_MARKER)) {
        reader->counting = false;
        dj_reader_close_section(reader);
        dj_reader_read_marker(reader);
        return;
    }
    if (read_known(reader, raw, line, unquoted)) {
        return;
    }
    const char *first = dj_reader_find_first(reader, raw);
    if (first != NULL) {
        dj_reader_set_quote(reader, raw, first);
        struct dj_str rest = dj_reader_strip(dj_str_between(first, raw.at + raw.length));
        read_known(reader, raw, rest, rest);
    } else {
        read_unknown(reader, line, unquoted);
    }
}

const char *dj_reader_find_failure(struct dj_str raw)
{
    static const char *const words[] = {"Failure while dumping the app:",
                                        "Got a RemoteException while dumping the app "};
    if (memchr(raw.at, 'F', raw.length) == NULL &&
        memchr(raw.at, 'R', raw.length) == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        const char *found = memmem(raw.at, raw.length, words[i], strlen(words[i]));
        if (found != NULL && found > raw.at) {
            return found;
        }
    }
    return NULL;
}

/* Returns whether the line ends with text that only a complete line has. A line of a kind
 * without a fixed ending does not show whether it is truncated. */
static bool has_complete_end(const struct dj_reader *reader, struct dj_str line)
{
    static const char *const ends[] = {")", "ms", "ns", DJ_MARKER, "**", "kB", ":"};
    bool note = dj_str_begins(line, DJ_NOTE);
    if (reader->unknown || reader->bug_report ||
        dj_lines_is_truncated_prefix(line.at, line.length)) {
        return false;
    }
    if (dj_reader_is_row(line) && line.at[line.length - 1] == ',') {
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        if (dj_str_ends(line, ends[i])) {
            return i == 0 || !note;
        }
    }
    return dj_scan_ends_in_hundredths(line.at, line.length);
}

/* Reads the last line of a text without a final newline, and warns if it may be
 * truncated. Buffered lines cause their own warnings when they are completed. */
static void read_last_line(struct dj_reader *reader, struct dj_str raw)
{
    size_t warnings = reader->report->warning_count;
    struct dj_str line = dj_reader_strip(raw);
    reader->unknown = false;
    read_line(reader, raw);
    bool buffered = reader->histogram_block != NULL || reader->buffered_count > 0;
    bool ours = reader->seen || reader->davey.length > 0;
    if (ours && line.length > 0 && !buffered && !has_complete_end(reader, line) &&
        reader->report->warning_count == warnings) {
        dj_reader_warn(reader, "the text ends in this line, which may be truncated");
    }
    reader->end_reported = reader->report->warning_count > warnings;
}

/* Returns the position of a byte order mark inside the line, or NULL. A mark is inside a
 * line if two files were joined and the first one had no final newline. */
static const char *find_byte_order_mark(struct dj_str raw)
{
    return memchr(raw.at, DJ_BYTE_ORDER_MARK[0], raw.length) != NULL
               ? memmem(raw.at, raw.length, DJ_BYTE_ORDER_MARK,
                        strlen(DJ_BYTE_ORDER_MARK))
               : NULL;
}

/* Returns whether the line is a complete header of a process or title of a window. A
 * failure message in it is a part of the name. */
static bool is_complete_name(struct dj_str raw)
{
    return (dj_str_begins(raw, DJ_PROCESS) && dj_str_ends(raw, "] **")) ||
           dj_reader_ends_with_visibility(raw);
}

static void read_broken_line(struct dj_reader *reader, struct dj_str raw)
{
    const char *failure = is_complete_name(raw) ? NULL : dj_reader_find_failure(raw);
    bool truncated = reader->truncated;
    if (failure != NULL) {
        reader->truncated = true;
        read_line(reader, dj_str_between(raw.at, failure));
        raw = dj_str_between(failure, raw.at + raw.length);
        reader->truncated = truncated;
    }
    if (truncated) {
        read_last_line(reader, raw);
    } else {
        read_line(reader, raw);
    }
}

void dj_reader_read_line(struct dj_reader *reader, struct dj_str raw)
{
    const char *end = raw.at + raw.length;
    const char *mark = find_byte_order_mark(raw);
    bool truncated = reader->truncated;
    while (mark != NULL) {
        reader->truncated = true;
        if (mark > raw.at) {
            read_line(reader, dj_str_between(raw.at, mark));
        }
        raw = dj_str_between(mark + strlen(DJ_BYTE_ORDER_MARK), end);
        mark = find_byte_order_mark(raw);
        reader->truncated = truncated;
    }
    read_broken_line(reader, raw);
}
