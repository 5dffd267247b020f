#include <criterion/criterion.h>

#include "report/json.h"

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

Test(json, strings_cannot_end_a_script_element)
{
    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
        struct dj_text text = {0};
        dj_json_string(&text, strings[i].string);
        cr_expect_str_eq(dj_text_get(&text), strings[i].json);
        dj_text_finish(&text);
    }
}

Test(json, puts_commas_where_they_belong)
{
    struct dj_text text = {0};
    dj_text_string(&text, "{");
    dj_json_key(&text, "a");
    dj_json_int(&text, -1);
    dj_json_key(&text, "b");
    dj_text_string(&text, "[");
    dj_json_bool(&text, true);
    dj_json_null(&text);
    dj_json_string(&text, "x,");
    dj_json_string(&text, "{");
    dj_json_comma(&text);
    dj_text_string(&text, "[]]}");
    cr_expect_str_eq(dj_text_get(&text), "{\"a\":-1,\"b\":[true,null,\"x,\",\"{\",[]]}");
    dj_text_finish(&text);
}
