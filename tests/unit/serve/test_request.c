#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "report/served_page.h"
#include "serve/http/request.h"

/* Parses a target that must be valid. */
static struct dj_request parse(const char *target)
{
    struct dj_request request = {.segment_count = 0};
    struct dj_error err = {0};
    cr_assert_eq(dj_serve_parse_target(target, &request, &err), 0, "%s: %s", target,
                 err.message);
    return request;
}

Test(request, has_no_segment_for_the_root)
{
    struct dj_request request = parse("/");
    cr_expect_eq(request.segment_count, 0);
    dj_serve_finish_request(&request);
}

Test(request, decodes_each_segment_by_itself)
{
    struct dj_request request = parse("/live/local%3A/a%2Fb%20c+d");
    cr_assert_eq(request.segment_count, 3);
    cr_expect_str_eq(request.segments[1], "local:");
    cr_expect_str_eq(request.segments[2], "a/b c+d", "a slash in a name is no separator");
    dj_serve_finish_request(&request);
}

Test(request, collects_the_values_of_a_name)
{
    struct dj_request request = parse("/x?a=1&b=2&a=&a=3&aa=4&a=5");
    const char *values[2] = {NULL, NULL};
    cr_expect_eq(dj_serve_get_parameters(&request, "a", values, 2), 3);
    cr_expect_str_eq(values[0], "1");
    cr_expect_str_eq(values[1], "3", "empty is missing");
    cr_expect_eq(dj_serve_get_parameters(&request, "c", values, 2), 0);
    dj_serve_finish_request(&request);
}

Test(request, decodes_parameters)
{
    struct dj_request request = parse("/x?a=1+2%26&b=&c&a=second");
    cr_expect_str_eq(dj_serve_get_parameter(&request, "a"), "1 2&",
                     "the first one counts");
    cr_expect_null(dj_serve_get_parameter(&request, "b"), "empty is missing");
    cr_expect_null(dj_serve_get_parameter(&request, "c"));
    cr_expect_null(dj_serve_get_parameter(&request, "d"));
    cr_expect_eq(request.parameter_count, 4);
    dj_serve_finish_request(&request);
}

Test(request, refuses_what_is_no_path)
{
    static const char *const wrong[] = {"",  "x",  "?a=1", "http://host/",
                                        "*", "//", "/a//b"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct dj_request request = {.segment_count = 0};
        cr_expect_eq(dj_serve_parse_target(wrong[i], &request, NULL), DJ_E_INVALID,
                     "'%s'", wrong[i]);
        dj_serve_finish_request(&request);
    }
}

Test(request, refuses_wrong_codes_and_control_characters)
{
    static const char *const wrong[] = {"/%",   "/%4",  "/%zz",    "/a%00b",  "/%0a",
                                        "/%ff", "/%c3", "/?a=%0d", "/?%1b=1", "/%e2%80"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct dj_request request = {.segment_count = 0};
        struct dj_error err = {0};
        cr_expect_eq(dj_serve_parse_target(wrong[i], &request, &err), DJ_E_INVALID,
                     "'%s'", wrong[i]);
        cr_expect_neq(err.message[0], '\0');
        dj_serve_finish_request(&request);
    }
}

Test(request, has_limits)
{
    char deep[64] = "", many[512] = "/?", *longest = malloc(DJ_TARGET_BYTES_MAX + 3);
    for (int i = 0; i <= DJ_SEGMENTS_MAX; i++) {
        strcat(deep, "/a");
    }
    for (int i = 0; i <= DJ_PARAMETERS_MAX; i++) {
        strcat(many, "a=1&");
    }
    memset(longest, 'a', DJ_TARGET_BYTES_MAX + 2);
    longest[0] = '/';
    longest[DJ_TARGET_BYTES_MAX + 2] = '\0';
    const char *const wrong[] = {deep, many, longest};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct dj_request request = {.segment_count = 0};
        cr_expect_eq(dj_serve_parse_target(wrong[i], &request, NULL), DJ_E_LIMIT,
                     "target %zu", i);
        dj_serve_finish_request(&request);
    }
    free(longest);
}

Test(request, adds_the_fields_of_a_form)
{
    static const char body[] = "why=a+%C3%A9%0A";
    struct dj_request request = parse("/x?a=1");
    cr_expect_eq(dj_serve_parse_form(body, strlen(body), &request, NULL), DJ_E_INVALID,
                 "a line feed is a control character");
    cr_expect_eq(dj_serve_parse_form(body, strlen(body) - 3, &request, NULL), 0);
    cr_expect_str_eq(dj_serve_get_parameter(&request, "why"), "a é");
    cr_expect_str_eq(dj_serve_get_parameter(&request, "a"), "1");
    dj_serve_finish_request(&request);
}

Test(request, reads_numbers_within_a_range)
{
    struct dj_request request = parse("/?a=12&b=0&c=x1&d=99999999999999999999&e=1x");
    int64_t value;
    cr_expect_eq(dj_serve_get_number(&request, "a", 1, 1, 20, &value, NULL), 0);
    cr_expect_eq(value, 12);
    cr_expect_eq(dj_serve_get_number(&request, "missing", 7, 1, 20, &value, NULL), 0);
    cr_expect_eq(value, 7);
    for (const char *name = "bcde"; *name != '\0'; name++) {
        char word[2] = {*name, '\0'};
        cr_expect_eq(dj_serve_get_number(&request, word, 1, 1, 20, &value, NULL),
                     DJ_E_INVALID, "%s", word);
    }
    dj_serve_finish_request(&request);
}

Test(request, encodes_so_that_it_decodes_to_the_same)
{
    static const char name[] = "a/b?c=d&e%f+ ä<\"'>;~-._";
    struct dj_text text = {0};
    dj_text_add(&text, "/");
    dj_report_append_encoded(&text, name);
    struct dj_request request = parse(dj_text_get(&text));
    cr_assert_eq(request.segment_count, 1);
    cr_expect_str_eq(request.segments[0], name);
    cr_expect_null(strpbrk(dj_text_get(&text), "<>\"'&? "));
    dj_serve_finish_request(&request);
    dj_text_finish(&text);
}
