#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "gfxinfo/grammar.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

enum { MOST_NUMBERS = 4 };

static bool scan_words(struct dj_str line, const char *words)
{
    while (*words != '\0') {
        words += strspn(words, "\t");
        size_t length = strcspn(words, "\t");
        dj_scan_blanks(&line);
        if (line.length < length || memcmp(line.at, words, length) != 0) {
            return false;
        }
        line = dj_str_from(line, length);
        words += length;
    }
    return line.length == 0;
}

bool dj_reader_read_profile_header(struct dj_reader *reader, struct dj_str line)
{
    if (line.at[0] != DJ_PROFILE_HEADER_4[1]) {
        return false;
    }
    bool prepare = scan_words(line, DJ_PROFILE_HEADER_4);
    if (!prepare && !scan_words(line, DJ_PROFILE_HEADER_3)) {
        return false;
    }
    /* Closes a framestats block that has no closing marker. */
    dj_reader_close_block(reader);
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

/* Returns whether the text is a comment that a person added after a row. */
static bool is_remark(struct dj_str rest)
{
    return dj_str_begins(rest, "#") || dj_str_begins(rest, "//");
}

/* Reads a number such as "12" or "0.35". Also reads "0.", which is left of a number if
 * the line was cut after the decimal point. */
static bool scan_number(struct dj_str *rest, float *number)
{
    double value;
    if (!dj_scan_decimal(rest, &value)) {
        return false;
    }
    if (!dj_scan_word(rest, ".")) {
        dj_scan_word(rest, ",");
    }
    *number = value < 1e9 ? (float)value : 1e9F;
    return rest->length == 0 || dj_scan_is_blank(rest->at[0]);
}

/* Reads decimals separated by blanks and moves `line` past them. Stores the first
 * MOST_NUMBERS and returns how many there are. Returns 0 if the line contains anything
 * else. */
static size_t scan_numbers(struct dj_str *line, float numbers[MOST_NUMBERS])
{
    struct dj_str rest = *line;
    size_t count = 0;
    line->length = 0;
    for (; rest.length > 0 && !is_remark(rest); count++) {
        if (!scan_number(&rest, &numbers[count < MOST_NUMBERS ? count : 0])) {
            return 0;
        }
        line->length = (size_t)(rest.at - line->at);
        dj_scan_blanks(&rest);
    }
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
    reader->rows_stored++;
}

bool dj_reader_read_profile_row(struct dj_reader *reader, struct dj_str line)
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
        dj_reader_warn(reader, "row of the simple dump with %zu columns: expected %zu",
                       count, columns);
        reader->report->rows_bad++;
    }
    /* If a row has too many numbers, their columns are unknown. */
    bool truncated = (count < columns || reader->truncated) &&
                     !dj_scan_ends_in_hundredths(line.at, line.length);
    size_t known = count > columns ? 0 : truncated ? count - 1 : count;
    for (size_t i = known; i < columns; i++) {
        number[i] = -1.0F;
    }
    add_row(reader,
            prepare ? (struct dj_profile_row){number[0], number[1], number[2], number[3]}
                    : (struct dj_profile_row){number[0], -1.0F, number[1], number[2]});
    return true;
}
