#include "drive/gesture_reader.h"

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

bool dj_gesture_ends(const struct dj_gesture_reader *reader)
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
    while (!dj_gesture_ends(reader) &&
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
        if (quote == '\0' && (dj_gesture_ends(reader) || c == '@')) {
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
    size_t length = reader->at - begin;
    while (length > 0 && memchr(" \t\r", reader->text[begin + length - 1], 3) != NULL) {
        length--;
    }
    struct dj_error inner = {0};
    int code = dj_selector_parse(reader->text + begin, length, selector, &inner);
    if (code == DJ_E_USAGE) {
        /* Its own column, behind the gesture's. */
        const char *what = strchr(inner.message, ':');
        return dj_gesture_fail(reader, begin + (size_t)inner.offset,
                               what != NULL ? what + 2 : inner.message);
    }
    return code == 0 ? 0 : dj_error_set(reader->err, code, "%s", inner.message);
}
