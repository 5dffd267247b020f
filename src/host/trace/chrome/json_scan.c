#include "trace/chrome/json_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "trace/text/numbers.h"

enum state {
    STATE_VALUE, /* Expects a value, or the end of the array. */
    STATE_KEY,   /* Expects a key, or the end of the object. */
    STATE_COLON,
    STATE_NEXT, /* Expects a comma, or the end of the array or object. */
    STATE_STRING,
    STATE_ESCAPE, /* The scanner is after a backslash. */
    STATE_UNIT,   /* The scanner is inside \uXXXX. */
    STATE_NUMBER,
    STATE_WORD,
    STATE_AFTER /* The scanner is after the outermost value. */
};

/* The current piece of input. */
struct piece {
    const char *from, *at, *end;
    struct dj_error *err; /* Error that the token callback may set. */
};

__attribute__((format(printf, 3, 4))) static void
note_fault(struct dj_json_scan *scan, const struct piece *piece, const char *format, ...)
{
    if (scan->faults++ > 0) {
        return;
    }
    int length =
        snprintf(scan->fault, sizeof(scan->fault), "byte %llu: ",
                 (unsigned long long)(scan->at + (size_t)(piece->at - piece->from)));
    va_list values;
    va_start(values, format);
    vsnprintf(scan->fault + length, sizeof(scan->fault) - (size_t)length, format, values);
    va_end(values);
}

static void stop_at_fault(struct dj_json_scan *scan, const struct piece *piece,
                          const char *expected)
{
    unsigned char got = (unsigned char)*piece->at;
    if (got > ' ' && got < 0x7f) {
        note_fault(scan, piece, "expected %s in JSON, found '%c'", expected, got);
    } else {
        note_fault(scan, piece, "expected %s in JSON, found byte 0x%02x", expected, got);
    }
    scan->broken = true;
}

static int send_token(struct dj_json_scan *scan, const struct piece *piece,
                      enum dj_json_token token)
{
    const struct dj_str text = {scan->text, scan->length};
    scan->length = 0;
    return scan->on_token(scan->user, token, text, piece->err);
}

static bool in_object(const struct dj_json_scan *scan)
{
    return scan->depth > 0 && scan->objects[scan->depth - 1];
}

static uint8_t get_state_after_value(const struct dj_json_scan *scan)
{
    return scan->depth > 0 ? STATE_NEXT : STATE_AFTER;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int open_bracket(struct dj_json_scan *scan, const struct piece *piece, bool object)
{
    if (scan->depth == DJ_JSON_DEPTH) {
        note_fault(scan, piece, "JSON is nested deeper than %d", DJ_JSON_DEPTH);
        scan->broken = true;
        return 0;
    }
    scan->objects[scan->depth++] = object;
    scan->state = object ? STATE_KEY : STATE_VALUE;
    return send_token(scan, piece, object ? DJ_JSON_OBJECT : DJ_JSON_ARRAY);
}

static int close_bracket(struct dj_json_scan *scan, const struct piece *piece)
{
    scan->depth--;
    scan->state = get_state_after_value(scan);
    return send_token(scan, piece, DJ_JSON_CLOSE);
}

static void begin_text(struct dj_json_scan *scan, enum state state, bool is_key)
{
    scan->state = (uint8_t)state;
    scan->is_key = is_key;
    scan->length = 0;
    scan->high = 0;
}

static int read_value(struct dj_json_scan *scan, struct piece *piece)
{
    char c = *piece->at;
    if (c == '"') {
        piece->at++;
        begin_text(scan, STATE_STRING, false);
    } else if (c == '{' || c == '[') {
        piece->at++;
        return open_bracket(scan, piece, c == '{');
    } else if (c == '-' || dj_gfxinfo_is_digit(c)) {
        begin_text(scan, STATE_NUMBER, false);
    } else if (is_letter(c)) {
        begin_text(scan, STATE_WORD, false);
    } else {
        stop_at_fault(scan, piece, "a value");
    }
    return 0;
}

/* Reads the characters between values: brackets, commas, colons, and the first
 * character of a value. */
static int read_between(struct dj_json_scan *scan, struct piece *piece)
{
    static const char *const expected[] = {[STATE_KEY] = "a name in quotes or '}'",
                                           [STATE_COLON] = "':'",
                                           [STATE_NEXT] = "',' or a closing bracket",
                                           [STATE_AFTER] = "the end of the text"};
    char c = *piece->at;
    bool in_array = scan->depth > 0 && !in_object(scan);
    bool ends = (c == '}' && in_object(scan) &&
                 (scan->state == STATE_KEY || scan->state == STATE_NEXT)) ||
                (c == ']' && in_array);
    if (ends) {
        piece->at++;
        return close_bracket(scan, piece);
    }
    if (dj_number_is_space(c) || (c == '\0' && scan->state == STATE_AFTER)) {
        piece->at++;
        return 0;
    }
    if (scan->state == STATE_VALUE) {
        return read_value(scan, piece);
    }
    if (scan->state == STATE_KEY && c == '"') {
        begin_text(scan, STATE_STRING, true);
    } else if (scan->state == STATE_COLON && c == ':') {
        scan->state = STATE_VALUE;
    } else if (scan->state == STATE_NEXT && c == ',') {
        scan->state = in_array ? STATE_VALUE : STATE_KEY;
    } else {
        stop_at_fault(scan, piece, expected[scan->state]);
        return 0;
    }
    piece->at++;
    return 0;
}

static int end_plain(struct dj_json_scan *scan, const struct piece *piece)
{
    enum dj_json_token token =
        scan->state == STATE_NUMBER ? DJ_JSON_NUMBER : DJ_JSON_WORD;
    scan->state = get_state_after_value(scan);
    return send_token(scan, piece, token);
}

/* Reads a number or a word. Does not check its text, because the token callback does. The
 * text may be invalid, for example NaN, which Python writes. */
static int read_plain(struct dj_json_scan *scan, struct piece *piece)
{
    for (; piece->at < piece->end; piece->at++) {
        char c = *piece->at;
        if (!dj_gfxinfo_is_digit(c) && !is_letter(c) && c != '+' && c != '-' &&
            c != '.') {
            return end_plain(scan, piece);
        }
        if (scan->length < DJ_JSON_SHORT) {
            scan->text[scan->length++] = c;
        }
    }
    return 0;
}

static int append_bytes(struct dj_json_scan *scan, const struct piece *piece,
                        const char *bytes, size_t length)
{
    size_t most = scan->is_key ? DJ_JSON_SHORT : DJ_JSON_PART;
    int code = 0;
    while (code == 0 && length > 0) {
        size_t room = most - scan->length;
        size_t fits = length < room ? length : room;
        memcpy(scan->text + scan->length, bytes, fits);
        scan->length += fits;
        bytes += fits;
        length -= fits;
        if (length > 0 && scan->is_key) {
            return 0;
        }
        code = length > 0 ? send_token(scan, piece, DJ_JSON_STRING) : 0;
    }
    return code;
}

static int append_code(struct dj_json_scan *scan, const struct piece *piece,
                       uint32_t code)
{
    char bytes[DJ_UTF8_MOST];
    return append_bytes(scan, piece, bytes, dj_utf8_write(bytes, code));
}

/* Ends the first half of a surrogate pair. If no second half follows, adds U+FFFD
 * instead. */
static int end_half(struct dj_json_scan *scan, const struct piece *piece)
{
    enum { REPLACEMENT = 0xfffd };
    if (scan->high == 0) {
        return 0;
    }
    note_fault(scan, piece, "expected the second half of a surrogate pair in JSON");
    scan->high = 0;
    return append_code(scan, piece, REPLACEMENT);
}

static int append_unit(struct dj_json_scan *scan, const struct piece *piece)
{
    uint32_t unit = scan->unit;
    bool high = unit >= 0xd800 && unit < 0xdc00;
    bool low = unit >= 0xdc00 && unit < 0xe000;
    if (low && scan->high != 0) {
        unit = 0x10000 + ((scan->high - 0xd800) << 10) + (unit - 0xdc00);
        scan->high = 0;
        return append_code(scan, piece, unit);
    }
    int code = end_half(scan, piece);
    if (high) {
        scan->high = unit;
        return code;
    }
    if (low) {
        note_fault(scan, piece, "found half a surrogate pair in JSON");
        unit = 0xfffd;
    }
    return code != 0 ? code : append_code(scan, piece, unit);
}

static int read_unit(struct dj_json_scan *scan, struct piece *piece)
{
    int digit = dj_number_parse_digit(*piece->at);
    if (digit >= 16) {
        note_fault(scan, piece, "expected four hexadecimal digits after \\u in JSON");
        scan->state = STATE_STRING;
        return append_code(scan, piece, 0xfffd);
    }
    piece->at++;
    scan->unit = scan->unit << 4 | (uint32_t)digit;
    if (++scan->digits < 4) {
        return 0;
    }
    scan->state = STATE_STRING;
    return append_unit(scan, piece);
}

static int read_escape(struct dj_json_scan *scan, struct piece *piece)
{
    static const char names[] = "\"\\/bfnrt", chars[] = "\"\\/\b\f\n\r\t";
    char c = *piece->at;
    const char *found = c != '\0' ? strchr(names, c) : NULL;
    scan->state = STATE_STRING;
    if (c == 'u') {
        piece->at++;
        scan->state = STATE_UNIT;
        scan->digits = 0;
        scan->unit = 0;
        return 0;
    }
    int code = end_half(scan, piece);
    if (found == NULL) {
        note_fault(scan, piece, "found an unknown escape in JSON");
        /* The character after the backslash is added unchanged in the next step. */
        return code;
    }
    piece->at++;
    return code != 0 ? code : append_bytes(scan, piece, &chars[found - names], 1);
}

static int end_string(struct dj_json_scan *scan, const struct piece *piece)
{
    int code = 0;
    if (scan->is_key) {
        scan->state = STATE_COLON;
        return send_token(scan, piece, DJ_JSON_KEY);
    }
    scan->state = get_state_after_value(scan);
    code = scan->length > 0 ? send_token(scan, piece, DJ_JSON_STRING) : 0;
    return code != 0 ? code : send_token(scan, piece, DJ_JSON_STRING_END);
}

static int read_string(struct dj_json_scan *scan, struct piece *piece)
{
    const char *from = piece->at;
    int code = *from != '\\' ? end_half(scan, piece) : 0;
    while (piece->at < piece->end && *piece->at != '"' && *piece->at != '\\') {
        if ((unsigned char)*piece->at < ' ') {
            note_fault(scan, piece, "found a control character in a JSON string");
        }
        piece->at++;
    }
    code = code != 0 ? code : append_bytes(scan, piece, from, (size_t)(piece->at - from));
    if (code != 0 || piece->at == piece->end) {
        return code;
    }
    if (*piece->at++ == '"') {
        return end_string(scan, piece);
    }
    scan->state = STATE_ESCAPE;
    return 0;
}

static int step(struct dj_json_scan *scan, struct piece *piece)
{
    static int (*const steps[])(struct dj_json_scan *, struct piece *) = {
        [STATE_VALUE] = read_between, [STATE_KEY] = read_between,
        [STATE_COLON] = read_between, [STATE_NEXT] = read_between,
        [STATE_STRING] = read_string, [STATE_ESCAPE] = read_escape,
        [STATE_UNIT] = read_unit,     [STATE_NUMBER] = read_plain,
        [STATE_WORD] = read_plain,    [STATE_AFTER] = read_between,
    };
    return steps[scan->state](scan, piece);
}

int dj_json_scan_read(struct dj_json_scan *scan, const char *bytes, size_t length,
                      struct dj_error *err)
{
    struct piece piece = {bytes, bytes, bytes + length, err};
    int code = 0;
    while (code == 0 && piece.at < piece.end && !scan->broken) {
        scan->place = scan->at + (size_t)(piece.at - bytes);
        code = step(scan, &piece);
    }
    scan->at += length;
    return code;
}

int dj_json_scan_end(struct dj_json_scan *scan, struct dj_error *err)
{
    const struct piece none = {"", "", "", err};
    int code = 0;
    if (scan->broken) {
        return 0;
    }
    if (scan->state == STATE_NUMBER || scan->state == STATE_WORD) {
        code = end_plain(scan, &none);
    } else if (scan->state >= STATE_STRING && scan->state <= STATE_UNIT &&
               !scan->is_key && scan->length > 0) {
        code = send_token(scan, &none, DJ_JSON_STRING);
    }
    bool left = scan->depth == 1 && !in_object(scan) &&
                (scan->state == STATE_NEXT || scan->state == STATE_VALUE);
    if (scan->state != STATE_AFTER && !left) {
        note_fault(scan, &none, "the JSON text is truncated");
    }
    return code;
}
