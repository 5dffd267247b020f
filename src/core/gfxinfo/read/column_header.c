#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "gfxinfo/column_sets.h"
#include "gfxinfo/grammar.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

static void open_block(struct dj_reader *reader, bool marked)
{
    struct dj_dump_window *window = reader->window;
    if (window == NULL || window->has_frames) {
        window = dj_reader_next_window(reader);
    }
    if (window == NULL) {
        return;
    }
    dj_reader_close_block(reader);
    window->has_frames = true;
    reader->marked = marked;
    reader->trailing = false;
    reader->comma_seen = false;
    reader->header_width = 0;
    reader->vendor_lost = 0;
    reader->vendor_reported = false;
    reader->columns_warned = false;
    reader->buffer_is_header = false;
    reader->positions = 0;
    reader->known = 0;
    reader->frame_capacity = 0;
    reader->vendor_capacity = 0;
    reader->state = DJ_READING_HEADER;
}

void dj_reader_read_marker(struct dj_reader *reader)
{
    /* hwui prints blank lines before the opening marker, and none before the closing
     * marker. So a marker directly after a row closes a block. */
    bool below_row = reader->row_line + 1 == reader->line;
    bool in_block =
        reader->state == DJ_READING_FRAMESTATS || reader->state == DJ_READING_HEADER;
    bool closes = in_block && (reader->marked || below_row);
    dj_reader_close_block(reader);
    if (!closes) {
        open_block(reader, true);
    }
}

/* Returns whether the character is stored as a blank. Blanks at the ends of a column name
 * are removed. */
static bool is_stored_as_blank(char c)
{
    return dj_scan_is_blank(c) || c == '\0' || c == '\r';
}

static void add_position(struct dj_reader *reader, uint8_t slot)
{
    if (reader->positions < DJ_READER_POSITIONS) {
        reader->slot[reader->positions] = slot;
        if (slot < DJ_COLUMN_COUNT) {
            struct dj_column_list *columns = &reader->window->columns;
            columns->column[columns->count++] = slot;
            reader->known |= DJ_COLUMN_BIT(slot);
        }
    }
    reader->positions++;
}

/* Returns the part of the text between two commas that may be a column name. The name
 * ends before a colon, so that a sentence inside the header does not become a name. */
static struct dj_str find_name(struct dj_str text)
{
    const char *colon = memchr(text.at, ':', text.length);
    text.length = colon != NULL ? (size_t)(colon - text.at) : text.length;
    while (text.length > 0 && dj_scan_is_blank(text.at[text.length - 1])) {
        text.length--;
    }
    return text;
}

/* Adds a column that no known release has. Its name and values are stored if there are
 * not too many. */
static void add_vendor_position(struct dj_reader *reader, struct dj_str text)
{
    struct dj_str name = find_name(text);
    struct dj_dump_window *window = reader->window;
    uint8_t slot = DJ_READER_NO_COLUMN;
    if (window->vendor_count < DJ_PARSE_VENDOR_COLUMNS &&
        reader->positions < DJ_READER_POSITIONS) {
        if (!DJ_ARRAY_ROOM(window->vendor, window->vendor_count)) {
            reader->failed = true;
            return;
        }
        window->vendor[window->vendor_count] =
            (struct dj_vendor_column){.position = reader->positions};
        dj_reader_set_string(reader, &window->vendor[window->vendor_count].name, name);
        slot = (uint8_t)(DJ_COLUMN_COUNT + window->vendor_count++);
    } else {
        reader->vendor_lost++;
    }
    add_position(reader, slot);
}

static void add_named_position(struct dj_reader *reader, struct dj_str name)
{
    enum dj_column column;
    bool known = dj_frame_column_find(name.at, name.length, &column);
    if (!known) {
        add_vendor_position(reader, name);
    } else if ((reader->known & DJ_COLUMN_BIT(column)) != 0) {
        dj_reader_warn_at(reader, reader->buffered_line[0].place,
                          "duplicate column %s: only the first one is used",
                          dj_frame_column_name(column));
        add_vendor_position(reader, name);
    } else {
        add_position(reader, (uint8_t)column);
    }
}

static void read_names(struct dj_reader *reader, struct dj_str line)
{
    const char *at = line.at;
    const char *end = line.at + line.length;
    while (at < end) {
        while (at < end && is_stored_as_blank(*at)) {
            at++;
        }
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *next = comma != NULL ? comma : end;
        const char *last = next;
        while (last > at && is_stored_as_blank(last[-1])) {
            last--;
        }
        if (last > at || comma != NULL) {
            add_named_position(reader, dj_str_between(at, last));
        }
        at = comma != NULL ? comma + 1 : end;
    }
    reader->trailing = line.at[line.length - 1] == ',';
    if (reader->positions > DJ_READER_POSITIONS) {
        dj_reader_warn_at(reader, reader->buffered_line[0].place,
                          "%zu columns: only the first %d are read", reader->positions,
                          DJ_READER_POSITIONS);
    } else if (reader->vendor_lost > 0) {
        dj_reader_warn_at(reader, reader->buffered_line[0].place,
                          "%zu columns that no known release has: only %d are stored",
                          reader->window->vendor_count + reader->vendor_lost,
                          DJ_PARSE_VENDOR_COLUMNS);
    }
    if ((reader->known & DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC)) == 0) {
        dj_reader_warn_at(
            reader, reader->buffered_line[0].place,
            "the first %d columns do not contain IntendedVsync: ignored the block",
            DJ_READER_POSITIONS);
        reader->window->columns.count = 0;
        reader->positions = DJ_READER_LOST;
    }
}

/* Returns whether the line contains this name between commas. */
static bool has_name(struct dj_str line, const char *name)
{
    size_t length = strlen(name);
    const char *end = line.at + line.length;
    const char *found = line.at;
    while ((found = memmem(found, (size_t)(end - found), name, length)) != NULL) {
        const char *after = found + length;
        if ((found == line.at || found[-1] == ',' || dj_scan_is_blank(found[-1])) &&
            (after == end || *after == ',' || dj_scan_is_blank(*after))) {
            return true;
        }
        found = after;
    }
    return false;
}

/* Returns whether the line begins with a letter, or with a comma after an empty name. */
static bool begins_as_names(struct dj_str line)
{
    size_t at = 0;
    while (at + 1 < line.length && is_stored_as_blank(line.at[at])) {
        at++;
    }
    return dj_scan_is_letter(line.at[at]) || line.at[at] == ',';
}

/* Returns whether the line is a header. A header begins with a name and contains
 * IntendedVsync, because this column identifies frames. */
static bool is_header(struct dj_str line)
{
    return begins_as_names(line) && memchr(line.at, ',', line.length) != NULL &&
           has_name(line, "IntendedVsync");
}

/* Returns whether the line consists of names, commas and blanks. A part of a wrapped
 * header looks like this. */
static bool is_names(struct dj_str line)
{
    bool letters = false;
    for (size_t i = 0; i < line.length; i++) {
        char c = line.at[i];
        letters = letters || dj_scan_is_letter(c);
        if (!dj_scan_is_letter(c) && !dj_gfxinfo_is_digit(c) && c != ',' && c != '_' &&
            !dj_scan_is_blank(c)) {
            return false;
        }
    }
    /* A line with only a comma is the end of a wrapped header. */
    return letters || (line.length == 1 && line.at[0] == ',');
}

/* Parses the buffered header. Called for the first line that does not belong to the
 * header. */
static void complete_names(struct dj_reader *reader)
{
    struct dj_str names = dj_text_str(&reader->buffered);
    if (has_name(names, "IntendedVsync")) {
        reader->header_width =
            reader->buffered_count > 1 ? reader->buffered_line[1].at : 0;
        read_names(reader, names);
        reader->state = DJ_READING_FRAMESTATS;
    } else {
        dj_reader_warn_at(reader, reader->buffered_line[0].place,
                          "ignored a line that is not a framestats header");
    }
    reader->buffer_is_header = false;
    dj_reader_clear_buffer(reader);
}

bool dj_reader_infer_columns(struct dj_reader *reader, struct dj_str row)
{
    const struct dj_column_list *set = dj_column_sets_find(dj_reader_count_fields(row));
    if (set == NULL) {
        return false;
    }
    for (size_t i = 0; i < set->count; i++) {
        add_position(reader, set->column[i]);
    }
    reader->window->columns_inferred = true;
    reader->trailing = row.at[row.length - 1] == ',';
    reader->state = DJ_READING_FRAMESTATS;
    dj_reader_warn_at(
        reader, reader->buffered_line[0].place,
        "framestats without a header: inferred the columns from their number, %u",
        set->count);
    return true;
}

static bool has_comma(struct dj_str line)
{
    return memchr(line.at, ',', line.length) != NULL;
}

/* Returns whether the line has a number between two commas. The text before the first
 * comma is not checked, because it may be the end of a name that was wrapped. */
static bool has_number(struct dj_str line)
{
    const char *end = line.at + line.length;
    const char *comma = memchr(line.at, ',', line.length);
    while (comma != NULL) {
        const char *at = comma + 1;
        while (at < end && dj_gfxinfo_is_digit(*at)) {
            at++;
        }
        if (at > comma + 1 && at < end && *at == ',') {
            return true;
        }
        comma = at < end ? memchr(at, ',', (size_t)(end - at)) : NULL;
    }
    return false;
}

/* Returns whether the line may be the first line of a header. The first line of a wrapped
 * header may end before IntendedVsync. */
static bool begins_names(struct dj_str line)
{
    return is_header(line) ||
           (begins_as_names(line) && is_names(line) && has_comma(line) &&
            !has_number(line) && !dj_reader_is_row(line));
}

/* Returns whether the line continues the buffered header. Each name ends with a comma. A
 * line without a comma belongs to the header only if it is as long as the first line or
 * if the header ends inside a name. */
static bool continues_names(const struct dj_reader *reader, struct dj_str line)
{
    size_t width = reader->buffered_count > 1 ? reader->buffered_line[1].at
                                              : reader->buffered.length;
    bool open = reader->buffered.data[reader->buffered.length - 1] != ',';
    return is_names(line) && !has_number(line) && !dj_reader_is_row(line) &&
           !dj_str_begins(line, "Flags,") &&
           (has_comma(line) || open || line.length == width) &&
           dj_reader_can_buffer_line(reader, line);
}

bool dj_reader_read_header(struct dj_reader *reader, struct dj_str line)
{
    bool names = reader->buffer_is_header && reader->buffered_count > 0;
    if (names && continues_names(reader, line)) {
        dj_reader_buffer_line(reader, line);
        return true;
    }
    if (names) {
        complete_names(reader);
    }
    if (reader->state == DJ_READING_FRAMESTATS) {
        return dj_reader_read_row(reader, line);
    }
    if (reader->buffered_count == 0 && begins_names(line)) {
        reader->buffer_is_header = true;
        dj_reader_buffer_line(reader, line);
        return true;
    }
    return dj_reader_read_first_row(reader, line);
}

/* Returns whether a line outside a marked block is certainly a header, or the first line
 * of a wrapped one. Such a header must have more names than an unrelated table. */
static bool is_sure_header(struct dj_str line)
{
    enum { SURE_NAMES = 4 };
    bool begins = dj_str_begins(line, "Flags,") && is_names(line) &&
                  dj_reader_count_fields(line) >= SURE_NAMES;
    return is_header(line) && (begins || has_name(line, "FrameCompleted"));
}

/* Returns whether a line outside a marked block is certainly a row. Its number of
 * columns must be that of a known release. The row of an unknown release must begin with
 * flags, have at least as many columns as the first release, and end with a comma. */
static bool is_sure_row(struct dj_str line)
{
    enum { LEAST_COLUMNS = 13 };
    size_t fields = dj_reader_count_fields(line);
    return dj_reader_is_row(line) && dj_reader_is_numbers(line) &&
           (dj_column_sets_find(fields) != NULL ||
            (dj_reader_may_begin_row(line) && fields >= LEAST_COLUMNS &&
             line.at[line.length - 1] == ','));
}

bool dj_reader_open_unmarked(struct dj_reader *reader, struct dj_str line)
{
    if (!is_sure_header(line) && !is_sure_row(line)) {
        return false;
    }
    open_block(reader, false);
    if (reader->state != DJ_READING_HEADER) {
        return true;
    }
    dj_reader_warn(reader, "framestats rows without a " DJ_MARKER " line before them");
    return dj_reader_read_header(reader, line);
}

void dj_reader_close_framestats(struct dj_reader *reader)
{
    if (reader->state == DJ_READING_HEADER && reader->buffered_count > 0) {
        if (reader->buffer_is_header) {
            complete_names(reader);
        } else {
            dj_reader_flush_first_row(reader);
        }
    }
    if (reader->state == DJ_READING_FRAMESTATS) {
        dj_reader_correct_labels(reader->window);
    }
}
