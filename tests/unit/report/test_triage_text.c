/* The text of triage in terminals of several widths. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "report/escape/name.h"
#include "report/triage.h"

enum { MS = 1000000 };

static struct dj_triage_part parts[] = {
    {0, 9 * MS, 0, DJ_CAUSE_OWN_WORK, "отрисовка", "поток"},
    {9 * MS, 20 * MS, 1, DJ_CAUSE_LOCK, "отрисовка", "поток"},
    {20 * MS, 30 * MS, SIZE_MAX, DJ_CAUSE_LATE_WAKE, "отрисовка", "поток"},
};
static struct dj_triage_worst worst[] = {
    {"очень длинное имя кадра 7", "a", "поток", 0, 30 * MS, 16 * MS, parts, 3},
    {"frame 8", "a", "main", 0, 12 * MS, 8 * MS, parts, 1},
};
static struct dj_triage_limit limits[] = {
    {"no interrupts: a wake-up by the network or another device looks like a timer's"}};

static struct dj_triage_cause create_cause(enum dj_cause_kind kind)
{
    struct dj_triage_cause cause = {.kind = kind,
                                    .name = "отрисовка списка",
                                    .thread = "com.example.app",
                                    .holder = "RenderThread",
                                    .frames = 1,
                                    .ns = 4000LL * MS,
                                    .saved_frames = 1,
                                    .saved_ns = 90 * MS,
                                    .evidence_count = 1};
    cause.evidence[0] = (struct dj_triage_evidence){.frame = "frame 7",
                                                    .trace = "a",
                                                    .thread = "main",
                                                    .waker = "x",
                                                    .holder = "",
                                                    .holder_section = "",
                                                    .holder_process = "",
                                                    .called = "",
                                                    .detail = "",
                                                    .stack = {"отрисовка"},
                                                    .stack_count = 1};
    return cause;
}

static void write_page(struct dj_text *text, int width, bool unicode)
{
    struct dj_triage_cause causes[] = {create_cause(DJ_CAUSE_LOCK),
                                       create_cause(DJ_CAUSE_RUNNABLE)};
    const struct dj_triage_result result = {.frames_from = "slices",
                                            .budget_from = "option",
                                            .frames = 1234,
                                            .janky = 1,
                                            .late_ns = 90 * MS,
                                            .budget_ns = 16 * MS,
                                            .causes = causes,
                                            .cause_count = 1,
                                            .machine = causes + 1,
                                            .machine_count = 1,
                                            .worst = worst,
                                            .worst_count = 2,
                                            .limits = limits,
                                            .limit_count = 1};
    const struct dj_terminal_style style = {.width = width, .unicode = unicode};
    dj_report_write_triage_text(text, &result, &style);
    cr_assert_not(text->failed);
}

Test(triage_page, no_line_is_wider_than_the_terminal)
{
    for (int width = 20; width <= 120; width++) {
        struct dj_text text = {0};
        write_page(&text, width, true);
        for (char *line = strtok(text.data, "\n"); line != NULL;
             line = strtok(NULL, "\n")) {
            cr_expect(dj_name_count_columns(line) <= (size_t)width, "%d: %s", width,
                      line);
            cr_expect_null(strstr(line, "\\x"), "a character was cut: %s", line);
        }
        dj_text_finish(&text);
    }
}

Test(triage_page, without_a_terminal_each_sentence_is_a_line)
{
    struct dj_text text = {0};
    write_page(&text, 0, true);
    cr_expect_not_null(strstr(dj_text_get(&text),
                              "1. In 1 of 1 late frame com.example.app waited in "
                              "\"отрисовка списка\" for what thread RenderThread held; "
                              "that one ran 0.0 ms: 4000.0 ms. Without it 1 would have "
                              "been in time, and all together 90.0 ms less late.\n"));
    cr_expect_not_null(strstr(dj_text_get(&text), "1 of 1234 frames was late, by 90.0 ms "
                                                  "in all (frames: slices; budget: "
                                                  "16.000 ms).\n"));
    dj_text_finish(&text);
}

static void expect_budget(const struct dj_triage_result *result, const char *words)
{
    struct dj_text text = {0};
    const struct dj_terminal_style style = {.width = 0};
    dj_report_write_triage_text(&text, result, &style);
    cr_expect_not_null(strstr(dj_text_get(&text), words), "%s", dj_text_get(&text));
    dj_text_finish(&text);
}

Test(triage_page, the_budget_says_where_it_is_from)
{
    struct dj_triage_shown_rate rate = {"a.txt", "VSYNC-app", 0, 11130000};
    struct dj_triage_result result = {.frames_from = "slices",
                                      .frames = 9,
                                      .budget_from = "VSYNC-app",
                                      .budget_ns = 11130000,
                                      .rates = &rate,
                                      .rate_count = 1};
    expect_budget(&result, "; budget: 11.130 ms, 89.8 Hz, from VSYNC-app).");
    result = (struct dj_triage_result){
        .frames_from = "slices", .budget_from = "assumed", .budget_ns = 16666667};
    expect_budget(&result, "; budget: 16.667 ms, assumed: 60 Hz).");
    result.budget_from = "option";
    expect_budget(&result, "; budget: 16.667 ms).");
}

Test(triage_page, an_ascii_terminal_gets_only_ascii)
{
    struct dj_text text = {0};
    write_page(&text, 60, false);
    for (size_t i = 0; i < text.length; i++) {
        cr_assert((unsigned char)text.data[i] < 0x80);
    }
    cr_expect_not_null(strstr(dj_text_get(&text), "\\u043E"));
    dj_text_finish(&text);
}

Test(triage_page, frames_without_a_cause_are_reported)
{
    const struct dj_terminal_style style = {.width = 0, .unicode = true};
    struct dj_triage_result result = {
        .frames_from = "slices", .frames = 9, .janky = 2, .against_base = true};
    struct dj_text text = {0};
    dj_report_write_triage_text(&text, &result, &style);
    cr_expect_not_null(strstr(dj_text_get(&text),
                              "\nNothing took notably more of them than in the base.\n"));
    dj_text_clear(&text);
    struct dj_triage_cause other = create_cause(DJ_CAUSE_RUNNABLE);
    result.machine = &other;
    result.machine_count = 1;
    result.against_base = false;
    dj_report_write_triage_text(&text, &result, &style);
    cr_expect_not_null(strstr(dj_text_get(&text),
                              "\nNothing but other programs took "
                              "notably more of them than is usual.\n"));
    dj_text_clear(&text);
    result.janky = 0;
    dj_report_write_triage_text(&text, &result, &style);
    cr_expect_str_eq(dj_text_get(&text),
                     "0 of 9 frames were late, by 0.0 ms in all (frames: slices).\n");
    dj_text_finish(&text);
}
