#include "base/str.h"

#include <strings.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool dj_str_equal(struct dj_str one, struct dj_str other)
{
    return one.length == other.length &&
           (one.length == 0 || memcmp(one.at, other.at, one.length) == 0);
}

bool dj_str_is_caseless(struct dj_str str, const char *word)
{
    return str.length == strlen(word) &&
           (str.length == 0 || strncasecmp(str.at, word, str.length) == 0);
}

size_t dj_str_count_characters(struct dj_str str)
{
    size_t count = 0;
    for (size_t i = 0; i < str.length; i++) {
        count += !dj_str_continues(str.at[i]);
    }
    return count;
}

struct dj_str dj_str_trim(struct dj_str str)
{
    while (str.length > 0 && is_blank(str.at[0])) {
        str.at++;
        str.length--;
    }
    while (str.length > 0 && is_blank(str.at[str.length - 1])) {
        str.length--;
    }
    return str;
}

bool dj_str_next_line(struct dj_str *rest, struct dj_str *line)
{
    if (rest->length == 0) {
        return false;
    }
    const char *newline = memchr(rest->at, '\n', rest->length);
    size_t length = newline != NULL ? (size_t)(newline - rest->at) : rest->length;
    size_t taken = length + (newline != NULL);
    *line = dj_str_trim((struct dj_str){rest->at, length});
    *rest = (struct dj_str){rest->at + taken, rest->length - taken};
    return true;
}

bool dj_str_after(struct dj_str str, const char *word, struct dj_str *rest)
{
    size_t length = strlen(word);
    const char *found = str.length > 0 ? memmem(str.at, str.length, word, length) : NULL;
    if (found == NULL) {
        return false;
    }
    const char *end = str.at + str.length;
    *rest = (struct dj_str){found + length, (size_t)(end - found) - length};
    return true;
}

struct dj_str dj_str_until(struct dj_str str, const char *stops)
{
    size_t length = 0;
    while (length < str.length && strchr(stops, str.at[length]) == NULL) {
        length++;
    }
    return dj_str_trim((struct dj_str){str.at, length});
}

bool dj_str_int(struct dj_str str, int64_t *value)
{
    str = dj_str_trim(str);
    bool negative = str.length > 0 && str.at[0] == '-';
    size_t at = negative ? 1 : 0, start = at;
    int64_t sum = 0;
    for (; at < str.length && str.at[at] >= '0' && str.at[at] <= '9'; at++) {
        if (at - start >= 18) {
            return false;
        }
        sum = sum * 10 + (str.at[at] - '0');
    }
    *value = negative ? -sum : sum;
    return at > start;
}

bool dj_str_double(struct dj_str str, double *value)
{
    double sum = 0, unit = 1;
    bool point = false, digits = false;
    str = dj_str_trim(str);
    bool negative = str.length > 0 && str.at[0] == '-';
    for (size_t at = negative ? 1 : 0; at < str.length && at < 40; at++) {
        char c = str.at[at];
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
