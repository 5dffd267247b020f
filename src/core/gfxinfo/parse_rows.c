#include "gfxinfo/column_sets.h"
#include "gfxinfo/grammar.h"
#include "gfxinfo/reader.h"
#include "gfxinfo/scan.h"

#include <stdlib.h>

enum { FIRST_ROWS = 128 }; /* hwui prints at most 120 */

/* ---- framestats ---- */

static void open_block(struct dj_reader *reader, bool marked)
{
    struct dj_dump_window *window = reader->window;
    if (window == NULL || window->has_frames) {
        window = dj_reader_next_window(reader);
    }
    if (window == NULL) {
        return;
    }
    window->has_frames = true;
    reader->marked = marked;
    reader->trailing = false;
    reader->positions = 0;
    reader->known = 0;
    reader->frame_capacity = 0;
    reader->state = DJ_READING_HEADER;
}

void dj_reader_marker(struct dj_reader *reader)
{
    if ((reader->state == DJ_READING_FRAMESTATS && reader->marked) ||
        reader->state == DJ_READING_HEADER) {
        dj_reader_close_framestats(reader);
    } else {
        dj_reader_close_framestats(reader);
        open_block(reader, true);
    }
}

static void add_position(struct dj_reader *reader, uint8_t column)
{
    if (reader->positions < DJ_READER_POSITIONS) {
        reader->slot[reader->positions] = column;
        if (column != DJ_READER_NO_COLUMN) {
            struct dj_column_list *columns = &reader->window->columns;
            columns->column[columns->count++] = column;
            reader->known |= DJ_COLUMN_BIT(column);
        }
    }
    reader->positions++;
}

static void add_named_position(struct dj_reader *reader, const char *name, size_t length)
{
    enum dj_column column;
    if (!dj_column_find(name, length, &column)) {
        dj_reader_warn(reader, "column \"%.*s\" is of no release: passed over",
                       length < 60 ? (int)length : 60, name);
        add_position(reader, DJ_READER_NO_COLUMN);
    } else if ((reader->known & DJ_COLUMN_BIT(column)) != 0) {
        dj_reader_warn(reader, "column %s is there twice: the first counts",
                       dj_column_name(column));
        add_position(reader, DJ_READER_NO_COLUMN);
    } else {
        add_position(reader, (uint8_t)column);
    }
}

/* True if the line has this name between commas. */
static bool has_name(struct dj_slice line, const char *name)
{
    size_t length = strlen(name);
    const char *end = line.at + line.length;
    const char *found = line.at;
    while ((found = memmem(found, (size_t)(end - found), name, length)) != NULL) {
        const char *after = found + length;
        if ((found == line.at || found[-1] == ',' || dj_is_blank(found[-1])) &&
            (after == end || *after == ',' || dj_is_blank(*after))) {
            return true;
        }
        found = after;
    }
    return false;
}

/* The names of a header are letters; without this one no frame could be told from
 * another. */
static bool is_header(struct dj_slice line)
{
    return !dj_is_digit(line.at[0]) && line.at[0] != '-' &&
           memchr(line.at, ',', line.length) != NULL && has_name(line, "IntendedVsync");
}

static void read_names(struct dj_reader *reader, struct dj_slice line)
{
    const char *at = line.at;
    const char *end = line.at + line.length;
    while (at < end) {
        dj_scan_blanks(&at, end);
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *next = comma != NULL ? comma : end;
        const char *last = next;
        while (last > at && dj_is_blank(last[-1])) {
            last--;
        }
        if (last > at || comma != NULL) {
            add_named_position(reader, at, (size_t)(last - at));
        }
        at = comma != NULL ? comma + 1 : end;
    }
    reader->trailing = line.at[line.length - 1] == ',';
    reader->state = DJ_READING_FRAMESTATS;
    if ((reader->known & DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC)) == 0) {
        dj_reader_warn(reader,
                       "no IntendedVsync among the first %d columns: the block is lost",
                       DJ_READER_POSITIONS);
        reader->window->columns.count = 0;
        reader->positions = SIZE_MAX; /* no row has so many */
    }
}

/* Begins as rows do: an integer, and a comma behind it. */
static bool is_row(struct dj_slice line)
{
    const char *at = line.at;
    const char *end = line.at + line.length;
    at += at < end && *at == '-';
    const char *digits = at;
    while (at < end && dj_is_digit(*at)) {
        at++;
    }
    if (at == digits) {
        return false;
    }
    dj_scan_blanks(&at, end);
    return at < end && *at == ',';
}

static size_t count_fields(struct dj_slice line)
{
    size_t fields = 1;
    for (size_t i = 0; i < line.length; i++) {
        fields += line.at[i] == ',';
    }
    return line.at[line.length - 1] == ',' ? fields - 1 : fields;
}

/* M Preview, and samples in texts, have no header: the number of columns tells the
 * release. */
static bool infer_columns(struct dj_reader *reader, struct dj_slice line)
{
    const struct dj_column_list *set = dj_column_set(count_fields(line));
    if (set == NULL) {
        return false;
    }
    for (size_t i = 0; i < set->count; i++) {
        add_position(reader, set->column[i]);
    }
    reader->window->columns_inferred = true;
    reader->trailing = line.at[line.length - 1] == ',';
    reader->state = DJ_READING_FRAMESTATS;
    dj_reader_warn(reader,
                   "framestats without a header: columns inferred from their number, %u",
                   set->count);
    return true;
}

bool dj_reader_header(struct dj_reader *reader, struct dj_slice line)
{
    if (is_header(line)) {
        read_names(reader, line);
        return true;
    }
    if (!is_row(line)) {
        return false;
    }
    if (infer_columns(reader, line)) {
        return dj_reader_row(reader, line);
    }
    reader->report->rows++;
    reader->report->rows_bad++;
    dj_reader_warn(reader, "framestats without a header, and no release has %zu columns",
                   count_fields(line));
    return true;
}

bool dj_reader_unmarked(struct dj_reader *reader, struct dj_slice line)
{
    bool header = is_header(line) && has_name(line, "FrameCompleted");
    if (!header && (!is_row(line) || dj_column_set(count_fields(line)) == NULL)) {
        return false;
    }
    open_block(reader, false);
    if (reader->state != DJ_READING_HEADER) {
        return true;
    }
    dj_reader_warn(reader, "framestats rows without a " DJ_MARKER " line before them");
    return dj_reader_header(reader, line);
}

/* Room for one more frame; NULL: out of memory. */
static struct dj_frame *next_frame(struct dj_reader *reader)
{
    struct dj_dump_window *window = reader->window;
    if (window->frame_count == reader->frame_capacity) {
        size_t capacity =
            reader->frame_capacity == 0 ? FIRST_ROWS : reader->frame_capacity * 2;
        struct dj_frame *grown = reallocarray(window->frames, capacity, sizeof(*grown));
        if (grown == NULL) {
            reader->failed = true;
            return NULL;
        }
        window->frames = grown;
        reader->frame_capacity = capacity;
    }
    struct dj_frame *frame = &window->frames[window->frame_count];
    *frame = (struct dj_frame){.known = reader->known};
    return frame;
}

/* The line's end behind its last number; NULL where something else stands there. */
static const char *plain_end(const char *at, const char *end)
{
    at += at < end && *at == ',';
    while (at < end && *at == '\r') {
        at++;
    }
    return at < end && *at == '\n' ? at + 1 : NULL;
}

/* One row of nothing but numbers and commas; NULL where it is not that. */
static const char *plain_row(const struct dj_reader *reader, const char *at,
                             struct dj_frame *frame)
{
    const char *end = reader->end;
    for (size_t i = 0; i < reader->positions; i++) {
        int64_t value;
        if ((i > 0 && (at == end || *at++ != ',')) || !dj_scan_int64(&at, end, &value)) {
            return NULL;
        }
        if (reader->slot[i] != DJ_READER_NO_COLUMN) {
            frame->value[reader->slot[i]] = value;
        }
    }
    return plain_end(at, end);
}

void dj_reader_plain_rows(struct dj_reader *reader)
{
    if (reader->positions == 0 || reader->positions > DJ_READER_POSITIONS) {
        return;
    }
    while (reader->at < reader->end && *reader->at != '\n') {
        struct dj_frame *frame = next_frame(reader);
        const char *next = frame != NULL ? plain_row(reader, reader->at, frame) : NULL;
        if (next == NULL) {
            return;
        }
        reader->at = next;
        reader->line++;
        reader->report->rows++;
        reader->window->frame_count++;
    }
}

static bool bad_row(struct dj_reader *reader)
{
    reader->report->rows_bad++;
    return true;
}

/* The field at a position: its number where a column wants it. */
static bool read_field(const struct dj_reader *reader, size_t position, const char **at,
                       const char *end, struct dj_frame *frame)
{
    uint8_t column =
        position < DJ_READER_POSITIONS ? reader->slot[position] : DJ_READER_NO_COLUMN;
    dj_scan_blanks(at, end);
    if (column == DJ_READER_NO_COLUMN) {
        const char *comma = memchr(*at, ',', (size_t)(end - *at));
        *at = comma != NULL ? comma : end;
        return true;
    }
    if (!dj_scan_int64(at, end, &frame->value[column])) {
        return false;
    }
    dj_scan_blanks(at, end);
    return *at == end || **at == ',';
}

bool dj_reader_row(struct dj_reader *reader, struct dj_slice line)
{
    if (!is_row(line)) {
        return false;
    }
    reader->report->rows++;
    size_t fields = count_fields(line);
    bool open_ended = reader->cut && reader->trailing && line.at[line.length - 1] != ',';
    if (fields != reader->positions || open_ended) {
        dj_reader_warn(reader, "row with %zu of %zu columns%s", fields, reader->positions,
                       open_ended ? ", the last of them cut" : "");
        return bad_row(reader);
    }
    struct dj_frame *frame = next_frame(reader);
    const char *at = line.at;
    for (size_t i = 0; frame != NULL && i < fields; i++) {
        if (!read_field(reader, i, &at, line.at + line.length, frame)) {
            dj_reader_warn(reader, "row whose column %zu is no 64-bit integer", i + 1);
            return bad_row(reader);
        }
        at++;
    }
    reader->window->frame_count += frame != NULL;
    return true;
}

/* Nanoseconds below a second are a length; above, or none, a stamp. */
static bool is_interval(int64_t value)
{
    return value > 0 && value < 1000000000;
}

/* Releases 12 and 13 name two columns the wrong way round; what later ones do is not
 * proven: values decide. */
static bool labels_are_swapped(const struct dj_dump_window *window)
{
    size_t swapped = 0;
    size_t right = 0;
    for (size_t i = 0; i < window->frame_count; i++) {
        bool interval = is_interval(window->frames[i].value[DJ_COLUMN_FRAME_INTERVAL]);
        bool start = is_interval(window->frames[i].value[DJ_COLUMN_FRAME_START_TIME]);
        swapped += !interval && start;
        right += interval && !start;
    }
    return swapped > right;
}

static void swap_labels(struct dj_dump_window *window)
{
    for (size_t i = 0; i < window->frame_count; i++) {
        int64_t *value = window->frames[i].value;
        int64_t start = value[DJ_COLUMN_FRAME_INTERVAL];
        value[DJ_COLUMN_FRAME_INTERVAL] = value[DJ_COLUMN_FRAME_START_TIME];
        value[DJ_COLUMN_FRAME_START_TIME] = start;
    }
    for (size_t i = 0; i < window->columns.count; i++) {
        uint8_t *column = &window->columns.column[i];
        if (*column == DJ_COLUMN_FRAME_INTERVAL) {
            *column = DJ_COLUMN_FRAME_START_TIME;
        } else if (*column == DJ_COLUMN_FRAME_START_TIME) {
            *column = DJ_COLUMN_FRAME_INTERVAL;
        }
    }
}

void dj_reader_close_framestats(struct dj_reader *reader)
{
    uint64_t both = DJ_COLUMN_BIT(DJ_COLUMN_FRAME_INTERVAL) |
                    DJ_COLUMN_BIT(DJ_COLUMN_FRAME_START_TIME);
    if (reader->state == DJ_READING_FRAMESTATS && (reader->known & both) == both &&
        labels_are_swapped(reader->window)) {
        swap_labels(reader->window);
    }
    reader->state = DJ_READING_LINES;
}

/* ---- the simple dump ---- */

static bool scan_words(struct dj_slice line, const char *words)
{
    const char *at = line.at;
    const char *end = line.at + line.length;
    while (*words != '\0') {
        words += strspn(words, "\t");
        size_t length = strcspn(words, "\t");
        dj_scan_blanks(&at, end);
        if ((size_t)(end - at) < length || memcmp(at, words, length) != 0) {
            return false;
        }
        at += length;
        words += length;
    }
    return at == end;
}

bool dj_reader_profile_header(struct dj_reader *reader, struct dj_slice line)
{
    bool prepare = scan_words(line, DJ_PROFILE_HEADER_4);
    if (!prepare && !scan_words(line, DJ_PROFILE_HEADER_3)) {
        return false;
    }
    dj_reader_close_framestats(reader); /* one that lacks its closing marker */
    struct dj_dump_window *window = reader->window;
    if (window == NULL || window->has_profile) {
        window = dj_reader_next_window(reader);
    }
    if (window != NULL) {
        window->has_profile = true;
        reader->prepare = prepare;
        reader->profile_capacity = 0;
        reader->state = DJ_READING_PROFILE;
    }
    return true;
}

/* Up to five decimals apart by blanks; how many, or 0 where something else is among them.
 */
static size_t scan_decimals(struct dj_slice line, float numbers[5])
{
    const char *at = line.at;
    const char *end = line.at + line.length;
    size_t count = 0;
    for (; at < end && count < 5; count++) {
        double number;
        if (!dj_scan_decimal(&at, end, &number) || (at < end && !dj_is_blank(*at))) {
            return 0;
        }
        numbers[count] = number < 1e9 ? (float)number : 1e9F;
        dj_scan_blanks(&at, end);
    }
    return at == end ? count : 0;
}

static bool add_profile_row(struct dj_reader *reader, struct dj_profile_row row)
{
    struct dj_dump_window *window = reader->window;
    if (window->profile_count == reader->profile_capacity) {
        size_t capacity =
            reader->profile_capacity == 0 ? FIRST_ROWS : reader->profile_capacity * 2;
        struct dj_profile_row *grown =
            reallocarray(window->profile, capacity, sizeof(*grown));
        if (grown == NULL) {
            reader->failed = true;
            return true;
        }
        window->profile = grown;
        reader->profile_capacity = capacity;
    }
    window->profile[window->profile_count++] = row;
    return true;
}

bool dj_reader_profile_row(struct dj_reader *reader, struct dj_slice line)
{
    float number[5];
    size_t count = scan_decimals(line, number);
    if (count == 0) {
        return false;
    }
    reader->report->rows++;
    if (count != (reader->prepare ? 4U : 3U)) {
        dj_reader_warn(reader, "row of the simple dump with %zu columns, %d expected",
                       count, reader->prepare ? 4 : 3);
        return bad_row(reader);
    }
    if (reader->prepare) {
        return add_profile_row(
            reader, (struct dj_profile_row){number[0], number[1], number[2], number[3]});
    }
    return add_profile_row(
        reader, (struct dj_profile_row){number[0], -1.0F, number[1], number[2]});
}
