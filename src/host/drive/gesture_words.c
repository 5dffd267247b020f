#include "drive/gesture_words.h"

/* Splits a plain decimal number off *rest: digits, perhaps a point. strtod would take
 * "inf" and "0x1", too, and read on behind the text. */
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

/* Splits a character off, if *rest begins with it. */
static bool skip(struct dj_str *rest, char c)
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
    *percent = skip(rest, '%');
    return read && *value <= (*percent ? 100 : 100000);
}

bool dj_word_point(struct dj_str word, struct dj_gesture_point *point)
{
    return read_coordinate(&word, &point->x, &point->x_percent) && skip(&word, ',') &&
           read_coordinate(&word, &point->y, &point->y_percent) && word.length == 0;
}

bool dj_word_times(struct dj_str word, int *times)
{
    double value;
    if (!skip(&word, 'x') || memchr(word.at, '.', word.length) != NULL ||
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
