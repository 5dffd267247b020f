#include "device/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct dj_piece trimmed(struct dj_piece piece)
{
    while (piece.length > 0 && is_blank(piece.at[0])) {
        piece.at++;
        piece.length--;
    }
    while (piece.length > 0 && is_blank(piece.at[piece.length - 1])) {
        piece.length--;
    }
    return piece;
}

bool dj_piece_line(struct dj_piece *rest, struct dj_piece *line)
{
    if (rest->length == 0) {
        return false;
    }
    const char *newline = memchr(rest->at, '\n', rest->length);
    size_t length = newline != NULL ? (size_t)(newline - rest->at) : rest->length;
    size_t taken = length + (newline != NULL);
    *line = trimmed((struct dj_piece){rest->at, length});
    *rest = (struct dj_piece){rest->at + taken, rest->length - taken};
    return true;
}

bool dj_piece_is(struct dj_piece piece, const char *word)
{
    return piece.length == strlen(word) && memcmp(piece.at, word, piece.length) == 0;
}

bool dj_piece_begins(struct dj_piece piece, const char *word)
{
    size_t length = strlen(word);
    return piece.length >= length && memcmp(piece.at, word, length) == 0;
}

bool dj_piece_after(struct dj_piece piece, const char *word, struct dj_piece *rest)
{
    size_t length = strlen(word);
    const char *found =
        piece.length > 0 ? memmem(piece.at, piece.length, word, length) : NULL;
    if (found == NULL) {
        return false;
    }
    const char *end = piece.at + piece.length;
    *rest = (struct dj_piece){found + length, (size_t)(end - found) - length};
    return true;
}

struct dj_piece dj_piece_until(struct dj_piece piece, const char *stops)
{
    size_t length = 0;
    while (length < piece.length && strchr(stops, piece.at[length]) == NULL) {
        length++;
    }
    return trimmed((struct dj_piece){piece.at, length});
}

bool dj_piece_int(struct dj_piece piece, int64_t *value)
{
    piece = trimmed(piece);
    bool negative = piece.length > 0 && piece.at[0] == '-';
    size_t at = negative ? 1 : 0, start = at;
    int64_t sum = 0;
    for (; at < piece.length && piece.at[at] >= '0' && piece.at[at] <= '9'; at++) {
        if (at - start >= 18) {
            return false;
        }
        sum = sum * 10 + (piece.at[at] - '0');
    }
    *value = negative ? -sum : sum;
    return at > start;
}

/* Digits and a point only: what a device prints has no locale, and so has this. */
bool dj_piece_double(struct dj_piece piece, double *value)
{
    double sum = 0, unit = 1;
    bool point = false, digits = false;
    piece = trimmed(piece);
    bool negative = piece.length > 0 && piece.at[0] == '-';
    for (size_t at = negative ? 1 : 0; at < piece.length && at < 40; at++) {
        char c = piece.at[at];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            digits = true;
            sum = sum * 10 + (c - '0');
            unit = point ? unit * 10 : unit;
        } else {
            break;
        }
    }
    *value = (negative ? -sum : sum) / unit;
    return digits;
}

void dj_piece_copy(struct dj_piece piece, char *to, size_t capacity)
{
    struct dj_text safe = {0};
    piece = trimmed(piece);
    dj_text_escaped(&safe, piece.at, piece.length);
    size_t length = safe.length < capacity ? safe.length : capacity - 1;
    memcpy(to, dj_text_get(&safe), length);
    to[length] = '\0';
    dj_text_finish(&safe);
}
