#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "gfxinfo/grammar.h"
#include "gfxinfo/reader.h"
#include "gfxinfo/scan.h"

enum { MOST_NUMBERS = 4 };

static bool scan_words(struct dj_str line, const char *words)
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

bool dj_reader_profile_header(struct dj_reader *reader, struct dj_str line)
{
    if (line.at[0] != DJ_PROFILE_HEADER_4[1]) {
        return false;
    }
    bool prepare = scan_words(line, DJ_PROFILE_HEADER_4);
    if (!prepare && !scan_words(line, DJ_PROFILE_HEADER_3)) {
        return false;
    }
    dj_reader_close_block(reader); /* one that lacks its closing marker */
    struct dj_dump_window *window = reader->window;
    if (window == NULL || window->has_profile) {
        window = dj_reader_next_window(reader);
    }
    if (window != NULL) {
        window->has_profile = true;
        window->profile_lacks_prepare = !prepare;
        reader->state = DJ_READING_PROFILE;
    }
    return true;
}

/* What somebody wrote behind a row, in the way of a program's comment. */
static bool is_remark(const char *at, const char *end)
{
    return *at == '#' || (end - at > 1 && at[0] == '/' && at[1] == '/');
}

/* "12", "0.35", and of a number that was cut "0.". */
static bool scan_number(const char **at, const char *end, float *number)
{
    double value;
    if (!dj_scan_decimal(at, end, &value)) {
        return false;
    }
    *at += *at < end && (**at == '.' || **at == ',');
    *number = value < 1e9 ? (float)value : 1e9F;
    return *at == end || dj_is_blank(**at);
}

/* Decimals apart by blanks; how many, the first of them kept, or 0 where something else
 * is among them. The line then ends behind the last one. */
static size_t scan_numbers(struct dj_str *line, float numbers[MOST_NUMBERS])
{
    const char *at = line->at;
    const char *end = line->at + line->length;
    const char *last = at;
    size_t count = 0;
    for (; at < end && !is_remark(at, end); count++) {
        if (!scan_number(&at, end, &numbers[count < MOST_NUMBERS ? count : 0])) {
            return 0;
        }
        last = at;
        dj_scan_blanks(&at, end);
    }
    line->length = (size_t)(last - line->at);
    return count;
}

static void add_row(struct dj_reader *reader, struct dj_profile_row row)
{
    struct dj_dump_window *window = reader->window;
    if (window->profile_count >= DJ_PARSE_ROWS_MOST) {
        return;
    }
    if (!DJ_ARRAY_PUSH(window->profile, window->profile_count, row)) {
        reader->failed = true;
        return;
    }
    reader->rows_held++;
}

bool dj_reader_profile_row(struct dj_reader *reader, struct dj_str line)
{
    float number[MOST_NUMBERS];
    bool prepare = !reader->window->profile_lacks_prepare;
    size_t columns = prepare ? 4 : 3;
    size_t count = scan_numbers(&line, number);
    if (count == 0) {
        return false;
    }
    reader->report->rows++;
    if (count != columns) {
        dj_reader_warn(reader, "row of the simple dump with %zu columns, %zu expected",
                       count, columns);
        reader->report->rows_bad++;
    }
    /* Of too many nobody knows which is which. */
    bool cut =
        (count < columns || reader->cut) && !dj_ends_in_hundredths(line.at, line.length);
    size_t known = count > columns ? 0 : cut ? count - 1 : count;
    for (size_t i = known; i < columns; i++) {
        number[i] = -1.0F;
    }
    add_row(reader,
            prepare ? (struct dj_profile_row){number[0], number[1], number[2], number[3]}
                    : (struct dj_profile_row){number[0], -1.0F, number[1], number[2]});
    return true;
}
