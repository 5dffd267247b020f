#include "drive/gesture_words.h"

bool dj_word_is(const struct dj_gesture_word *token, const char *word)
{
    return token->length == strlen(word) && memcmp(token->word, word, token->length) == 0;
}

/* A plain decimal number at `*at`: digits, perhaps a point. strtod would take "inf" and
 * "0x1", too, and read on behind the text. */
static bool read_decimal(const char **at, const char *end, double *value)
{
    const char *begin = *at;
    double scale = 1;
    bool point = false, digits = false;
    for (*value = 0; *at < end && *at - begin < 15; (*at)++) {
        char c = **at;
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
    return digits;
}

static bool rest_is(const char *at, const char *end, const char *unit)
{
    return (size_t)(end - at) == strlen(unit) && memcmp(at, unit, strlen(unit)) == 0;
}

bool dj_word_number(const struct dj_gesture_word *token, const char *unit, double *value)
{
    const char *at = token->word, *end = at + token->length;
    return read_decimal(&at, end, value) && rest_is(at, end, unit);
}

bool dj_word_duration(const struct dj_gesture_word *token, int64_t *ns)
{
    static const struct {
        const char *unit;
        double ns, most;
    } units[] = {{"ms", 1e6, 3600e3}, {"s", 1e9, 3600}};
    for (size_t i = 0; i < 2; i++) {
        double value;
        if (dj_word_number(token, units[i].unit, &value) && value <= units[i].most) {
            *ns = (int64_t)(value * units[i].ns);
            return true;
        }
    }
    return false;
}

static bool read_coordinate(const char **at, const char *end, double *value,
                            bool *percent)
{
    if (!read_decimal(at, end, value)) {
        return false;
    }
    *percent = *at < end && **at == '%';
    *at += *percent;
    return *value <= (*percent ? 100 : 100000);
}

bool dj_word_point(const struct dj_gesture_word *token, struct dj_gesture_point *point)
{
    const char *at = token->word, *end = at + token->length;
    if (!read_coordinate(&at, end, &point->x, &point->x_percent) || at == end ||
        *at++ != ',') {
        return false;
    }
    return read_coordinate(&at, end, &point->y, &point->y_percent) && at == end;
}

bool dj_word_times(const struct dj_gesture_word *token, int *times)
{
    const char *at = token->word + 1, *end = token->word + token->length;
    double value;
    if (token->length < 2 || token->word[0] != 'x' || !read_decimal(&at, end, &value) ||
        at != end || value < 1 || value > DJ_GESTURE_TIMES_MAX ||
        memchr(token->word, '.', token->length) != NULL) {
        return false;
    }
    *times = (int)value;
    return true;
}

bool dj_word_rotation(const struct dj_gesture_word *token, int *turns)
{
    static const char *const words[] = {"0", "90", "180", "270"};
    for (int i = 0; i < 4; i++) {
        if (dj_word_is(token, words[i])) {
            *turns = i;
            return true;
        }
    }
    return false;
}

bool dj_word_is_key(const struct dj_gesture_word *token)
{
    for (size_t i = 0; i < token->length; i++) {
        char c = token->word[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (c >= '0' && c <= '9') || c == '_')) {
            return false;
        }
    }
    return token->length > 0 && token->length <= 64;
}
