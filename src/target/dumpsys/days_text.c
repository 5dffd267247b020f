/* Writes and reads the state file (docs/format/state.md). An example:
 *
 *   dejank graphicsstats 1
 *   day 20778 1000 11
 *   package com.x
 *   version 12
 *   times 1795253284123 1795253290456 81236450123
 *   counters 120 3 0 1 …
 *   frames 0:100 12:20
 *   gpu
 *   merged 4711 81236 81236450123 1795253284123456789
 *   end */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dumpsys/days.h"

enum { LINE_MAX_BYTES = 16384, NUMBERS_MAX = DJ_COUNTER_COUNT };

static const char title[] = "dejank graphicsstats ";
static const char end_line[] = "end";

#define STATE_VERSION 1

static void write_name(struct dj_text *text, const char *word, const char *name)
{
    dj_text_format(text, "%s ", word);
    for (; *name != '\0'; name++) {
        unsigned char c = (unsigned char)*name;
        if (c <= ' ' || c == '\\' || c == 0x7f) {
            dj_text_format(text, "\\x%02x", c);
        } else {
            dj_text_append(text, name, 1);
        }
    }
    dj_text_add(text, "\n");
}

static void write_buckets(struct dj_text *text, const char *word, const uint32_t *buckets,
                          size_t count)
{
    dj_text_add(text, word);
    for (size_t i = 0; i < count; i++) {
        if (buckets[i] != 0) {
            dj_text_format(text, " %zu:%u", i, buckets[i]);
        }
    }
    dj_text_add(text, "\n");
}

static void write_entry(struct dj_text *text, const struct dj_days_entry *entry)
{
    dj_text_format(text, "day %lld %u %s\n", (long long)entry->day, entry->uid,
                   entry->dialect->name);
    write_name(text, "package", entry->package);
    write_name(text, "version", entry->version);
    dj_text_format(text, "times %lld %lld %lld\ncounters", (long long)entry->start_ms,
                   (long long)entry->end_ms, (long long)entry->stats.since_ns);
    for (size_t i = 0; i < DJ_COUNTER_COUNT; i++) {
        dj_text_format(text, " %u", entry->stats.counter[i]);
    }
    dj_text_add(text, "\n");
    write_buckets(text, "frames", entry->stats.frame_histogram, DJ_FRAME_BUCKETS);
    write_buckets(text, "gpu", entry->stats.gpu_histogram, DJ_GPU_BUCKETS);
    for (size_t i = 0; i < entry->merged_count; i++) {
        const struct dj_days_segment *segment = &entry->merged[i];
        dj_text_format(text, "merged %lld %llu %lld %lld\n", (long long)segment->pid,
                       (unsigned long long)segment->start_ticks,
                       (long long)segment->created_ns,
                       (long long)segment->created_wall_ns);
    }
}

void dj_days_write(const struct dj_days *days, struct dj_text *text)
{
    dj_text_format(text, "%s%d\n", title, STATE_VERSION);
    for (size_t i = 0; i < days->count; i++) {
        write_entry(text, &days->entries[i]);
    }
    dj_text_format(text, "%s\n", end_line);
}

struct parser {
    struct dj_days *days;
    struct dj_days_entry *entry; /* The entry that is being read, or NULL before the
                                  * first entry. */
    size_t line;                 /* Number of the line that is being read. The first
                                  * line is 1. */
    bool ended;
    struct dj_error *err;
};

static bool fail(const struct parser *parser, const char *expected)
{
    dj_error_set(parser->err, DJ_E_INVALID, "line %zu: expected %s", parser->line,
                 expected);
    return false;
}

static bool read_number(char **at, long long *number)
{
    char *end;
    errno = 0;
    *number = strtoll(*at, &end, 10);
    if (end == *at || errno != 0) {
        return false;
    }
    *at = end;
    return true;
}

/* Reads exactly `count` numbers, separated by blanks. */
static bool read_numbers(const struct parser *parser, char *at, long long *numbers,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!read_number(&at, &numbers[i])) {
            return fail(parser, "another number in this line");
        }
    }
    return *at == '\0' || fail(parser, "the end of the line");
}

static bool read_name(const struct parser *parser, const char *at, char *name,
                      size_t size)
{
    size_t length = 0;
    for (; *at != '\0'; at++) {
        unsigned c = (unsigned char)*at;
        if (c == '\\') {
            char digits[3] = {0};
            char *end = digits;
            if (at[1] == 'x' && at[2] != '\0') {
                memcpy(digits, at + 2, 2);
                c = (unsigned)strtoul(digits, &end, 16);
            }
            if (end != digits + 2 || c == 0) {
                return fail(parser, "two hexadecimal digits after \\x");
            }
            at += 3;
        }
        if (length + 1 >= size) {
            return fail(parser, "a shorter name");
        }
        name[length++] = (char)c;
    }
    name[length] = '\0';
    return true;
}

static bool read_day(struct parser *parser, char *rest)
{
    char *at = rest;
    long long day;
    long long uid;
    if (!read_number(&at, &day) || !read_number(&at, &uid) || uid < 0 ||
        uid > UINT32_MAX || *at != ' ') {
        return fail(parser, "a day, a user id and a release");
    }
    const struct dj_dialect *dialect = dj_frame_dialect_find(at + 1);
    if (dialect == NULL) {
        return fail(parser, "the name of a known release");
    }
    parser->entry = dj_days_append(parser->days, parser->err);
    if (parser->entry == NULL) {
        return false;
    }
    parser->entry->day = day;
    parser->entry->uid = (unsigned)uid;
    parser->entry->dialect = dialect;
    return true;
}

static bool read_package(struct parser *parser, char *rest)
{
    return read_name(parser, rest, parser->entry->package,
                     sizeof(parser->entry->package));
}

static bool read_version(struct parser *parser, char *rest)
{
    return read_name(parser, rest, parser->entry->version,
                     sizeof(parser->entry->version));
}

static bool read_times(struct parser *parser, char *rest)
{
    long long numbers[3];
    if (!read_numbers(parser, rest, numbers, 3)) {
        return false;
    }
    parser->entry->start_ms = numbers[0];
    parser->entry->end_ms = numbers[1];
    parser->entry->stats.since_ns = numbers[2];
    return true;
}

static bool read_counters(struct parser *parser, char *rest)
{
    long long numbers[DJ_COUNTER_COUNT];
    if (!read_numbers(parser, rest, numbers, DJ_COUNTER_COUNT)) {
        return false;
    }
    for (size_t i = 0; i < DJ_COUNTER_COUNT; i++) {
        if (numbers[i] < 0 || numbers[i] > UINT32_MAX) {
            return fail(parser, "counters below 2^32");
        }
        parser->entry->stats.counter[i] = (uint32_t)numbers[i];
    }
    return true;
}

static bool read_buckets(const struct parser *parser, char *at, uint32_t *buckets,
                         size_t count)
{
    while (*at != '\0') {
        long long bucket;
        long long frames;
        bool pair = read_number(&at, &bucket) && *at++ == ':' &&
                    read_number(&at, &frames) && bucket >= 0 &&
                    bucket < (long long)count && frames >= 0 && frames <= UINT32_MAX;
        if (!pair) {
            return fail(parser, "pairs BUCKET:FRAMES with known buckets");
        }
        buckets[bucket] = (uint32_t)frames;
    }
    return true;
}

static bool read_frames(struct parser *parser, char *rest)
{
    return read_buckets(parser, rest, parser->entry->stats.frame_histogram,
                        DJ_FRAME_BUCKETS);
}

static bool read_gpu(struct parser *parser, char *rest)
{
    return read_buckets(parser, rest, parser->entry->stats.gpu_histogram, DJ_GPU_BUCKETS);
}

static bool read_merged(struct parser *parser, char *rest)
{
    long long numbers[4];
    if (!read_numbers(parser, rest, numbers, 4)) {
        return false;
    }
    const struct dj_days_segment segment = {numbers[0], (uint64_t)numbers[1], numbers[2],
                                            numbers[3]};
    return dj_days_add_merged(parser->days, parser->entry, &segment, parser->err) == 0;
}

static const struct {
    const char *word;
    bool (*read)(struct parser *parser, char *rest);
} words[] = {
    {"day", read_day},     {"package", read_package},   {"version", read_version},
    {"times", read_times}, {"counters", read_counters}, {"frames", read_frames},
    {"gpu", read_gpu},     {"merged", read_merged},
};

static bool read_line(struct parser *parser, char *line)
{
    if (parser->ended) {
        return fail(parser, "nothing after the line \"end\"");
    }
    if (strcmp(line, end_line) == 0) {
        parser->ended = true;
        return true;
    }
    size_t length = strcspn(line, " ");
    char *rest = line + length + (line[length] == ' ');
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strlen(words[i].word) == length && memcmp(words[i].word, line, length) == 0) {
            return parser->entry == NULL && words[i].read != read_day
                       ? fail(parser, "\"day\"")
                       : words[i].read(parser, rest);
        }
    }
    return fail(parser, "a keyword of this format, such as \"day\"");
}

static bool read_title(struct parser *parser, const char *line)
{
    size_t length = sizeof(title) - 1;
    if (strncmp(line, title, length) != 0) {
        return fail(parser, "\"dejank graphicsstats 1\"");
    }
    if (strcmp(line + length, "1") != 0) {
        dj_error_set(parser->err, DJ_E_VERSION,
                     "line 1: expected version %d, found version %.20s", STATE_VERSION,
                     line + length);
        return false;
    }
    return true;
}

/* Reads all lines. Each line is copied, because numbers are parsed from strings with a
 * NUL, and the input must not change. */
static bool read_lines(struct parser *parser, const char *bytes, size_t length)
{
    char line[LINE_MAX_BYTES];
    for (size_t at = 0; at < length;) {
        const char *newline = memchr(bytes + at, '\n', length - at);
        size_t line_bytes =
            newline != NULL ? (size_t)(newline - (bytes + at)) : length - at;
        parser->line++;
        if (newline == NULL) {
            return fail(parser, "a newline at the end of the line");
        }
        if (line_bytes >= sizeof(line) || memchr(bytes + at, '\0', line_bytes) != NULL) {
            return fail(parser, "a line of text under 16 KiB");
        }
        memcpy(line, bytes + at, line_bytes);
        line[line_bytes] = '\0';
        if (!(parser->line == 1 ? read_title(parser, line) : read_line(parser, line))) {
            return false;
        }
        at += line_bytes + 1;
    }
    return true;
}

int dj_days_read(const char *bytes, size_t length, struct dj_days *days,
                 struct dj_error *err)
{
    struct dj_error unwanted = {0};
    struct parser parser = {.days = days, .err = err != NULL ? err : &unwanted};
    bool read = read_lines(&parser, bytes, length);
    if (read && !parser.ended) {
        read = false;
        dj_error_set(parser.err, DJ_E_TRUNCATED,
                     "line %zu: the file ends here: "
                     "expected \"end\"",
                     parser.line);
    }
    if (!read) {
        dj_days_finish(days);
        return parser.err->code;
    }
    return 0;
}
