#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report/progress_bar.h"

static const int64_t second_ns = 1000000000;

static char *bar(int width, double elapsed_s, double duration_s)
{
    struct dj_text text = {0};
    dj_report_progress_bar_append(&text, width, (int64_t)(elapsed_s * 1e9),
                                  (int64_t)(duration_s * 1e9), "240 frames");
    char *string = strdup(dj_text_get(&text));
    dj_text_finish(&text);
    return string;
}

static void expect(int width, double elapsed_s, const char *want)
{
    char *got = bar(width, elapsed_s, 10);
    cr_assert_str_eq(got, want);
    free(got);
}

Test(progress, a_bar_of_the_terminals_width)
{
    expect(40, 0, "[                ] 0.0/10.0 s 240 frames");
    expect(40, 5, "[########        ] 5.0/10.0 s 240 frames");
    expect(40, 10, "[###############] 10.0/10.0 s 240 frames");
}

Test(progress, on_narrow_terminals_parts_are_left_out)
{
    expect(19, 5, "[###   ] 5.0/10.0 s");
    expect(10, 5, "5.0/10.0 s");
    expect(4, 5, "5.0/");
}

Test(progress, never_wider_than_the_terminal)
{
    for (int width = 1; width <= 200; width++) {
        char *got = bar(width, 3.3, 100000);
        cr_assert_leq((int)strlen(got), width, "'%s'", got);
        free(got);
    }
}

Test(progress, past_the_end_it_is_full)
{
    expect(40, 12, "[###############] 10.0/10.0 s 240 frames");
    struct dj_text text = {0};
    dj_report_progress_bar_append(&text, 30, second_ns, 0, "x");
    cr_assert(strstr(text.data, "0.0/0.0 s") != NULL);
    dj_text_finish(&text);
}
