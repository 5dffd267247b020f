#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

static bool is_quote_mark(const char *at, const char *end)
{
    return *at == '>' || *at == '|' ||
           (*at == '*' && end - at > 1 && dj_scan_is_blank(at[1]));
}

/* Removes the text that surrounds a line in mails, chats and Markdown: quote marks and
 * blanks. Also removes the CR characters that old versions of adb add. */
struct dj_str dj_reader_strip(struct dj_str line)
{
    const char *at = line.at;
    const char *end = line.at + line.length;
    /* Whether the line is a row of a Markdown table, with a bar at both ends. */
    bool cell = false;
    while (at < end && (dj_scan_is_blank(*at) || *at == '\r' || is_quote_mark(at, end))) {
        cell = cell || *at == '|';
        at++;
    }
    while (end > at &&
           (dj_scan_is_blank(end[-1]) || end[-1] == '\r' || (cell && end[-1] == '|'))) {
        end--;
    }
    return dj_str_between(at, end);
}

/* Skips blanks and a number. Returns false if there is no number. */
static bool skip_number(struct dj_str *rest)
{
    struct dj_str number = *rest;
    dj_scan_blanks(&number);
    size_t digits = 0;
    while (digits < number.length && dj_gfxinfo_is_digit(number.at[digits])) {
        digits++;
    }
    *rest = digits > 0 ? dj_str_from(number, digits) : *rest;
    return digits > 0;
}

/* Returns the position after the prefix that all lines of a process section have, or NULL
 * if the line has another prefix. Numbers in the prefix, such as line numbers and times,
 * may differ from line to line. A number inside the prefix may have any number of digits,
 * but a number at its end must have the same number of digits. A line without text may
 * lack the blanks at the end of the prefix. */
static const char *find_after_prefix(const struct dj_reader *reader, struct dj_str raw)
{
    struct dj_str quote = {reader->quote, reader->quote_length};
    struct dj_str rest = raw;
    while (quote.length > 0) {
        struct dj_str number = quote;
        if (rest.length == 0) {
            dj_scan_blanks(&quote);
            return quote.length == 0 && raw.length > 0 ? rest.at : NULL;
        }
        char got = rest.at[0], quoted = quote.at[0];
        if (skip_number(&number) && number.length > 0) {
            if (!skip_number(&rest)) {
                return NULL;
            }
            quote = number;
        } else if (got == quoted ||
                   (dj_gfxinfo_is_digit(got) && dj_gfxinfo_is_digit(quoted))) {
            rest = dj_str_from(rest, 1);
            quote = dj_str_from(quote, 1);
        } else {
            return NULL;
        }
    }
    return rest.at;
}

/* Returns the line without quote marks and without the blank after each mark.
 * Indentation without a quote mark remains. */
static struct dj_str remove_marks(struct dj_str raw)
{
    const char *at = raw.at;
    const char *end = raw.at + raw.length;
    while (at < end && *at == ' ') {
        at++;
    }
    if (at == end || !is_quote_mark(at, end)) {
        return raw;
    }
    while (at < end && is_quote_mark(at, end)) {
        at++;
        at += at < end && *at == ' ';
    }
    return dj_str_between(at, end);
}

/* Returns the line without the prefix that the first line of its process section had. */
struct dj_str dj_reader_remove_quote(const struct dj_reader *reader, struct dj_str raw)
{
    const char *after = reader->quote_length > 0 ? find_after_prefix(reader, raw) : NULL;
    return after != NULL ? dj_str_between(after, raw.at + raw.length) : remove_marks(raw);
}

void dj_reader_set_quote(struct dj_reader *reader, struct dj_str raw, const char *first)
{
    size_t length = (size_t)(first - raw.at);
    if (length < DJ_READER_QUOTE) {
        memcpy(reader->quote, raw.at, length);
        reader->quote_length = length;
    }
}

/* Words that begin a process section. A log prefix may precede them. A line matches only
 * if the text after the words is of the kind `then`. */
static const struct {
    const char *word;
    /* The text that must follow `word`: '0' a digit, 'a' a character that is not blank,
     * '$' the end of the line, '9' a number and the end of the line, '*' anything. */
    char then;
    bool anywhere; /* Whether the words occur in no other text. */
} firsts[] = {
    {DJ_SERVICE, '$', true},
    {DJ_PROCESS " ", '0', true},
    {DJ_NOT_FOUND " ", 'a', true},
    {"Permission Denial: can't dump g", 'a', true},
    {"Package: ", 'a', false},
    {"UID: ", '9', false},
    {"Stats since: ", '9', false},
    {"Total frames rendered: ", '9', false},
    /* The following words begin texts of SurfaceFlinger. */
    {"SurfaceFlinger TimeStats:", '$', true},
    {"layerName =", '*', false},
    {"displayRefreshRate =", '*', false},
    {"RequestedLayerState{", '*', true},
    {"Display Frame ", '0', true},
};

enum { SURFACE_FIRSTS = 5 };

static bool is_followed_by(char then, struct dj_str rest)
{
    bool digit = rest.length > 0 && dj_gfxinfo_is_digit(rest.at[0]);
    switch (then) {
    case '9':
        if (!digit) {
            return false;
        }
        skip_number(&rest);
        dj_scan_word(&rest, "ns");
        return dj_str_trim(rest).length == 0;
    case '*':
        return true;
    case '$':
        return dj_str_trim(rest).length == 0;
    case '0':
        return digit;
    default:
        return rest.length > 0 && !dj_scan_is_blank(rest.at[0]);
    }
}

/* Returns whether the text before the position `first` is a log prefix. Words that also
 * occur in other texts are accepted only if they do not follow another word, and only
 * outside a process section that already has a prefix. */
static bool is_prefix(const struct dj_reader *reader, struct dj_str raw,
                      const char *first, bool anywhere)
{
    const char *last = first;
    while (last > raw.at && (dj_scan_is_blank(last[-1]) || last[-1] == '\r')) {
        last--;
    }
    bool word = last > raw.at && last[-1] >= 'a' && last[-1] <= 'z';
    bool within = reader->process != NULL && reader->quote_length > 0 &&
                  find_after_prefix(reader, raw) != NULL;
    return last > raw.at && (anywhere || (!word && !within));
}

const char *dj_reader_find_first(const struct dj_reader *reader, struct dj_str raw)
{
    const char *end = raw.at + raw.length;
    /* Nearly all words in the table contain ':' or '*', and so does the time of a log
     * line. This check is fast and excludes most other lines. */
    if (memchr(raw.at, ':', raw.length) == NULL &&
        memchr(raw.at, '*', raw.length) == NULL) {
        return NULL;
    }
    /* Most unknown lines are in a process. The text of a process does not contain the
     * last words of the table. */
    bool inside = reader->process != NULL && reader->expected_text != NULL;
    size_t count = COUNT_OF(firsts) - (inside ? SURFACE_FIRSTS : 0);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(firsts[i].word);
        const char *found = memmem(raw.at, raw.length, firsts[i].word, length);
        if (found != NULL && found - raw.at < DJ_READER_QUOTE &&
            is_prefix(reader, raw, found, firsts[i].anywhere) &&
            is_followed_by(firsts[i].then, dj_str_between(found + length, end))) {
            return found;
        }
    }
    return NULL;
}
