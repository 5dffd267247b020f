#include "drive/gesture/words.h"

#include <string.h>

#include "base/utf8.h"

int dj_gesture_fail(const struct dj_gesture_reader *reader, size_t at, const char *what)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at;) {
        bool newline = reader->text[i] == '\n';
        i += dj_utf8_at(reader->text + i, reader->length - i).bytes;
        line += newline;
        column = newline ? 1 : column + 1;
    }
    return dj_error_set_at(reader->err, DJ_E_USAGE, (long long)at,
                           "gestures, line %zu, column %zu: %s", line, column, what);
}

bool dj_gesture_is_at_end(const struct dj_gesture_reader *reader)
{
    return reader->at >= reader->length ||
           memchr(";\n#", reader->text[reader->at], 3) != NULL;
}

void dj_gesture_skip_blanks(struct dj_gesture_reader *reader)
{
    while (reader->at < reader->length &&
           memchr(" \t\r", reader->text[reader->at], 3) != NULL) {
        reader->at++;
    }
}

void dj_gesture_skip_between(struct dj_gesture_reader *reader)
{
    while (reader->at < reader->length) {
        char c = reader->text[reader->at];
        if (c == '#') {
            const char *end =
                memchr(reader->text + reader->at, '\n', reader->length - reader->at);
            reader->at = end != NULL ? (size_t)(end - reader->text) : reader->length;
        } else if (memchr(" \t\r\n;", c, 5) != NULL) {
            reader->at++;
        } else {
            return;
        }
    }
}

struct dj_str dj_gesture_next_word(struct dj_gesture_reader *reader)
{
    dj_gesture_skip_blanks(reader);
    size_t begin = reader->at;
    while (!dj_gesture_is_at_end(reader) &&
           memchr(" \t\r", reader->text[reader->at], 3) == NULL) {
        reader->at++;
    }
    return (struct dj_str){reader->text + begin, reader->at - begin};
}

int dj_gesture_next_selector(struct dj_gesture_reader *reader,
                             struct dj_selector **selector)
{
    dj_gesture_skip_blanks(reader);
    size_t begin = reader->at;
    char quote = '\0';
    for (; reader->at < reader->length; reader->at++) {
        char c = reader->text[reader->at];
        if (quote == '\0' && (dj_gesture_is_at_end(reader) || c == '@')) {
            break;
        }
        if (quote != '\0' && c == '\\') {
            reader->at++;
        } else if (c == quote) {
            quote = '\0';
        } else if (quote == '\0' && (c == '"' || c == '\'')) {
            quote = c;
        }
    }
    reader->at = reader->at > reader->length ? reader->length : reader->at;
    struct dj_str words =
        dj_str_trim((struct dj_str){reader->text + begin, reader->at - begin});
    struct dj_error inner = {0};
    int code = dj_drive_selector_parse(words.at, words.length, selector, &inner);
    if (code == DJ_E_USAGE) {
        /* Use only the part of the message after the colon. The part before the colon is
         * the column in the selector, but the new message needs the column in the whole
         * text. */
        const char *what = strchr(inner.message, ':');
        return dj_gesture_fail(reader, begin + (size_t)inner.offset,
                               what != NULL ? what + 2 : inner.message);
    }
    return code == 0 ? 0 : dj_error_set(reader->err, code, "%s", inner.message);
}

/* Reads digits with at most one decimal point and removes them from *rest. strtod() is
 * not used, because it also accepts "inf" and "0x1", and reads after the end of the
 * text. */
static bool read_decimal(struct dj_str *rest, double *value)
{
    double scale = 1;
    bool point = false, digits = false;
    size_t at = 0;
    for (*value = 0; at < rest->length && at < 15; at++) {
        char c = rest->at[at];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            digits = true;
            *value = *value * 10 + (c - '0');
            scale *= point ? 10 : 1;
        } else {
            break;
        }
    }
    *value /= scale;
    *rest = (struct dj_str){rest->at + at, rest->length - at};
    return digits;
}

/* If *rest begins with the character, removes it and returns true. */
static bool skip_character(struct dj_str *rest, char c)
{
    bool begins = rest->length > 0 && rest->at[0] == c;
    *rest = (struct dj_str){rest->at + begins, rest->length - begins};
    return begins;
}

bool dj_word_number(struct dj_str word, const char *unit, double *value)
{
    return read_decimal(&word, value) && dj_str_is(word, unit);
}

bool dj_word_duration(struct dj_str word, int64_t *ns)
{
    static const struct {
        const char *unit;
        double ns, most;
    } units[] = {{"ms", 1e6, 3600e3}, {"s", 1e9, 3600}};
    for (size_t i = 0; i < 2; i++) {
        double value;
        if (dj_word_number(word, units[i].unit, &value) && value <= units[i].most) {
            *ns = (int64_t)(value * units[i].ns);
            return true;
        }
    }
    return false;
}

static bool read_coordinate(struct dj_str *rest, double *value, bool *percent)
{
    bool read = read_decimal(rest, value);
    *percent = skip_character(rest, '%');
    return read && *value <= (*percent ? 100 : 100000);
}

bool dj_word_point(struct dj_str word, struct dj_gesture_point *point)
{
    return read_coordinate(&word, &point->x, &point->x_percent) &&
           skip_character(&word, ',') &&
           read_coordinate(&word, &point->y, &point->y_percent) && word.length == 0;
}

bool dj_word_times(struct dj_str word, int *times)
{
    double value;
    if (!skip_character(&word, 'x') || memchr(word.at, '.', word.length) != NULL ||
        !read_decimal(&word, &value) || word.length > 0 || value < 1 ||
        value > DJ_GESTURE_TIMES_MAX) {
        return false;
    }
    *times = (int)value;
    return true;
}

bool dj_word_rotation(struct dj_str word, int *turns)
{
    static const char *const words[] = {"0", "90", "180", "270"};
    for (int i = 0; i < 4; i++) {
        if (dj_str_is(word, words[i])) {
            *turns = i;
            return true;
        }
    }
    return false;
}

bool dj_word_is_key(struct dj_str word)
{
    for (size_t i = 0; i < word.length; i++) {
        char c = word.at[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (c >= '0' && c <= '9') || c == '_')) {
            return false;
        }
    }
    return word.length > 0 && word.length <= 64;
}
