/* Tests of the patterns of --frames. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "made_trace.h"
#include "triage/frames/pattern.h"

TestSuite(triage_pattern, .fini = made_clear);

static const struct {
    const char *pattern, *name;
    bool meant;
} rows[] = {
    {"frame", "frame", true},
    {"frame", "frame 1", false},
    {"frame", "Frame", false},
    {"frame *", "frame 12", true},
    {"frame *", "frame", false},
    {"*", "", true},
    {"", "", true},
    {"", "x", false},
    {"**", "x", true},
    {"?", "", false},
    {"*a*b", "xaab", true},
    {"*a*b", "xaabc", false},
    {"*aab", "aaab", true},
    {"a/*", "a/b/c", true},
    {".frame*", ".frame", true},
    {"*frame", ".frame", true},
    {"fr*me", "fr*me", true},
    /* A character of several bytes counts as one. */
    {"к??р *", "кадр 7", true},
    {"к?р *", "кадр 7", false},
    {"?", "\xff", true},
    /* Brackets and backslashes match themselves, and also match as in a shell. */
    {"[ui] frame *", "[ui] frame 3", true},
    {"[ui] *", "u 3", true},
    {"frame [0-5]", "frame 4", true},
    {"frame [0-5]", "frame 6", false},
    {"frame [", "frame [", true},
    {"C:\\frame*", "C:\\frame 1", true},
    {"\\*", "*", true},
    {"\\*", "x", false},
};

Test(triage_pattern, patterns_match_as_documented)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_expect_eq(dj_triage_matches_pattern(rows[i].name, rows[i].pattern),
                     rows[i].meant, "\"%s\" by \"%s\"", rows[i].name, rows[i].pattern);
    }
}

Test(triage_pattern, many_stars_match_fast, .timeout = 5)
{
    static char name[20001], pattern[2001];
    memset(name, 'a', sizeof(name) - 1);
    for (size_t i = 0; i + 2 < sizeof(pattern); i += 2) {
        memcpy(pattern + i, "a*", 2);
    }
    pattern[sizeof(pattern) - 2] = 'b';
    cr_expect_not(dj_triage_matches_pattern(name, pattern));
}

static void complains(const char *frames, const char *words)
{
    struct dj_error err = {0};
    cr_expect_eq(made_triage_code(frames, &err), DJ_E_NO_DATA);
    cr_expect_not_null(strstr(err.message, words), "%s", err.message);
}

Test(triage_pattern, unmatched_patterns_are_quoted)
{
    made_frames(3, NULL);
    complains("turn\n\x1b[1m",
              "no slice is named \"turn\\x0a\\x1b[1m\"; the trace has slices frame");
}

Test(triage_pattern, slices_without_an_end_are_reported)
{
    made_frames(3, NULL);
    made_begin(90000, 0, MAIN, "turn 1");
    complains("turn *", "no slice named \"turn *\" ends in the trace");
}
