#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"

static const struct {
    const char *string;
    const char *json;
} strings[] = {
    {"plain", "\"plain\""},
    {"a\"b\\c", "\"a\\\"b\\\\c\""},
    {"</script><!--", "\"\\u003c/script\\u003e\\u003c!--\""},
    {"a&b", "\"a\\u0026b\""},
    {"line\nfeed\x01\x7f", "\"line\\u000afeed\\u0001\\u007f\""},
    {"c1 \xc2\x80 \xc2\x9b \xc2\x9f \xc2\xa0", "\"c1 \\u0080 \\u009b \\u009f \xc2\xa0\""},
    {"bidi \xe2\x80\xaa \xe2\x80\xae \xe2\x81\xa6 \xe2\x81\xa9",
     "\"bidi \\u202a \\u202e \\u2066 \\u2069\""},
    {"sep \xe2\x80\xa8 \xe2\x80\xa9", "\"sep \\u2028 \\u2029\""},
    {"Größe 漢字", "\"Größe 漢字\""},
    {"\xff\xc3", "\"\\\\xFF\\\\xC3\""},
    {NULL, "null"},
};

Test(json, strings_do_not_end_a_script_element)
{
    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
        struct dj_text text = {0};
        dj_json_append_string(&text, strings[i].string);
        cr_expect_str_eq(dj_text_get(&text), strings[i].json);
        dj_text_finish(&text);
    }
}

/* Each character, alone and between other characters. */
Test(json, ascii_is_escaped_where_required)
{
    for (int c = 1; c < 128; c++) {
        bool backslash = c == '"' || c == '\\';
        bool code = c < ' ' || c == 127 || c == '<' || c == '>' || c == '&';
        char string[] = {'a', (char)c, 'b', '\0'};
        char want[32];
        snprintf(want, sizeof(want),
                 backslash ? "\"a\\%cb\""
                 : code    ? "\"a\\u%04xb\""
                           : "\"a%cb\"",
                 c);
        struct dj_text text = {0};
        dj_json_append_string(&text, string);
        cr_expect_str_eq(dj_text_get(&text), want, "character %d", c);
        dj_text_finish(&text);
    }
}

Test(json, commas_separate_values)
{
    struct dj_text text = {0};
    dj_text_add(&text, "{");
    dj_json_append_key(&text, "a");
    dj_json_append_int(&text, -1);
    dj_json_append_key(&text, "b");
    dj_text_add(&text, "[");
    dj_json_add_bool(&text, NULL, true);
    dj_json_add_null(&text, NULL);
    dj_json_append_string(&text, "x,");
    dj_json_append_string(&text, "{");
    dj_json_append_comma(&text);
    dj_text_add(&text, "[]]}");
    cr_expect_str_eq(dj_text_get(&text), "{\"a\":-1,\"b\":[true,null,\"x,\",\"{\",[]]}");
    dj_text_finish(&text);
}

static const struct {
    double value;
    const char *json;
} reals[] = {
    {0, "0"},
    {-0.0, "0"},
    {1, "1"},
    {-2.5, "-2.5"},
    {0.001, "0.001"},
    {0.01, "0.01"},
    {-0.0004, "0"},
    {0.0005, "0.001"},
    {0.0625, "0.063"},
    {12.3456, "12.346"},
    {0.9996, "1"},
    {59.9999, "60"},
    {-9.9999, "-10"},
    {123456789012345.25, "123456789012345.25"},
    {9007199254740992, "9007199254740992"},
    {INFINITY, "null"},
    {-INFINITY, "null"},
    {NAN, "null"},
};

Test(json, reals_have_up_to_three_decimals)
{
    for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
        struct dj_text text = {0};
        char want[64];
        snprintf(want, sizeof(want), "\"x\":%s", reals[i].json);
        dj_json_add_real(&text, "x", reals[i].value);
        cr_expect_str_eq(dj_text_get(&text), want);
        dj_text_finish(&text);
    }
}

/* Numbers that are too large for an integer are read as the same double. */
Test(json, huge_reals_keep_their_value)
{
    static const double huge[] = {1e18, -9223372036854775808.0, 1.7e300, -1e18};
    for (size_t i = 0; i < sizeof(huge) / sizeof(huge[0]); i++) {
        struct dj_text text = {0};
        dj_json_add_real(&text, "x", huge[i]);
        cr_expect_eq(strtod(dj_text_get(&text) + 4, NULL), huge[i], "%s",
                     dj_text_get(&text));
        dj_text_finish(&text);
    }
}

Test(json, keys_follow_a_comma_except_the_first)
{
    struct dj_text text = {0};
    dj_json_open_object(&text, NULL);
    dj_json_add_int(&text, "", 1);
    dj_json_add_string(&text, "two words", NULL);
    dj_json_open_array(&text, "three");
    dj_json_close(&text, "]}");
    cr_expect_str_eq(dj_text_get(&text), "{\"\":1,\"two words\":null,\"three\":[]}");
    dj_text_finish(&text);
}

Test(json, a_full_text_is_unchanged)
{
    struct dj_text text = {.maximum = 12};
    dj_json_add_int(&text, "abc", 12345);
    dj_json_add_real(&text, "abc", 1.5);
    cr_expect(text.failed);
    cr_expect_str_eq(dj_text_get(&text), "\"abc\":12345");
    dj_text_finish(&text);
}

/* Each function, once with a key and once as an element of an array. */
Test(json, values_are_members_or_elements)
{
    struct dj_text text = {0};
    dj_json_open_array(&text, NULL);
    for (int i = 0; i < 2; i++) {
        const char *key = i == 0 ? "k" : NULL;
        if (i == 0) {
            dj_json_open_object(&text, NULL);
        }
        dj_json_add_string(&text, key, "a<b");
        dj_json_add_bool(&text, key, false);
        dj_json_add_null(&text, key);
        dj_json_add_int(&text, key, INT64_MIN);
        dj_json_add_known(&text, key, 0);
        dj_json_add_real(&text, key, 1.5);
        dj_json_add_number(&text, key, 0.1);
        dj_json_add_rounded(&text, key, 3, 2.0 / 3);
        dj_json_add_bounds(&text, key, 1, INFINITY);
        if (i == 0) {
            dj_json_close(&text, "}");
        }
    }
    dj_json_close(&text, "]\n");
    cr_expect_str_eq(
        dj_text_get(&text),
        "[{\"k\":\"a\\u003cb\",\"k\":false,\"k\":null,\"k\":-9223372036854775808,"
        "\"k\":0,\"k\":1.5,\"k\":0.1,\"k\":0.667,\"k\":[1,null]},"
        "\"a\\u003cb\",false,null,-9223372036854775808,0,1.5,0.1,0.667,[1,null]]\n");
    dj_text_finish(&text);
}

Test(json, add_text_frees_the_text)
{
    struct dj_text text = {0};
    struct dj_text string = {0};
    struct dj_text full = {.maximum = 1};
    dj_text_add(&string, "a\"b");
    dj_json_open_object(&text, NULL);
    dj_json_add_text(&text, "k", &string);
    dj_json_add_text(&text, "none", &string);
    cr_assert_str_eq(dj_text_get(&text), "{\"k\":\"a\\\"b\",\"none\":\"\"");
    cr_assert_eq(string.length, 0);
    dj_text_add(&full, "ab");
    dj_json_add_text(&text, "full", &full);
    cr_assert(text.failed);
    dj_text_finish(&text);
}

Test(json, unknown_values_are_null)
{
    struct dj_text text = {0};
    dj_json_open_array(&text, NULL);
    dj_json_add_known(&text, NULL, -1);
    dj_json_add_optional(&text, NULL, false, 7);
    dj_json_add_optional(&text, NULL, true, -7);
    dj_json_add_name(&text, NULL, NULL);
    dj_json_add_name(&text, NULL, "");
    dj_json_add_name(&text, NULL, "n");
    dj_json_add_string(&text, NULL, NULL);
    dj_json_add_string(&text, NULL, "");
    dj_json_add_rounded(&text, NULL, 6, NAN);
    dj_json_add_number(&text, NULL, INFINITY);
    dj_json_close(&text, "]");
    cr_expect_str_eq(dj_text_get(&text),
                     "[null,null,-7,null,null,\"n\",null,\"\",null,null]");
    dj_text_finish(&text);
}

static const struct {
    double value;
    const char *number, *rounded;
} numbers[] = {
    {0.1, "0.1", "0.1"},
    {1.0 / 3, "0.3333333333333333", "0.333333"},
    {59.9999988, "59.9999988", "60"},
    {16699999.999999998, "16699999.999999998", "1.67e+07"},
    {1e300, "1e+300", "1e+300"},
};

Test(json, numbers_are_exact_or_rounded)
{
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        struct dj_text text = {0};
        dj_json_add_number(&text, NULL, numbers[i].value);
        cr_expect_str_eq(dj_text_get(&text), numbers[i].number);
        dj_text_clear(&text);
        dj_json_add_rounded(&text, NULL, 6, numbers[i].value);
        cr_expect_str_eq(dj_text_get(&text), numbers[i].rounded);
        dj_text_finish(&text);
    }
}
