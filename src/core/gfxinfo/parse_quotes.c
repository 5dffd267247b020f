#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/reader.h"
#include "gfxinfo/scan.h"

static bool is_quote_mark(const char *at, const char *end)
{
    return *at == '>' || *at == '|' || (*at == '*' && end - at > 1 && dj_is_blank(at[1]));
}

/* Quotes and indentation of mails, chats and Markdown, and the CRs of old adb and of
 * pasted text. */
struct dj_str dj_reader_strip(struct dj_str line)
{
    const char *at = line.at;
    const char *end = line.at + line.length;
    bool cell = false; /* of a Markdown table: a bar on either side */
    while (at < end && (dj_is_blank(*at) || *at == '\r' || is_quote_mark(at, end))) {
        cell = cell || *at == '|';
        at++;
    }
    while (end > at &&
           (dj_is_blank(end[-1]) || end[-1] == '\r' || (cell && end[-1] == '|'))) {
        end--;
    }
    return (struct dj_str){at, (size_t)(end - at)};
}

static void skip_digits(const char **at, const char *end)
{
    while (*at < end && dj_is_digit(**at)) {
        (*at)++;
    }
}

/* A number with the blanks that bring it to its width; false where there is none. */
static bool skip_number(const char **at, const char *end)
{
    const char *digits = *at;
    dj_scan_blanks(&digits, end);
    const char *after = digits;
    skip_digits(&after, end);
    *at = after > digits ? after : *at;
    return after > digits;
}

/* Where a line goes on behind what stands before every line; NULL: it begins otherwise.
 * Numbers differ, of lines and of times, and are of any width where something follows
 * them; blanks at the end are missing where nothing follows. */
static const char *behind_quote(const struct dj_reader *reader, struct dj_str raw)
{
    const char *quote = reader->quote;
    const char *quote_end = quote + reader->quote_length;
    const char *at = raw.at;
    const char *end = raw.at + raw.length;
    while (quote < quote_end) {
        const char *number = quote;
        if (at == end) {
            dj_scan_blanks(&quote, quote_end);
            return quote == quote_end && raw.length > 0 ? end : NULL;
        }
        if (skip_number(&number, quote_end) && number < quote_end) {
            if (!skip_number(&at, end)) {
                return NULL;
            }
            quote = number;
        } else if (*at == *quote || (dj_is_digit(*at) && dj_is_digit(*quote))) {
            at++;
            quote++;
        } else {
            return NULL;
        }
    }
    return at;
}

/* The line without the marks of a quote, each with the blank behind it; what is indented
 * alone stays so. */
static struct dj_str without_marks(struct dj_str raw)
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
    return (struct dj_str){at, (size_t)(end - at)};
}

/* The line without what stood before its section's first line. */
struct dj_str dj_reader_without_quote(const struct dj_reader *reader, struct dj_str raw)
{
    const char *behind = reader->quote_length > 0 ? behind_quote(reader, raw) : NULL;
    if (behind == NULL) {
        return without_marks(raw);
    }
    return (struct dj_str){behind, (size_t)(raw.at + raw.length - behind)};
}

void dj_reader_set_quote(struct dj_reader *reader, struct dj_str raw, const char *first)
{
    size_t length = (size_t)(first - raw.at);
    if (length < DJ_READER_QUOTE) {
        memcpy(reader->quote, raw.at, length);
        reader->quote_length = length;
    }
}

/* Lines that a log's prefix may stand before, and what must follow the words: a digit, a
 * letter, the line's end. */
static const struct {
    const char *word;
    char then;     /* '0', 'a' or '$'; '9': a number, and then the line's end */
    bool anywhere; /* nothing else has these words */
} firsts[] = {
    {DJ_SERVICE, '$', true},       {DJ_PROCESS " ", '0', true},
    {DJ_NOT_FOUND " ", 'a', true}, {"Permission Denial: can't dump g", 'a', true},
    {"Package: ", 'a', false},     {"UID: ", '9', false},
    {"Stats since: ", '9', false}, {"Total frames rendered: ", '9', false},
};

static bool follows(char then, const char *at, const char *end)
{
    bool digit = at < end && dj_is_digit(*at);
    while (then == '9' && at < end && dj_is_digit(*at)) {
        at++;
    }
    if (then == '9') {
        dj_scan_word(&at, end, "ns");
    }
    while ((then == '9' || then == '$') && at < end &&
           (dj_is_blank(*at) || *at == '\r')) {
        at++;
    }
    switch (then) {
    case '$':
        return at == end;
    case '9':
        return digit && at == end;
    case '0':
        return digit;
    default:
        return at < end && !dj_is_blank(*at);
    }
}

/* Words that stand in other texts, too, are no first line behind other words, nor where
 * the lines of the section have their own prefix. */
static bool is_prefix(const struct dj_reader *reader, struct dj_str raw,
                      const char *first, bool anywhere)
{
    const char *last = first;
    while (last > raw.at && (dj_is_blank(last[-1]) || last[-1] == '\r')) {
        last--;
    }
    bool word = last > raw.at && last[-1] >= 'a' && last[-1] <= 'z';
    bool within = reader->process != NULL && reader->quote_length > 0 &&
                  behind_quote(reader, raw) != NULL;
    return last > raw.at && (anywhere || (!word && !within));
}

const char *dj_reader_find_first(const struct dj_reader *reader, struct dj_str raw)
{
    const char *end = raw.at + raw.length;
    /* Each of the words has one of these; few other lines do. */
    if (memchr(raw.at, ':', raw.length) == NULL &&
        memchr(raw.at, '*', raw.length) == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < COUNT_OF(firsts); i++) {
        size_t length = strlen(firsts[i].word);
        const char *found = memmem(raw.at, raw.length, firsts[i].word, length);
        if (found != NULL && found - raw.at < DJ_READER_QUOTE &&
            is_prefix(reader, raw, found, firsts[i].anywhere) &&
            follows(firsts[i].then, found + length, end)) {
            return found;
        }
    }
    return NULL;
}
