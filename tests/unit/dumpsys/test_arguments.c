#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "dumpsys/gfxinfo.h"

/* The arguments of "gfxinfo" (docs/format/gfxinfo.md, for releases 9 and later). */
static const struct {
    const char *words[5];
    const char *wanted;
    bool framestats, reset;
} rows[] = {
    {{NULL}, NULL, true, false},
    {{"com.x"}, "com.x", false, false},
    {{"1234"}, "1234", false, false},
    {{"com.x", "framestats"}, "com.x", true, false},
    {{"com.x", "reset"}, "com.x", false, true},
    {{"com.x", "framestats", "reset"}, "com.x", true, true},
    {{"com.x", "reset", "framestats"}, "com.x", true, true},
    {{"com.x", "reset", "-a"}, "com.x", true, false},
    {{"com.x", "-a", "reset"}, "com.x", true, true},
    {{"-a"}, NULL, true, false},
    {{"-a", "com.x"}, NULL, true, false},
    {{"--unknown"}, NULL, false, false},
    {{"--unknown", "reset"}, NULL, false, true},
    {{"com.x", "FRAMESTATS", "whatever", "framestat"}, "com.x", false, false},
    {{"framestats"}, "framestats", true, false},
    {{"reset"}, "reset", false, true},
    {{""}, "", false, false},
};

Test(arguments, the_release_option_may_be_anywhere)
{
    static const struct {
        const char *words[5];
        const char *wanted, *release;
        bool framestats, reset;
    } all[] = {
        {{"com.x", "framestats", "--release", "16"}, "com.x", "16", true, false},
        {{"--release", "6.0", "com.x", "framestats"}, "com.x", "6.0", true, false},
        {{"--release=12L", "com.x"}, "com.x", "12L", false, false},
        {{"--release", "9"}, NULL, "9", true, false},
        {{"--release", "reset", "com.x"}, "com.x", "reset", false, false},
        {{"com.x", "--release", "-a"}, "com.x", "-a", false, false},
        {{"com.x", "--release"}, "com.x", "", false, false},
        {{"com.x", "--release="}, "com.x", "", false, false},
        {{"com.x", "--released", "9"}, "com.x", NULL, false, false},
        {{"com.x", "--release", "9", "--release=10"}, "com.x", "10", false, false},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        char words[5][32];
        char *pointers[5];
        int count = 0;
        while (count < 5 && all[i].words[count] != NULL) {
            snprintf(words[count], sizeof(words[count]), "%s", all[i].words[count]);
            pointers[count] = words[count];
            count++;
        }
        struct dj_gfxinfo_arguments got = dj_gfxinfo_parse_arguments(count, pointers);
        cr_expect_eq(got.framestats, all[i].framestats, "row %zu", i);
        cr_expect_eq(got.reset, all[i].reset, "row %zu", i);
        cr_expect_eq(got.wanted == NULL, all[i].wanted == NULL, "row %zu", i);
        cr_expect(got.wanted == NULL || strcmp(got.wanted, all[i].wanted) == 0, "row %zu",
                  i);
        cr_expect_eq(got.release == NULL, all[i].release == NULL, "row %zu", i);
        cr_expect(got.release == NULL || strcmp(got.release, all[i].release) == 0,
                  "row %zu", i);
    }
}

Test(arguments, since_without_a_valid_time_is_ignored)
{
    static const struct {
        const char *word;
        int64_t since_ns;
    } words[] = {
        {"since=0", 0},    {"since=123456789012", 123456789012},
        {"since=", -1},    {"since=-1", -1},
        {"since=12x", -1}, {"since=99999999999999999999", -1},
        {"since", -1},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        char *argv[] = {"com.x", (char *)words[i].word};
        struct dj_gfxinfo_arguments got = dj_gfxinfo_parse_arguments(2, argv);
        cr_expect_eq(got.since_ns, words[i].since_ns, "%s", words[i].word);
        cr_expect_str_eq(got.wanted, "com.x");
    }
}

Test(arguments, arguments_are_parsed_like_on_android)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *words[5];
        int count = 0;
        while (rows[i].words[count] != NULL) {
            words[count] = (char *)rows[i].words[count];
            count++;
        }
        struct dj_gfxinfo_arguments got = dj_gfxinfo_parse_arguments(count, words);
        cr_expect_eq(got.framestats, rows[i].framestats, "row %zu: framestats", i);
        cr_expect_eq(got.reset, rows[i].reset, "row %zu: reset", i);
        cr_assert_eq(got.wanted == NULL, rows[i].wanted == NULL, "row %zu: name", i);
        cr_expect(got.wanted == NULL || strcmp(got.wanted, rows[i].wanted) == 0,
                  "row %zu", i);
    }
}
