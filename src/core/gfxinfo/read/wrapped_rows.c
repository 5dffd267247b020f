#include <string.h>

#include "gfxinfo/column_sets.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

/* Headers and rows are longer than a terminal is wide, so these lines get wrapped or
 * truncated. A line that is not a complete row is buffered until the next lines show
 * which of the two happened. */

/* Maximum distance between the timestamps of one row. */
static const int64_t ROW_MOST_NS = INT64_C(100000000000);

static struct dj_str buffered(const struct dj_reader *reader)
{
    return dj_text_str(&reader->buffered);
}

static size_t piece_end(const struct dj_reader *reader, size_t n)
{
    return n + 1 < reader->piece_count ? reader->piece[n + 1].at
                                       : reader->buffered.length;
}

static size_t piece_length(const struct dj_reader *reader, size_t n)
{
    return piece_end(reader, n) - reader->piece[n].at;
}

/* Flags are small: a line that begins with a small number may be a new row. */
bool dj_reader_may_begin_row(struct dj_str line)
{
    int64_t flags;
    return dj_reader_is_row(line) && dj_scan_count(&line, &flags) && flags < 32;
}

bool dj_reader_can_buffer_line(const struct dj_reader *reader, struct dj_str line)
{
    return reader->piece_count < DJ_READER_PIECES &&
           (reader->piece_count == 0 ||
            reader->buffered.length + line.length <= DJ_READER_HELD);
}

void dj_reader_buffer_line(struct dj_reader *reader, struct dj_str line)
{
    reader->piece[reader->piece_count++] =
        (struct dj_piece){.at = reader->buffered.length,
                          .place = dj_reader_get_place(reader),
                          .begins_row = dj_reader_may_begin_row(line)};
    reader->row_line = reader->line;
    dj_reader_append(reader, &reader->buffered, line);
}

void dj_reader_clear_buffer(struct dj_reader *reader)
{
    dj_text_clear(&reader->buffered);
    reader->piece_count = 0;
}

static void remove_last_piece(struct dj_reader *reader)
{
    reader->buffered.length = reader->piece[--reader->piece_count].at;
}

/* The UI thread's stages are 0 in a frame that the render thread started. Its own
 * stages never are. */
static bool may_be_zero(enum dj_column column)
{
    return column < DJ_COLUMN_SYNC_START;
}

static bool follow_each_other(const struct dj_frame *frame)
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

/* Returns whether the values are from one frame. A row joined from two frames goes
 * back in time, or has flags as a timestamp. */
static bool is_one_frame(struct dj_str row, const uint8_t *slot, size_t positions)
{
    struct dj_frame frame = {.known = 0};
    for (size_t i = 0; i < positions && i < DJ_READER_POSITIONS; i++) {
        int64_t value = 0;
        if (dj_reader_read_field(&row, &value) && slot[i] < DJ_COLUMN_COUNT) {
            dj_frame_set(&frame, (enum dj_column)slot[i], value);
        }
    }
    return follow_each_other(&frame);
}

static bool held_is_one_frame(const struct dj_reader *reader)
{
    return is_one_frame(buffered(reader), reader->slot, reader->positions);
}

/* Returns whether a row may end before piece n and the next begin with it. If the
 * header has one line, nothing was wrapped, or only rows. Otherwise a line shorter
 * than the header's first line is the last line of its row. */
static bool may_begin_row_at(const struct dj_reader *reader, size_t n)
{
    return n > 0 && reader->piece[n].begins_row &&
           (reader->header_width == 0 ||
            piece_length(reader, n - 1) < reader->header_width);
}

/* Returns whether the buffered lines may be truncated rows, one per line. */
static bool may_be_cut_rows(const struct dj_reader *reader)
{
    size_t parted = 0;
    for (size_t i = 1; i < reader->piece_count; i++) {
        parted += may_begin_row_at(reader, i);
    }
    return reader->header_width == 0 ? parted > 0 && parted + 1 == reader->piece_count
                                     : parted > 0;
}

static bool ends_in_comma(struct dj_str line)
{
    return line.at[line.length - 1] == ',';
}

static bool ends_whole(const struct dj_reader *reader, struct dj_str line)
{
    return !reader->trailing || ends_in_comma(line);
}

/* Returns whether the buffered text, with one number per column, is a row. */
static bool is_one_row(const struct dj_reader *reader)
{
    return !may_be_cut_rows(reader) ||
           (ends_whole(reader, buffered(reader)) && held_is_one_frame(reader));
}

/* Lines that do not join_line into a row are rows of their own, each truncated at its
 * end. Adds those among the first buffered pieces, up to a piece that may begin a row. */
static void add_cut_rows(struct dj_reader *reader, size_t pieces)
{
    struct dj_str all = buffered(reader);
    size_t from = 0;
    for (size_t i = 1; i <= pieces; i++) {
        if (i == pieces || may_begin_row_at(reader, i)) {
            const struct dj_piece *first = &reader->piece[from];
            size_t end = piece_end(reader, i - 1);
            dj_reader_add_row(reader,
                              (struct dj_str){all.at + first->at, end - first->at},
                              first->place, true);
            from = i;
        }
    }
}

static void flush_buffer(struct dj_reader *reader)
{
    /* All rows of a pasted table may have lost the final comma that the header still
     * has. */
    bool all = dj_reader_count_fields(buffered(reader)) == reader->positions &&
               !reader->cut && !reader->comma_seen;
    if (all && is_one_row(reader) && held_is_one_frame(reader)) {
        dj_reader_add_row(reader, buffered(reader), reader->piece[0].place, false);
    } else {
        add_cut_rows(reader, reader->piece_count);
    }
    dj_reader_clear_buffer(reader);
}

void dj_reader_flush_rows(struct dj_reader *reader)
{
    if (reader->state == DJ_READING_FRAMESTATS && reader->piece_count > 0 &&
        !reader->failed) {
        flush_buffer(reader);
    }
}

/* Starts a row with its first, or only, line. */
static void begin_row(struct dj_reader *reader, struct dj_str line)
{
    size_t fields = dj_reader_count_fields(line);
    bool short_of = fields < reader->positions ||
                    (fields == reader->positions && !ends_whole(reader, line));
    if (short_of && dj_reader_is_numbers(line) && line.length < DJ_READER_HELD) {
        dj_reader_buffer_line(reader, line);
    } else {
        dj_reader_add_row(reader, line, dj_reader_get_place(reader),
                          reader->cut && reader->trailing);
    }
}

/* Joins the line to the buffer if that makes a row or may become one. Returns false if
 * the two are different rows. */
static bool join_line(struct dj_reader *reader, struct dj_str line)
{
    if (!dj_reader_can_buffer_line(reader, line)) {
        return false;
    }
    dj_reader_buffer_line(reader, line);
    if (reader->failed) {
        return true;
    }
    size_t fields = dj_reader_count_fields(buffered(reader));
    bool whole = fields == reader->positions && ends_whole(reader, buffered(reader));
    if (fields > reader->positions || (whole && !is_one_row(reader))) {
        remove_last_piece(reader);
        return false;
    }
    if (whole) {
        dj_reader_add_row(reader, buffered(reader), reader->piece[0].place, false);
        dj_reader_clear_buffer(reader);
    }
    return true;
}

/* Adds the rows that the line does not continue, if it may still continue the last
 * buffered one. Returns false if it continues none. */
static bool add_first_rows(struct dj_reader *reader, struct dj_str line)
{
    size_t last = reader->piece_count - 1;
    bool begins =
        dj_reader_may_begin_row(line) &&
        (reader->header_width == 0 || piece_length(reader, last) < reader->header_width);
    while (last > 0 && !may_begin_row_at(reader, last)) {
        last--;
    }
    if (begins || last == 0) {
        return false;
    }
    add_cut_rows(reader, last);
    size_t from = reader->piece[last].at;
    reader->buffered.length -= from;
    memmove(reader->buffered.data, reader->buffered.data + from, reader->buffered.length);
    reader->piece_count -= last;
    memmove(reader->piece, &reader->piece[last],
            reader->piece_count * sizeof(reader->piece[0]));
    for (size_t i = 0; i < reader->piece_count; i++) {
        reader->piece[i].at -= from;
    }
    return true;
}

static bool continues_row(struct dj_reader *reader, struct dj_str line)
{
    while (reader->piece_count > 0) {
        if (join_line(reader, line)) {
            return true;
        }
        if (!add_first_rows(reader, line)) {
            return false;
        }
    }
    return false;
}

/* The last row of the text may consist of its first digits. */
static bool is_first_digits(const struct dj_reader *reader, struct dj_str line)
{
    return reader->cut && dj_reader_is_numbers(line) && dj_gfxinfo_is_digit(line.at[0]);
}

/* The first column of a row may be unknown, or a vendor column that is not a number. */
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
                 ends_whole(reader, line);
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

/* Returns the number in a column of a row with the header of this set, or 0 if it is
 * unreadable. */
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

/* Returns whether the line begins a frame that follows the frame in the row. */
static bool begins_later_frame(struct dj_str row, const struct dj_column_list *set,
                               struct dj_str line)
{
    int64_t first_ns = read_value(row, set, DJ_COLUMN_INTENDED_VSYNC);
    int64_t next_ns = read_value(line, set, DJ_COLUMN_INTENDED_VSYNC);
    return next_ns > first_ns && next_ns - first_ns < ROW_MOST_NS;
}

/* The length of the first row is unknown. It ends where a later frame begins, or after
 * a line that is shorter than the wrapping width. */
static bool first_row_ends(const struct dj_reader *reader, struct dj_str next)
{
    const struct dj_column_list *set =
        dj_column_sets_find(dj_reader_count_fields(buffered(reader)));
    size_t last = reader->piece_count - 1;
    if (set == NULL || !dj_reader_may_begin_row(next)) {
        return false;
    }
    bool ends = last > 0 && ends_in_comma(buffered(reader)) &&
                piece_length(reader, last) < piece_length(reader, 0);
    return ends || begins_later_frame(buffered(reader), set, next);
}

/* Counts the columns of the first buffered row, up to a line that looks like the next
 * row. */
static size_t count_first_columns(const struct dj_reader *reader)
{
    size_t last = 0;
    while (last + 1 < reader->piece_count && !reader->piece[last + 1].begins_row) {
        last++;
    }
    return dj_reader_count_fields(
        (struct dj_str){reader->buffered.data, piece_end(reader, last)});
}

/* Warns once per block, because its rows are alike. */
static void warn_of_columns(struct dj_reader *reader)
{
    struct dj_text counts = {0};
    size_t columns = count_first_columns(reader);
    if (reader->columns_warned) {
        return;
    }
    dj_gfxinfo_column_sets_describe(&counts);
    dj_reader_warn_at(reader, reader->piece[0].place,
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
    for (size_t i = 1; i < reader->piece_count; i++) {
        if (reader->piece[i].begins_row) {
            dj_reader_count_lost_row(reader);
        }
    }
    dj_reader_clear_buffer(reader);
}

void dj_reader_flush_first_row(struct dj_reader *reader)
{
    struct dj_str row = buffered(reader);
    if (reader->failed) {
        return;
    }
    const struct dj_column_list *set = dj_column_sets_find(dj_reader_count_fields(row));
    bool cut = reader->cut && !ends_in_comma(row);
    /* If each row begins like a row, an unknown number of columns is possible. */
    bool one = set != NULL &&
               (!may_be_cut_rows(reader) || is_one_frame(row, set->column, set->count));
    if (cut || !one || !dj_reader_infer_columns(reader, row)) {
        count_lost_first_rows(reader);
        return;
    }
    reader->header_width = reader->piece_count > 1 ? piece_length(reader, 0) : 0;
    dj_reader_add_row(reader, row, reader->piece[0].place, false);
    dj_reader_clear_buffer(reader);
}

bool dj_reader_read_first_row(struct dj_reader *reader, struct dj_str line)
{
    if (reader->piece_count > 0 &&
        (!dj_reader_is_numbers(line) || first_row_ends(reader, line) ||
         !dj_reader_can_buffer_line(reader, line))) {
        dj_reader_flush_first_row(reader);
        if (reader->state == DJ_READING_FRAMESTATS) {
            return dj_reader_read_row(reader, line);
        }
    }
    if (reader->piece_count == 0 && !dj_reader_is_row(line)) {
        return false;
    }
    dj_reader_buffer_line(reader, line);
    if (reader->piece_count == 1 && ends_in_comma(line) &&
        dj_column_sets_find(dj_reader_count_fields(line)) != NULL) {
        dj_reader_flush_first_row(reader);
    }
    return true;
}
