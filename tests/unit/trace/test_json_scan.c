/* Tests the tokens of JSON in pieces, and the faults of invalid JSON. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "trace/chrome/json_scan.h"

static char found[1 << 16];
static size_t found_length;
static struct dj_json_scan scan;

static int note_token(void *user, enum dj_json_token token, struct dj_str text,
                      struct dj_error *err)
{
    static const char *const marks[] = {"{", "[", "<", "k:", "s:", ".", "n:", "w:"};
    (void)user;
    (void)err;
    found_length +=
        (size_t)snprintf(found + found_length, sizeof(found) - found_length, "%s%.*s ",
                         marks[token], (int)text.length, text.length > 0 ? text.at : "");
    return found_length < sizeof(found) - 256 ? 0 : DJ_E_LIMIT;
}

static const char *read_pieces(const char *json, size_t length, size_t piece)
{
    memset(&scan, 0, sizeof(scan));
    scan.on_token = note_token;
    found_length = 0;
    found[0] = '\0';
    for (size_t at = 0; at < length; at += piece) {
        size_t rest = length - at < piece ? length - at : piece;
        cr_assert_eq(dj_json_scan_read(&scan, json + at, rest, NULL), 0);
    }
    cr_assert_eq(dj_json_scan_end(&scan, NULL), 0);
    return found;
}

static const char *read_all(const char *json)
{
    return read_pieces(json, strlen(json), SIZE_MAX / 2);
}

Test(json_scan, all_kinds_of_tokens)
{
    static const char json[] =
        " {\"a\" : [1, -2.5e+3, true,null,\"\"], \"b\":{},\"c\":\"x\\n\\\"\\\\\\/\\u00e9"
        "\\ud83d\\ude00\",\"d\":[[]]}\n";
    static const char tokens[] = "{ k:a [ n:1 n:-2.5e+3 w:true w:null . < k:b { < k:c "
                                 "s:x\n\"\\/\xc3\xa9\xf0\x9f\x98\x80 . k:d [ [ < < < ";
    for (size_t piece = 1; piece < sizeof(json); piece++) {
        cr_assert_str_eq(read_pieces(json, sizeof(json) - 1, piece), tokens, "%zu: %s",
                         piece, found);
        cr_assert_eq(scan.faults, 0, "%s", scan.fault);
        cr_assert_eq(scan.depth, 0);
    }
}

Test(json_scan, a_lone_number_ends_with_the_text)
{
    cr_expect_str_eq(read_all("12"), "n:12 ");
    cr_expect_eq(scan.faults, 0);
}

Test(json_scan, long_strings_come_in_parts_and_long_keys_are_truncated)
{
    static char json[3 * DJ_JSON_PART];
    memset(json, 'x', sizeof(json));
    memcpy(json, "[\"", 2);
    memcpy(json + sizeof(json) - 2, "\"]", 2);
    read_pieces(json, sizeof(json), 1000);
    cr_expect_eq(scan.faults, 0);
    size_t parts = 0;
    for (const char *at = found; (at = strstr(at, "s:")) != NULL; at++) {
        parts++;
    }
    cr_expect_eq(parts, 3);
    cr_expect_eq(found_length,
                 strlen("[ ") + sizeof(json) - 4 + 3 * strlen("s: ") + strlen(". < "));
    memcpy(json, "{\"", 2);
    memcpy(json + sizeof(json) - 5, "\":1}", 5);
    read_pieces(json, sizeof(json) - 1, 77);
    cr_expect_eq(scan.faults, 0, "%s", scan.fault);
    cr_expect_eq(found_length,
                 strlen("{ ") + strlen("k: ") + DJ_JSON_SHORT + strlen("n:1 < "));
}

static const struct {
    const char *json, *tokens, *fault;
} unreadable[] = {
    {"[\"a\\qb\"]", "[ s:aqb . < ", "byte 4: found an unknown escape in JSON"},
    {"[\"\\ud800x\"]", "[ s:\xef\xbf\xbdx . < ",
     "byte 8: expected the second half of a surrogate pair in JSON"},
    {"[\"\\ude00\"]", "[ s:\xef\xbf\xbd . < ",
     "byte 8: found half a surrogate pair in JSON"},
    {"[\"\\ud800\\ud83d\\ude00\"]", "[ s:\xef\xbf\xbd\xf0\x9f\x98\x80 . < ",
     "byte 14: expected the second half of a surrogate pair in JSON"},
    {"[\"\\u12g4\"]", "[ s:\xef\xbf\xbdg4 . < ",
     "byte 6: expected four hexadecimal digits after \\u in JSON"},
    {"[\"a\nb\"]", "[ s:a\nb . < ", "byte 3: found a control character in a JSON string"},
    {"[1 2]", "[ n:1 ", "byte 3: expected ',' or a closing bracket in JSON, found '2'"},
    {"{1:2}", "{ ", "byte 1: expected a name in quotes or '}' in JSON, found '1'"},
    {"{\"a\" 2}", "{ k:a ", "byte 5: expected ':' in JSON, found '2'"},
    {"{\"a\":}", "{ k:a ", "byte 5: expected a value in JSON, found '}'"},
    {"[\x01]", "[ ", "byte 1: expected a value in JSON, found byte 0x01"},
    {"[}", "[ ", "byte 1: expected a value in JSON, found '}'"},
    {"{}{}", "{ < ", "byte 2: expected the end of the text in JSON, found '{'"},
    {"{\"a\":1", "{ k:a n:1 ", "byte 6: the JSON text is truncated"},
    {"[\"a", "[ s:a ", "byte 3: the JSON text is truncated"},
    {"", "", "byte 0: the JSON text is truncated"},
};

Test(json_scan, faults_are_reported_with_their_place)
{
    for (size_t i = 0; i < sizeof(unreadable) / sizeof(unreadable[0]); i++) {
        size_t length = strlen(unreadable[i].json);
        for (size_t piece = 1; piece <= length + 1; piece++) {
            read_pieces(unreadable[i].json, length, piece);
            cr_assert_str_eq(found, unreadable[i].tokens, "%s: %s", unreadable[i].json,
                             found);
            cr_assert_str_eq(scan.fault, unreadable[i].fault, "%s", unreadable[i].json);
            cr_assert_eq(scan.faults, 1, "%s", unreadable[i].json);
        }
    }
}

Test(json_scan, unfinished_arrays_are_accepted)
{
    cr_expect_str_eq(read_all("[{},"), "[ { < ");
    cr_expect_eq(scan.faults, 0);
    cr_expect_str_eq(read_all("[{},{\"a\":NaN,},]"), "[ { < { k:a w:NaN < < ");
    cr_expect_eq(scan.faults, 0);
}

Test(json_scan, depth_is_limited)
{
    static char json[DJ_JSON_DEPTH + 1];
    memset(json, '[', sizeof(json));
    read_pieces(json, DJ_JSON_DEPTH, 100);
    cr_expect_str_eq(scan.fault, "byte 512: the JSON text is truncated");
    read_pieces(json, DJ_JSON_DEPTH + 1, 100);
    cr_expect_str_eq(scan.fault, "byte 513: JSON is nested deeper than 512");
}

static int refuse(void *user, enum dj_json_token token, struct dj_str text,
                  struct dj_error *err)
{
    (void)user;
    (void)text;
    return token == DJ_JSON_KEY ? dj_error_set(err, DJ_E_IO, "no") : 0;
}

Test(json_scan, the_callbacks_code_stops_the_scan)
{
    struct dj_error err = {0};
    scan = (struct dj_json_scan){.on_token = refuse};
    cr_expect_eq(dj_json_scan_read(&scan, "{\"a\":1}", 7, &err), DJ_E_IO);
    cr_expect_str_eq(err.message, "no");
}
