#include "input/repair.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "gfxinfo/grammar.h"
#include "gfxinfo/lines.h"
#include "memory/memory.h"

enum {
    AHEAD = 128, /* A repair looks at most this many bytes ahead. */
    ESCAPE = 0x1B
};

/* Words with which a line of gfxinfo begins. The lines of statistics are in
 * gfxinfo/lines.h. */
static const char *const beginnings[] = {
    DJ_SERVICE,
    DJ_UPTIME,
    DJ_PROCESS,
    DJ_PIPELINE,
    DJ_PROFILE,
    DJ_WINDOW,
    DJ_MARKER,
    DJ_HIERARCHY,
    "Total ViewRootImpl",
    "Total attached Views",
    "Total RenderNode",
};
static const char *const ends[] = {DJ_PROFILE,       DJ_MARKER,        DJ_HIERARCHY,
                                   "(visibility=0)", "(visibility=4)", "(visibility=8)"};

static bool starts_with(const char *at, size_t left, const char *word)
{
    size_t length = strlen(word);
    return left >= length && memcmp(at, word, length) == 0;
}

/* Returns the length of the first of `words` with which the text at `at` begins, or 0. */
static size_t match_word(const char *at, size_t left, const char *const *words,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (starts_with(at, left, words[i])) {
            return strlen(words[i]);
        }
    }
    return 0;
}

/* If the text at `at` begins like a line of gfxinfo, returns the length of the words that
 * show this. Otherwise returns 0. */
static size_t match_beginning(const char *at, size_t left)
{
    if (left == 0 || memchr("AU*PW-VTSJN59HG", at[0], 15) == NULL) {
        return 0;
    }
    size_t length = match_word(at, left, beginnings, COUNT_OF(beginnings));
    for (size_t i = 0; i < DJ_LINE_COUNT && length == 0; i++) {
        length = match_word(at, left, &dj_gfxinfo_line_at(i)->prefix, 1);
    }
    return length;
}

/* Returns how many of the next bytes are in `accepted`, up to the first byte that is
 * not. */
static size_t count_accepted(const char *at, size_t left, const char *accepted)
{
    size_t i = 0;
    while (i < left && memchr(accepted, at[i], strlen(accepted)) != NULL) {
        i++;
    }
    return i;
}

struct marks {
    size_t beginnings, escaped_ends, cr, lf, escapes;
};

static struct marks count_marks(const char *bytes, size_t length)
{
    struct marks marks = {0};
    for (size_t i = 0; i < length;) {
        size_t beginning = match_beginning(bytes + i, length - i);
        marks.beginnings += beginning > 0;
        marks.escaped_ends += starts_with(bytes + i, length - i, "\\n");
        marks.cr += bytes[i] == '\r';
        marks.lf += bytes[i] == '\n' && i + 1 < length;
        marks.escapes += bytes[i] == ESCAPE;
        i += beginning > 0 ? beginning : 1;
    }
    return marks;
}

static bool begins_as_json(const char *bytes, size_t length)
{
    size_t at = count_accepted(bytes, length, " \t\r\n");
    return count_accepted(bytes + at, length - at, "\"{[") > 0;
}

/* Returns the length of "'" or "b'" at the beginning of the text, or 0. Python's repr()
 * of a string or bytes object begins with these characters. */
static size_t get_python_quote_length(const char *bytes, size_t length)
{
    size_t letter = length > 0 && bytes[0] == 'b';
    return length > letter && (bytes[letter] == '\'' || bytes[letter] == '"') ? letter + 1
                                                                              : 0;
}

unsigned dj_repair_find_faults(const char *bytes, size_t length)
{
    struct marks marks = count_marks(bytes, length);
    bool json = begins_as_json(bytes, length);
    unsigned faults = marks.escapes > 0 ? DJ_FAULT_COLORS : 0;
    if (marks.cr > 0 && marks.lf == 0 && (length == 0 || bytes[length - 1] != '\n')) {
        return faults | DJ_FAULT_CR;
    }
    bool dump = marks.beginnings > 0 || (length > 0 && bytes[0] == '"');
    if (dump && marks.escaped_ends > 1 && (json || marks.lf == 0)) {
        return faults | DJ_FAULT_ESCAPED | (json ? DJ_FAULT_QUOTED : 0);
    }
    bool joined = marks.beginnings > 1 && marks.lf + marks.cr == 0 && !json;
    return faults | (joined ? DJ_FAULT_JOINED : 0);
}

struct repair {
    unsigned faults;
    bool begun;
    bool in_rows;  /* True between two markers of a dump without line ends. */
    bool in_names; /* True in the header of rows of a dump without line ends. */
    size_t names, fields;
    bool field_begins;
};

/* The replacement of the next bytes. */
struct piece {
    size_t consumed;
    char text[AHEAD + 2];
    size_t length;
};

static void append_bytes(struct piece *piece, const char *bytes, size_t length)
{
    memcpy(piece->text + piece->length, bytes, length);
    piece->length += length;
}

/* Returns the length of a code that sets a colour ("ESC [ 1 ; 31 m") or erases to the end
 * of the line ("ESC [ K", which grep adds). Returns 0 for other codes, which stay in the
 * text. */
static size_t get_color_length(const char *at, size_t left)
{
    size_t most = left < AHEAD ? left : AHEAD;
    if (left < 3 || at[0] != ESCAPE || at[1] != '[') {
        return 0;
    }
    size_t i = 2 + count_accepted(at + 2, most - 2, "0123456789;:");
    return i < most && (at[i] == 'm' || at[i] == 'K') ? i + 1 : 0;
}

/* Returns the value of four hexadecimal digits, or −1. */
static long read_hex_unit(const char *at, size_t left)
{
    char digits[5] = "";
    if (left < 4 || count_accepted(at, 4, "0123456789abcdefABCDEF") < 4) {
        return -1;
    }
    memcpy(digits, at, 4);
    return strtol(digits, NULL, 16);
}

/* Decodes "\u00e9", or two such escapes that are a surrogate pair. */
static void append_unicode(struct piece *piece, const char *at, size_t left)
{
    long code = read_hex_unit(at + 2, left - 2);
    piece->consumed = 6;
    if (code >= 0xD800 && code < 0xDC00 &&
        starts_with(at + 6, left > 6 ? left - 6 : 0, "\\u")) {
        long low = read_hex_unit(at + 8, left - 8);
        if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            piece->consumed = 12;
        }
    }
    bool half = code >= 0xD800 && code < 0xE000;
    piece->length = dj_utf8_write(piece->text, half ? 0xFFFD : (uint32_t)code);
}

static void unescape(const char *at, size_t left, struct piece *piece)
{
    static const char names[] = "nrt\"'\\/";
    static const char values[] = "\n\r\t\"'\\/";
    const char *name = left > 1 && at[1] != '\0' ? strchr(names, at[1]) : NULL;
    if (name != NULL) {
        piece->consumed = 2;
        append_bytes(piece, &values[name - names], 1);
    } else if (left >= 6 && at[1] == 'u' && read_hex_unit(at + 2, left - 2) >= 0) {
        append_unicode(piece, at, left);
    } else {
        piece->consumed = 1;
        append_bytes(piece, at, 1);
    }
}

/* Returns whether the quotation mark at `at` ends the string at the end of a JSON
 * text. */
static bool is_last_quote(const char *at, size_t left)
{
    return left < AHEAD && count_accepted(at, left, " \t\r\n]}\"") == left;
}

/* Appends the next byte of a row of numbers, and a line end before it if a new row
 * begins. The fields of each row are counted, because a row has as many fields as its
 * header has names. */
static void split_row(struct repair *repair, const char *at, struct piece *piece)
{
    bool number = (at[0] >= '0' && at[0] <= '9') || at[0] == '-';
    bool row_ends = repair->in_names ? number
                                     : repair->names > 0 && at[0] != ' ' &&
                                           repair->fields == repair->names;
    if (repair->field_begins && row_ends) {
        repair->in_names = false;
        repair->fields = 0;
        append_bytes(piece, "\n", 1);
    }
    repair->field_begins = at[0] == ',' || (repair->field_begins && at[0] == ' ');
    repair->names += repair->in_names && at[0] == ',';
    repair->fields += at[0] == ',';
    piece->consumed = 1;
    append_bytes(piece, at, 1);
}

static void toggle_rows(struct repair *repair)
{
    repair->in_rows = repair->in_names = !repair->in_rows;
    repair->names = 0;
    repair->fields = 0;
    repair->field_begins = true;
}

static void split_dump(struct repair *repair, const char *at, size_t left,
                       struct piece *piece)
{
    size_t beginning = match_beginning(at, left);
    size_t end = match_word(at, left, ends, COUNT_OF(ends));
    if (beginning > 0) {
        append_bytes(piece, "\n", 1);
    }
    if (starts_with(at, left, DJ_MARKER)) {
        toggle_rows(repair);
    } else if (repair->in_rows && beginning + end == 0) {
        split_row(repair, at, piece);
        return;
    }
    piece->consumed = beginning > end ? beginning : end > 0 ? end : 1;
    append_bytes(piece, at, piece->consumed);
    if (end > 0) {
        append_bytes(piece, "\n", 1);
    }
}

/* Computes the replacement for the bytes at `at`. `left` is at least AHEAD, except at the
 * end of the text, where it is at least 1. */
static void repair_at(struct repair *repair, const char *at, size_t left,
                      struct piece *piece)
{
    *piece = (struct piece){0};
    bool begins_text = !repair->begun;
    repair->begun = true;
    size_t color =
        (repair->faults & DJ_FAULT_COLORS) != 0 ? get_color_length(at, left) : 0;
    if (color > 0) {
        piece->consumed = color;
    } else if ((repair->faults & DJ_FAULT_ESCAPED) != 0 && begins_text &&
               get_python_quote_length(at, left) > 0) {
        piece->consumed = get_python_quote_length(at, left);
    } else if ((repair->faults & DJ_FAULT_QUOTED) != 0 && at[0] == '"' &&
               is_last_quote(at, left)) {
        /* Adds no line end, because the last line may be truncated. */
        piece->consumed = left;
    } else if ((repair->faults & DJ_FAULT_ESCAPED) != 0 && at[0] == '\\') {
        unescape(at, left, piece);
    } else if ((repair->faults & DJ_FAULT_JOINED) != 0) {
        split_dump(repair, at, left, piece);
    } else {
        bool end = (at[0] == '\r' && (repair->faults & DJ_FAULT_CR) != 0) ||
                   (at[0] == '"' && (repair->faults & DJ_FAULT_QUOTED) != 0);
        piece->consumed = end && starts_with(at, left, "\r\n") ? 2 : 1;
        append_bytes(piece, end ? "\n" : at, 1);
    }
}

/* Returns the number of buffered bytes that can be copied without changes. */
static size_t count_plain_bytes(const struct repair *repair,
                                const struct dj_stream *below)
{
    if (repair->faults != DJ_FAULT_COLORS) {
        return 0;
    }
    const char *escape = memchr(below->at, ESCAPE, below->left);
    return escape != NULL ? (size_t)(escape - below->at) : below->left;
}

static int repair_produce(struct dj_stream *stream, char *into, size_t room, size_t *got,
                          struct dj_error *err)
{
    struct repair *repair = stream->state;
    struct dj_stream *below = stream->below;
    while (room - *got >= sizeof(((struct piece *)NULL)->text)) {
        int code = dj_stream_peek(below, AHEAD, err);
        if (code != 0 || below->left == 0) {
            return code;
        }
        size_t plain_count = count_plain_bytes(repair, below);
        plain_count = plain_count < room - *got ? plain_count : room - *got;
        if (plain_count > 0) {
            memcpy(into + *got, below->at, plain_count);
            dj_stream_consume(below, plain_count);
            *got += plain_count;
            continue;
        }
        struct piece piece;
        repair_at(repair, below->at, below->left, &piece);
        dj_stream_consume(below, piece.consumed);
        memcpy(into + *got, piece.text, piece.length);
        *got += piece.length;
    }
    return 0;
}

struct dj_stream *dj_input_stream_of_repaired(struct dj_stream *below, unsigned faults)
{
    static const struct dj_stream_kind kind = {repair_produce, free};
    struct repair *repair = dj_xcalloc(1, sizeof(*repair));
    repair->faults = faults;
    return dj_stream_create(&kind, repair, below);
}
