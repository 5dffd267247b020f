#include <string.h>

#include "gfxinfo/column_sets.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

/* Headers and rows are longer than a terminal is wide, so a program may have wrapped or
 * truncated them. A line that is not a complete row is buffered until the next lines show
 * which of the two happened. */

/* Maximum time between the timestamps of one row. */
static const int64_t ROW_MOST_NS = INT64_C(100000000000);

static struct dj_str get_buffered_text(const struct dj_reader *reader)
{
    return dj_text_str(&reader->buffered);
}

static size_t get_line_end(const struct dj_reader *reader, size_t n)
{
    return n + 1 < reader->buffered_count ? reader->buffered_line[n + 1].at
                                          : reader->buffered.length;
}

static size_t get_line_length(const struct dj_reader *reader, size_t n)
{
    return get_line_end(reader, n) - reader->buffered_line[n].at;
}

/* A line that begins with a small number may be a new row, because flags are small
 * numbers. */
bool dj_reader_may_begin_row(struct dj_str line)
{
    int64_t flags;
    return dj_reader_is_row(line) && dj_scan_count(&line, &flags) && flags < 32;
}

bool dj_reader_can_buffer_line(const struct dj_reader *reader, struct dj_str line)
{
    return reader->buffered_count < DJ_READER_BUFFER_LINES &&
           (reader->buffered_count == 0 ||
            reader->buffered.length + line.length <= DJ_READER_BUFFER_BYTES);
}

void dj_reader_buffer_line(struct dj_reader *reader, struct dj_str line)
{
    reader->buffered_line[reader->buffered_count++] =
        (struct dj_buffered_line){.at = reader->buffered.length,
                                  .place = dj_reader_get_place(reader),
                                  .begins_row = dj_reader_may_begin_row(line)};
    reader->row_line = reader->line;
    dj_reader_append(reader, &reader->buffered, line);
}

void dj_reader_clear_buffer(struct dj_reader *reader)
{
    dj_text_clear(&reader->buffered);
    reader->buffered_count = 0;
}

static void remove_last_line(struct dj_reader *reader)
{
    reader->buffered.length = reader->buffered_line[--reader->buffered_count].at;
}

/* If the render thread started the frame, the timestamps of the UI thread are 0. Those
 * of the render thread are never 0. */
static bool may_be_zero(enum dj_column column)
{
    return column < DJ_COLUMN_SYNC_START;
}

static bool are_stages_ordered(const struct dj_frame *frame)
{
    int64_t first_ns = dj_frame_get(frame, DJ_COLUMN_INTENDED_VSYNC, 0);
    int64_t last_ns = first_ns;
    bool follow = first_ns > 0;
    for (size_t i = 0; i < DJ_COLUMN_COUNT && follow; i++) {
        enum dj_column column = (enum dj_column)i;
        int64_t value = frame->value[i];
        if (dj_frame_column_kind(column) == DJ_KIND_DURATION) {
            follow =
                value >= 0 && (value < ROW_MOST_NS || column == DJ_COLUMN_FRAME_INTERVAL);
        } else if (dj_frame_column_kind(column) == DJ_KIND_STAGE &&
                   dj_frame_has(frame, column) && (value != 0 || !may_be_zero(column))) {
            follow = value >= last_ns && value - first_ns < ROW_MOST_NS;
            last_ns = value;
        }
    }
    return follow;
}

/* Returns whether the values of the row belong to one frame. If parts of two frames were
 * joined, some timestamps decrease, or the flags of the second frame are at the position
 * of a timestamp. */
static bool is_one_frame(struct dj_str row, const uint8_t *slot, size_t positions)
{
    struct dj_frame frame = {.known = 0};
    for (size_t i = 0; i < positions && i < DJ_READER_POSITIONS; i++) {
        int64_t value = 0;
        if (dj_reader_read_field(&row, &value) && slot[i] < DJ_COLUMN_COUNT) {
            dj_frame_set(&frame, (enum dj_column)slot[i], value);
        }
    }
    return are_stages_ordered(&frame);
}

static bool is_buffer_one_frame(const struct dj_reader *reader)
{
    return is_one_frame(get_buffered_text(reader), reader->slot, reader->positions);
}

/* Returns whether line n of the buffer may be the first line of a row. If the header is
 * wrapped, rows are wrapped at the same width. In that case, line n can begin a row only
 * if line n − 1 is shorter than this width. */
static bool may_begin_row_at(const struct dj_reader *reader, size_t n)
{
    return n > 0 && reader->buffered_line[n].begins_row &&
           (reader->header_width == 0 ||
            get_line_length(reader, n - 1) < reader->header_width);
}

/* Returns whether the lines in the buffer may be truncated rows instead of one wrapped
 * row. */
static bool may_be_truncated_rows(const struct dj_reader *reader)
{
    size_t starts = 0;
    for (size_t i = 1; i < reader->buffered_count; i++) {
        starts += may_begin_row_at(reader, i);
    }
    return reader->header_width == 0 ? starts > 0 && starts + 1 == reader->buffered_count
                                     : starts > 0;
}

static bool ends_in_comma(struct dj_str line)
{
    return line.at[line.length - 1] == ',';
}

static bool has_row_end(const struct dj_reader *reader, struct dj_str line)
{
    return !reader->trailing || ends_in_comma(line);
}

/* Returns whether the numbers in the buffer are one row, not several truncated rows. The
 * caller has checked that the buffer contains exactly one number per column. */
static bool is_one_row(const struct dj_reader *reader)
{
    return !may_be_truncated_rows(reader) ||
           (has_row_end(reader, get_buffered_text(reader)) &&
            is_buffer_one_frame(reader));
}

/* Adds truncated rows from the first `count` lines of the buffer. A row consists of the
 * lines up to the next line that may begin a row. */
static void add_truncated_rows(struct dj_reader *reader, size_t count)
{
    struct dj_str all = get_buffered_text(reader);
    size_t from = 0;
    for (size_t i = 1; i <= count; i++) {
        if (i == count || may_begin_row_at(reader, i)) {
            const struct dj_buffered_line *first = &reader->buffered_line[from];
            size_t end = get_line_end(reader, i - 1);
            dj_reader_add_row(reader,
                              (struct dj_str){all.at + first->at, end - first->at},
                              first->place, true);
            from = i;
        }
    }
}

static void flush_buffer(struct dj_reader *reader)
{
    /* Someone may have removed the final comma of every row, but not the final comma of
     * the header. */
    bool all = dj_reader_count_fields(get_buffered_text(reader)) == reader->positions &&
               !reader->truncated && !reader->comma_seen;
    if (all && is_one_row(reader) && is_buffer_one_frame(reader)) {
        dj_reader_add_row(reader, get_buffered_text(reader),
                          reader->buffered_line[0].place, false);
    } else {
        add_truncated_rows(reader, reader->buffered_count);
    }
    dj_reader_clear_buffer(reader);
}

void dj_reader_flush_rows(struct dj_reader *reader)
{
    if (reader->state == DJ_READING_FRAMESTATS && reader->buffered_count > 0 &&
        !reader->failed) {
        flush_buffer(reader);
    }
}

/* Reads the first or only line of a row. Buffers the line if it is incomplete. */
static void begin_row(struct dj_reader *reader, struct dj_str line)
{
    size_t fields = dj_reader_count_fields(line);
    bool incomplete = fields < reader->positions ||
                      (fields == reader->positions && !has_row_end(reader, line));
    if (incomplete && dj_reader_is_numbers(line) &&
        line.length < DJ_READER_BUFFER_BYTES) {
        dj_reader_buffer_line(reader, line);
    } else {
        dj_reader_add_row(reader, line, dj_reader_get_place(reader),
                          reader->truncated && reader->trailing);
    }
}

/* Appends the line to the buffer if the result is a row or may become one. Adds the row
 * if it is complete. Returns false if the line belongs to another row. */
static bool join_line(struct dj_reader *reader, struct dj_str line)
{
    if (!dj_reader_can_buffer_line(reader, line)) {
        return false;
    }
    dj_reader_buffer_line(reader, line);
    if (reader->failed) {
        return true;
    }
    size_t fields = dj_reader_count_fields(get_buffered_text(reader));
    bool whole =
        fields == reader->positions && has_row_end(reader, get_buffered_text(reader));
    if (fields > reader->positions || (whole && !is_one_row(reader))) {
        remove_last_line(reader);
        return false;
    }
    if (whole) {
        dj_reader_add_row(reader, get_buffered_text(reader),
                          reader->buffered_line[0].place, false);
        dj_reader_clear_buffer(reader);
    }
    return true;
}

/* Adds all rows in the buffer except the last one, if the line may continue the last one.
 * Returns false if the line cannot continue a row in the buffer. */
static bool add_first_rows(struct dj_reader *reader, struct dj_str line)
{
    size_t last = reader->buffered_count - 1;
    bool begins = dj_reader_may_begin_row(line) &&
                  (reader->header_width == 0 ||
                   get_line_length(reader, last) < reader->header_width);
    while (last > 0 && !may_begin_row_at(reader, last)) {
        last--;
    }
    if (begins || last == 0) {
        return false;
    }
    add_truncated_rows(reader, last);
    size_t from = reader->buffered_line[last].at;
    reader->buffered.length -= from;
    memmove(reader->buffered.data, reader->buffered.data + from, reader->buffered.length);
    reader->buffered_count -= last;
    memmove(reader->buffered_line, &reader->buffered_line[last],
            reader->buffered_count * sizeof(reader->buffered_line[0]));
    for (size_t i = 0; i < reader->buffered_count; i++) {
        reader->buffered_line[i].at -= from;
    }
    return true;
}

static bool continues_row(struct dj_reader *reader, struct dj_str line)
{
    while (reader->buffered_count > 0) {
        if (join_line(reader, line)) {
            return true;
        }
        if (!add_first_rows(reader, line)) {
            return false;
        }
    }
    return false;
}

/* Returns whether the line may be the first digits of a truncated row at the end of the
 * text. */
static bool is_first_digits(const struct dj_reader *reader, struct dj_str line)
{
    return reader->truncated && dj_reader_is_numbers(line) &&
           dj_gfxinfo_is_digit(line.at[0]);
}

/* Returns whether the line is a row that does not begin with a number: its first column
 * is empty, or a vendor column with other text. */
static bool begins_otherwise(const struct dj_reader *reader, struct dj_str line)
{
    bool vendor = reader->positions > 0 && reader->slot[0] >= DJ_COLUMN_COUNT;
    return (vendor || line.at[0] == ',') &&
           dj_reader_count_fields(line) == reader->positions;
}

bool dj_reader_read_row(struct dj_reader *reader, struct dj_str line)
{
    bool row = dj_reader_is_row(line);
    bool alone = row && dj_reader_count_fields(line) >= reader->positions &&
                 has_row_end(reader, line);
    if (!alone && dj_reader_is_numbers(line) && continues_row(reader, line)) {
        return true;
    }
    if (!row && !is_first_digits(reader, line) && !begins_otherwise(reader, line)) {
        return false;
    }
    dj_reader_flush_rows(reader);
    begin_row(reader, line);
    return true;
}

/* Returns the number in a column of a row with these columns, or 0 if it cannot be
 * read. */
static int64_t read_value(struct dj_str row, const struct dj_column_list *set,
                          enum dj_column column)
{
    int64_t value = 0;
    for (size_t i = 0; i < set->count; i++) {
        bool number = dj_reader_read_field(&row, &value);
        if (set->column[i] == column) {
            return number && row.length > 0 ? value : 0;
        }
    }
    return 0;
}

/* Returns whether the line begins a frame that is later than the frame in the row. */
static bool begins_later_frame(struct dj_str row, const struct dj_column_list *set,
                               struct dj_str line)
{
    int64_t first_ns = read_value(row, set, DJ_COLUMN_INTENDED_VSYNC);
    int64_t next_ns = read_value(line, set, DJ_COLUMN_INTENDED_VSYNC);
    return next_ns > first_ns && next_ns - first_ns < ROW_MOST_NS;
}

/* Returns whether the first row of a block without a header, which is in the buffer, ends
 * before the line `next`. The number of columns is not known yet. The row ends if `next`
 * begins a later frame, or if the last line in the buffer is shorter than the first
 * one. */
static bool first_row_ends(const struct dj_reader *reader, struct dj_str next)
{
    const struct dj_column_list *set =
        dj_column_sets_find(dj_reader_count_fields(get_buffered_text(reader)));
    size_t last = reader->buffered_count - 1;
    if (set == NULL || !dj_reader_may_begin_row(next)) {
        return false;
    }
    bool ends = last > 0 && ends_in_comma(get_buffered_text(reader)) &&
                get_line_length(reader, last) < get_line_length(reader, 0);
    return ends || begins_later_frame(get_buffered_text(reader), set, next);
}

/* Counts the columns of the first row in the buffer. The row ends before a line that may
 * begin a row. */
static size_t count_first_columns(const struct dj_reader *reader)
{
    size_t last = 0;
    while (last + 1 < reader->buffered_count &&
           !reader->buffered_line[last + 1].begins_row) {
        last++;
    }
    return dj_reader_count_fields(
        (struct dj_str){reader->buffered.data, get_line_end(reader, last)});
}

/* Warns that the rows of the block have an unknown number of columns. Warns once per
 * block, because all of its rows have the same number. */
static void warn_of_columns(struct dj_reader *reader)
{
    struct dj_text counts = {0};
    size_t columns = count_first_columns(reader);
    if (reader->columns_warned) {
        return;
    }
    dj_gfxinfo_column_sets_describe(&counts);
    dj_reader_warn_at(reader, reader->buffered_line[0].place,
                      "framestats without a header: expected %s columns, found %zu, so "
                      "these rows cannot be read",
                      dj_text_get(&counts), columns);
    reader->columns_warned = true;
    reader->window->unreadable_columns = columns;
    reader->failed = reader->failed || counts.failed;
    dj_text_finish(&counts);
}

static void count_lost_first_rows(struct dj_reader *reader)
{
    warn_of_columns(reader);
    dj_reader_count_lost_row(reader);
    for (size_t i = 1; i < reader->buffered_count; i++) {
        if (reader->buffered_line[i].begins_row) {
            dj_reader_count_lost_row(reader);
        }
    }
    dj_reader_clear_buffer(reader);
}

void dj_reader_flush_first_row(struct dj_reader *reader)
{
    struct dj_str row = get_buffered_text(reader);
    if (reader->failed) {
        return;
    }
    const struct dj_column_list *set = dj_column_sets_find(dj_reader_count_fields(row));
    bool truncated = reader->truncated && !ends_in_comma(row);
    /* The buffer may contain several truncated rows that together have a valid number of
     * columns. It is one row only if the values belong to one frame. */
    bool one = set != NULL && (!may_be_truncated_rows(reader) ||
                               is_one_frame(row, set->column, set->count));
    if (truncated || !one || !dj_reader_infer_columns(reader, row)) {
        count_lost_first_rows(reader);
        return;
    }
    reader->header_width = reader->buffered_count > 1 ? get_line_length(reader, 0) : 0;
    dj_reader_add_row(reader, row, reader->buffered_line[0].place, false);
    dj_reader_clear_buffer(reader);
}

bool dj_reader_read_first_row(struct dj_reader *reader, struct dj_str line)
{
    if (reader->buffered_count > 0 &&
        (!dj_reader_is_numbers(line) || first_row_ends(reader, line) ||
         !dj_reader_can_buffer_line(reader, line))) {
        dj_reader_flush_first_row(reader);
        if (reader->state == DJ_READING_FRAMESTATS) {
            return dj_reader_read_row(reader, line);
        }
    }
    if (reader->buffered_count == 0 && !dj_reader_is_row(line)) {
        return false;
    }
    dj_reader_buffer_line(reader, line);
    if (reader->buffered_count == 1 && ends_in_comma(line) &&
        dj_column_sets_find(dj_reader_count_fields(line)) != NULL) {
        dj_reader_flush_first_row(reader);
    }
    return true;
}
