#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

enum { FIRST_ROWS = 128 }; /* Initial capacity. hwui prints at most 120 rows. */

bool dj_reader_is_row(struct dj_str line)
{
    size_t digits = 0;
    dj_scan_word(&line, "-");
    while (digits < line.length && dj_gfxinfo_is_digit(line.at[digits])) {
        digits++;
    }
    line = dj_str_from(line, digits);
    dj_scan_blanks(&line);
    return digits > 0 && dj_str_begins(line, ",");
}

size_t dj_reader_count_fields(struct dj_str line)
{
    size_t fields = 1;
    for (size_t i = 0; i < line.length; i++) {
        fields += line.at[i] == ',';
    }
    return line.at[line.length - 1] == ',' ? fields - 1 : fields;
}

bool dj_reader_is_numbers(struct dj_str line)
{
    for (size_t i = 0; i < line.length; i++) {
        char c = line.at[i];
        if (!dj_gfxinfo_is_digit(c) && c != ',' && c != '-' && !dj_scan_is_blank(c)) {
            return false;
        }
    }
    return true;
}

static bool grow_vendor(struct dj_reader *reader, struct dj_dump_window *window)
{
    return window->vendor_count == 0 ||
           reader->vendor_capacity >= reader->frame_capacity ||
           dj_array_reserve(&window->vendor_values, &reader->vendor_capacity,
                            reader->frame_capacity,
                            window->vendor_count * sizeof(*window->vendor_values));
}

static bool grow_rows(struct dj_reader *reader, struct dj_dump_window *window)
{
    return DJ_ARRAY_RESERVE(window->frames, reader->frame_capacity,
                            window->frame_count + FIRST_ROWS) &&
           grow_vendor(reader, window);
}

/* Returns space for one more frame, or NULL if there is not enough memory or if the
 * maximum is reached. */
static struct dj_frame *reserve_frame(struct dj_reader *reader)
{
    struct dj_dump_window *window = reader->window;
    if (window->frame_count == reader->frame_capacity) {
        if (window->frame_count >= DJ_PARSE_ROWS_MOST) {
            return NULL;
        }
        if (!grow_rows(reader, window)) {
            reader->failed = true;
            return NULL;
        }
    }
    struct dj_frame *frame = &window->frames[window->frame_count];
    *frame = (struct dj_frame){.known = reader->known};
    return frame;
}

static struct dj_number *get_vendor_numbers(struct dj_dump_window *window)
{
    return window->vendor_count > 0
               ? window->vendor_values + window->frame_count * window->vendor_count
               : NULL;
}

static void count_row(struct dj_reader *reader, bool bad)
{
    reader->report->rows++;
    reader->report->rows_bad += bad;
    reader->rows_stored++;
    reader->window->frame_count++;
}

/* Counts a row that is not stored because the maximum is reached. */
static void count_row_beyond(struct dj_reader *reader)
{
    if (reader->window->rows_beyond++ == 0) {
        dj_reader_warn(reader,
                       "more than %d rows in one window: further rows are only counted",
                       DJ_PARSE_ROWS_MOST);
    }
    reader->report->rows++;
}

/* Returns the start of the next line if the current line ends at `at`. Returns NULL if
 * other text follows, or if the final comma is missing because the line is wrapped. */
static const char *find_plain_end(const struct dj_reader *reader, const char *at,
                                  const char *end)
{
    if (reader->trailing && at[-1] != ',') {
        return NULL;
    }
    while (at < end && *at == '\r') {
        at++;
    }
    return at < end && *at == '\n' ? at + 1 : NULL;
}

static void set_value(struct dj_number *vendor, struct dj_frame *frame, uint8_t slot,
                      int64_t value)
{
    if (slot < DJ_COLUMN_COUNT) {
        frame->value[slot] = value;
    } else if (slot != DJ_READER_NO_COLUMN) {
        vendor[slot - DJ_COLUMN_COUNT] = (struct dj_number){value, true};
    }
}

/* Reads a number and the comma after it. Only the last number of a row may lack a
 * comma. */
static bool scan_number(const char **at, const char *end, bool last, int64_t *value)
{
    if (!dj_scan_int64(at, end, value)) {
        return false;
    }
    bool comma = *at < end && **at == ',';
    *at += comma;
    return comma || last;
}

/* OldestInputEvent in nearly all rows: hwui's value for no input event. It has more
 * digits than dj_scan_as_wide() can read. */
static const char no_event[] = "9223372036854775807,";

/* Reads a number that probably has *width digits, like the number in the row above. Sets
 * *width to its number of digits. */
static inline bool scan_guessed_number(const char **at, const char *end, bool last,
                                       uint8_t *width, int64_t *value)
{
    const char *start = *at;
    if (dj_scan_as_wide(start, *width, value)) {
        *at = start + *width + 1;
        return true;
    }
    if (memcmp(start, no_event, sizeof(no_event) - 1) == 0) {
        *value = INT64_MAX;
        *at = start + sizeof(no_event) - 1;
        return true;
    }
    if (!scan_number(at, end, last, value)) {
        return false;
    }
    ptrdiff_t own = *at - start - ((*at)[-1] == ',');
    *width = own <= DJ_SCAN_WIDEST ? (uint8_t)own : DJ_SCAN_WIDEST;
    return true;
}

/* Reads a row. The compiler makes two copies of this function. The copy with `guess`
 * reads several bytes at a time, and assumes that numbers have as many digits as in the
 * row above. Near the ends of the span, this copy would read outside the span, so the
 * other copy is used there. */
static inline __attribute__((always_inline)) const char *
scan_row(const struct dj_reader *reader, const char *at, uint8_t *widths, bool guess,
         struct dj_frame *frame)
{
    const char *end = reader->end;
    size_t positions = reader->positions;
    struct dj_number *vendor = get_vendor_numbers(reader->window);
    for (size_t i = 0; i < positions; i++) {
        int64_t value;
        bool last = i + 1 == positions;
        if (!(guess ? scan_guessed_number(&at, end, last, &widths[i], &value)
                    : scan_number(&at, end, last, &value))) {
            return NULL;
        }
        set_value(vendor, frame, reader->slot[i], value);
    }
    return find_plain_end(reader, at, end);
}

/* Reads one plain row. Returns the start of the next line, or NULL if the line is not a
 * plain row. */
static const char *scan_plain_row(const struct dj_reader *reader, const char *at,
                                  uint8_t *widths, struct dj_frame *frame)
{
    enum { NUMBER_MOST = 21 }; /* Maximum length of a number with sign and comma. */
    size_t ahead = reader->positions * NUMBER_MOST + DJ_SCAN_AHEAD;
    bool inside =
        at - reader->span >= DJ_SCAN_BEFORE && (size_t)(reader->end - at) >= ahead;
    return inside ? scan_row(reader, at, widths, true, frame)
                  : scan_row(reader, at, widths, false, frame);
}

void dj_reader_read_plain_rows(struct dj_reader *reader)
{
    uint8_t widths[DJ_READER_POSITIONS];
    if (reader->positions == 0 || reader->positions > DJ_READER_POSITIONS) {
        return;
    }
    memset(widths, DJ_SCAN_WIDEST, sizeof(widths));
    while (reader->at < reader->end && *reader->at != '\n') {
        struct dj_frame *frame = reserve_frame(reader);
        const char *next =
            frame != NULL ? scan_plain_row(reader, reader->at, widths, frame) : NULL;
        if (next == NULL) {
            return;
        }
        reader->at = next;
        reader->line++;
        reader->row_line = reader->line;
        reader->comma_seen = reader->trailing;
        count_row(reader, false);
    }
}

bool dj_reader_read_field(struct dj_str *rest, int64_t *value)
{
    const char *comma = memchr(rest->at, ',', rest->length);
    size_t length = comma != NULL ? (size_t)(comma - rest->at) : rest->length;
    struct dj_str field = {rest->at, length};
    *rest = dj_str_from(*rest, length + (comma != NULL));
    dj_scan_blanks(&field);
    bool number = dj_scan_number(&field, value);
    dj_scan_blanks(&field);
    return number && field.length == 0;
}

/* Returns whether a field has no value: only blanks and a comma. */
static bool is_empty(const char *at, const char *end)
{
    while (at < end && (dj_scan_is_blank(*at) || *at == ',')) {
        at++;
    }
    return at == end;
}

/* Reads the first `fields` fields of a row into *frame. The other columns remain
 * unknown. Returns whether all of these fields are numbers, except in vendor columns. */
static bool read_fields(struct dj_reader *reader, struct dj_str line,
                        struct dj_place place, size_t fields, struct dj_frame *frame)
{
    struct dj_dump_window *window = reader->window;
    struct dj_number *vendor = get_vendor_numbers(window);
    size_t broken = 0;
    /* Position of the first vendor column that is neither a number nor empty, from 1. 0
     * if there is no such column. */
    size_t unread = 0;
    for (size_t i = 0; i < window->vendor_count; i++) {
        vendor[i] = (struct dj_number){0};
    }
    frame->known = 0;
    for (size_t i = 0; i < fields && i < DJ_READER_POSITIONS; i++) {
        int64_t value = 0;
        const char *field = line.at;
        bool number = dj_reader_read_field(&line, &value);
        uint8_t slot = reader->slot[i];
        if (number) {
            set_value(vendor, frame, slot, value);
        } else if (slot >= DJ_COLUMN_COUNT && slot != DJ_READER_NO_COLUMN &&
                   unread == 0 && !is_empty(field, line.at)) {
            unread = i + 1;
        }
        if (slot < DJ_COLUMN_COUNT) {
            frame->known |= number ? DJ_COLUMN_BIT(slot) : 0;
            broken = broken == 0 && !number ? i + 1 : broken;
        }
    }
    if (broken != 0) {
        dj_reader_warn_at(reader, place, "column %zu of this row is not a 64-bit integer",
                          broken);
    }
    if (unread != 0 && !reader->vendor_reported) {
        /* A vendor may print words in every row, so only one warning is useful. */
        reader->vendor_reported = true;
        dj_reader_warn_at(reader, place,
                          "column %zu, which no known release has, is not a 64-bit "
                          "integer: its value is null here and in later rows",
                          unread);
    }
    return broken == 0;
}

/* Reads a row as far as possible. The last number of a truncated row may be incomplete,
 * and is ignored. */
void dj_reader_add_row(struct dj_reader *reader, struct dj_str row, struct dj_place place,
                       bool truncated)
{
    size_t fields = dj_reader_count_fields(row);
    size_t positions = reader->positions;
    bool open_ended = (truncated || fields < positions) && row.at[row.length - 1] != ',';
    reader->row_line = reader->line;
    if (positions == DJ_READER_LOST) {
        dj_reader_count_lost_row(reader);
        return;
    }
    struct dj_frame *frame = reserve_frame(reader);
    if (frame == NULL) {
        count_row_beyond(reader);
        return;
    }
    size_t readable = fields > positions ? 0 : open_ended ? fields - 1 : fields;
    if (readable != positions) {
        dj_reader_warn_at(reader, place, "row with %zu of %zu columns%s", fields,
                          positions, open_ended ? "; the last one is truncated" : "");
    }
    bool whole =
        read_fields(reader, row, place, readable, frame) && readable == positions;
    reader->comma_seen = reader->comma_seen || (whole && row.at[row.length - 1] == ',');
    count_row(reader, !whole);
}

void dj_reader_count_lost_row(struct dj_reader *reader)
{
    reader->window->rows_beyond++;
    reader->window->rows_unreadable++;
    reader->report->rows++;
    reader->report->rows_bad++;
}
