#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

/* A Davey line such as "11-20 10:00:00.123 1234 1260 I OpenGLRenderer: Davey!
 * duration=812ms; Flags=0, IntendedVsync=123, …, " is longer than any terminal is wide,
 * so it may be wrapped. The first part of a wrapped line is buffered until the next line
 * shows whether the Davey line continues. */

#define DAVEY "Davey!"
#define DURATION "duration="

enum {
    MOST_WORDS = 16,
    LEAST_WORD = 16,
    MOST_WORD = 48 /* Maximum length of a name with "=" and a number. */
};

/* Reads a process id. Returns false unless the word or a character of `ends` follows the
 * digits. */
static bool read_pid(struct dj_str word, const char *ends, int64_t *pid)
{
    return dj_scan_count(&word, pid) &&
           (word.length == 0 || strchr(ends, word.at[0]) != NULL);
}

static bool is_level(struct dj_str word)
{
    return word.length == 1 && memchr("VDIWEFS", word.at[0], 7) != NULL;
}

static size_t split_words(struct dj_str line, struct dj_str *words)
{
    size_t count = 0;
    while (count < MOST_WORDS && (words[count] = dj_scan_until_blank(&line)).length > 0) {
        count++;
    }
    return count;
}

/* Reads the process id of logcat -v brief or -v thread, which is in brackets:
 * "I/OpenGLRenderer( 1234): " or "I( 1234: 1260) ". */
static bool read_pid_in_brackets(struct dj_str line, int64_t *pid)
{
    if (!dj_str_after(line, "(", &line)) {
        return false;
    }
    dj_scan_blanks(&line);
    return read_pid(line, "):", pid);
}

/* Returns the process id in the log prefix of a line, or −1. In logcat -v threadtime and
 * -v uid, the process and thread ids precede the letter of the log level. Android Studio
 * joins the ids to one word, "1234-1260" or "1234-1260/com.x". The first word is never
 * an id, because it is a date. */
static int64_t find_pid(struct dj_str line)
{
    struct dj_str words[MOST_WORDS];
    size_t count = split_words(line, words);
    int64_t pid;
    int64_t tid;
    for (size_t i = 2; i < count; i++) {
        if (is_level(words[i]) && read_pid(words[i - 2], "", &pid) &&
            read_pid(words[i - 1], "", &tid)) {
            return pid;
        }
    }
    for (size_t i = 1; i < count; i++) {
        if (memchr(words[i].at, '-', words[i].length) != NULL &&
            read_pid(words[i], "-", &pid)) {
            return pid;
        }
    }
    return read_pid_in_brackets(line, &pid) ? pid : -1;
}

/* Returns whether a release may print this column as the last one, without a comma after
 * it. */
static bool may_be_last(enum dj_column column)
{
    return column >= DJ_COLUMN_FRAME_COMPLETED;
}

static bool is_separator(char c)
{
    return dj_scan_is_blank(c) || c == ',' || c == ';';
}

static bool is_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!dj_scan_is_letter(name[i]) && !dj_gfxinfo_is_digit(name[i]) &&
            name[i] != '_') {
            return false;
        }
    }
    return length > 0 && length < MOST_WORD;
}

static bool has_other_number(const struct dj_davey *davey, const char *name,
                             size_t length)
{
    for (size_t i = 0; i < davey->other_count; i++) {
        if (strlen(davey->others[i].name) == length &&
            memcmp(davey->others[i].name, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Stores a number with a name that no known release has. Each name is stored once. */
static void add_other_number(struct dj_reader *reader, struct dj_davey *davey,
                             const char *name, size_t length, int64_t value)
{
    if (!is_name(name, length) || has_other_number(davey, name, length) ||
        davey->other_count >= DJ_PARSE_DAVEY_COLUMNS) {
        return;
    }
    char *copy = dj_text_copy(name, length);
    if (copy == NULL || !DJ_ARRAY_PUSH(davey->others, davey->other_count,
                                       (struct dj_davey_other){copy, value})) {
        free(copy);
        reader->failed = true;
    }
}

/* Parses "Flags=0, IntendedVsync=123, …". If the line is truncated, ignores its last
 * number, which may be incomplete, and returns false. */
static bool read_pairs(struct dj_reader *reader, struct dj_str pairs,
                       struct dj_davey *davey)
{
    struct dj_frame *frame = &davey->frame;
    const char *at = pairs.at;
    const char *end = pairs.at + pairs.length;
    bool whole = true;
    while (at < end) {
        while (at < end && is_separator(*at)) {
            at++;
        }
        const char *equals = memchr(at, '=', (size_t)(end - at));
        if (equals == NULL) {
            return whole && at == end;
        }
        for (const char *name = at; name < equals; name++) {
            at = is_separator(*name) ? name + 1 : at; /* Skip words without a number. */
        }
        const char *after = equals + 1;
        enum dj_column column;
        int64_t value = 0;
        bool known = dj_frame_column_find(at, (size_t)(equals - at), &column);
        bool number = dj_scan_int64(&after, end, &value);
        bool ended = after < end ? is_separator(*after) : known && may_be_last(column);
        if (known && number && ended) {
            dj_frame_set(frame, column, value);
        } else if (number && ended) {
            add_other_number(reader, davey, at, (size_t)(equals - at), value);
        }
        whole = number && ended;
        const char *comma = memchr(equals, ',', (size_t)(end - equals));
        at = comma != NULL ? comma : end;
    }
    return whole;
}

static void warn(struct dj_reader *reader, const char *message)
{
    dj_reader_warn_at(reader, reader->davey_place, "%s", message);
}

static void add_davey(struct dj_reader *reader, int64_t pid, int64_t duration_ms,
                      struct dj_str pairs)
{
    if (reader->dump->davey_count >= DJ_READER_ENTRIES && reader->process == NULL &&
        reader->entry == NULL) {
        dj_reader_emit_partial_dump(reader);
    }
    if (reader->dump->davey_count >= DJ_READER_ENTRIES) {
        warn(reader, "too many Davey lines in one dump: ignored this one");
        return;
    }
    struct dj_davey *davey = dj_gfxinfo_dump_add_davey(reader->dump);
    if (davey == NULL) {
        reader->failed = true;
        return;
    }
    reader->seen = true;
    davey->line = reader->davey_place.line;
    davey->duration_ms = duration_ms;
    davey->pid = pid;
    if (!read_pairs(reader, pairs, davey)) {
        warn(reader, "truncated Davey line: ignored its last number");
    }
    if (dj_reader_frame_is_swapped(&davey->frame)) {
        dj_reader_swap_frame(&davey->frame);
    }
}

static void read_buffered(struct dj_reader *reader)
{
    struct dj_str rest = dj_text_str(&reader->davey);
    const char *start = rest.at;
    dj_str_after(rest, DAVEY, &rest);
    struct dj_str before = dj_str_between(start, rest.at - strlen(DAVEY));
    int64_t duration_ms;
    dj_scan_blanks(&rest);
    if (!dj_scan_word(&rest, DURATION) || !dj_scan_count(&rest, &duration_ms) ||
        !dj_scan_word(&rest, "ms")) {
        warn(reader, "expected a number of ms after \"" DAVEY " " DURATION "\"");
        return;
    }
    add_davey(reader, find_pid(before), duration_ms, rest);
}

void dj_reader_close_davey(struct dj_reader *reader)
{
    if (reader->davey.length > 0 && !reader->failed) {
        read_buffered(reader);
    }
    dj_text_clear(&reader->davey);
}

/* Returns whether the line consists only of characters that occur in names, numbers and
 * separators. */
static bool is_pairs(struct dj_str line)
{
    for (size_t i = 0; i < line.length; i++) {
        char c = line.at[i];
        if (!dj_scan_is_letter(c) && !dj_gfxinfo_is_digit(c) &&
            memchr("=,;- ", c, 5) == NULL) {
            return false;
        }
    }
    return true;
}

/* Returns whether the line continues the buffered line. Either it contains a comma, or
 * it is one word that is long enough to be a name and number without a comma. */
static bool continues_pairs(struct dj_str line)
{
    bool comma = memchr(line.at, ',', line.length) != NULL;
    bool blank = memchr(line.at, ' ', line.length) != NULL;
    return is_pairs(line) &&
           (comma || (!blank && line.length >= LEAST_WORD && line.length < MOST_WORD));
}

bool dj_reader_continue_davey(struct dj_reader *reader, struct dj_str line)
{
    if (reader->davey.length == 0) {
        return false;
    }
    if (!continues_pairs(line) ||
        reader->davey.length + line.length > DJ_READER_BUFFER_BYTES) {
        dj_reader_close_davey(reader);
        return false;
    }
    dj_reader_append(reader, &reader->davey, line);
    return true;
}

/* Returns whether the line contains "Davey!" and then "duration=". A line that is
 * truncated or wrapped between the two also counts. */
static bool begins_davey(struct dj_str line)
{
    static const char first[] = DAVEY " " DURATION;
    /* This fast check excludes most lines of a text. */
    const char *found = memchr(line.at, '!', line.length) != NULL
                            ? memmem(line.at, line.length, DAVEY, strlen(DAVEY))
                            : NULL;
    if (found == NULL) {
        return false;
    }
    size_t rest = (size_t)(line.at + line.length - found);
    size_t length = strlen(first);
    return memcmp(found, first, rest < length ? rest : length) == 0;
}

bool dj_reader_read_davey(struct dj_reader *reader, struct dj_str line)
{
    if (!begins_davey(line) || memchr(line.at, '\0', line.length) != NULL) {
        return false;
    }
    dj_reader_close_davey(reader);
    reader->davey_place = dj_reader_get_place(reader);
    line.length =
        line.length < DJ_READER_BUFFER_BYTES ? line.length : DJ_READER_BUFFER_BYTES;
    dj_reader_append(reader, &reader->davey, line);
    return true;
}
