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
    {"очень длинное имя кадра 7", "a", "поток", 0, 0, 30 * MS, 16 * MS, parts, 3, NULL,
     0},
    {"frame 8", "a", "main", 0, 0, 12 * MS, 8 * MS, parts, 1, NULL, 0},
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

static void write_result(struct dj_text *text, const struct dj_triage_result *result,
                         int width, bool unicode)
{
    const struct dj_terminal_style style = {.width = width, .unicode = unicode};
    struct dj_document document = {0};
    dj_report_add_triage(&document, result, NULL);
    dj_document_write_terminal(text, &document, &style, true);
    dj_document_finish(&document);
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
    write_result(text, &result, width, unicode);
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

Test(triage_page, the_verdict_comes_first_and_then_the_causes)
{
    struct dj_text text = {0};
    write_page(&text, 100, true);
    const char *page = dj_text_get(&text);
    cr_expect(strncmp(page, "1 of 1234 frames janky; main cause: a lock in ", 46) == 0,
              "%s", page);
    cr_expect_not_null(strstr(page, "#  cause  frames saved"), "%s", page);
    cr_expect_not_null(strstr(page, "1. Thread com.example.app waited in"), "%s", page);
    cr_expect_not_null(strstr(page, "Meanwhile RenderThread ran 0.0 ms."), "%s", page);
    cr_expect_not_null(strstr(page, "The worst frames from start to end\n"), "%s", page);
    cr_expect_not_null(strstr(page, "W own work  L lock  t late wake-up"), "%s", page);
    dj_text_finish(&text);
}

static void expect_budget(const struct dj_triage_result *result, const char *words)
{
    struct dj_text text = {0};
    write_result(&text, result, 80, true);
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
    expect_budget(&result, "deadline     11.130 ms (89.8 Hz, from VSYNC-app)\n");
    result = (struct dj_triage_result){
        .frames_from = "slices", .budget_from = "assumed", .budget_ns = 16666667};
    expect_budget(&result, "deadline     16.667 ms (assumed: 60 Hz)\n");
    result.budget_from = "option";
    expect_budget(&result, "deadline     16.667 ms\n");
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

/* Expects that the text suggests sampling call stacks, or does not. */
static void expect_stacks_command(const struct dj_triage_result *result, bool suggested)
{
    struct dj_text text = {0};
    write_result(&text, result, 80, true);
    cr_expect_eq(
        strstr(dj_text_get(&text),
               "next:\n  dejank trace capture --stacks -o stacks.pftrace -- CMD") != NULL,
        suggested, "%s", dj_text_get(&text));
    dj_text_finish(&text);
}

Test(triage_page, stacks_are_suggested_for_own_work_without_stacks)
{
    struct dj_triage_functions functions = {.too_few = true};
    struct dj_triage_cause causes[] = {create_cause(DJ_CAUSE_LOCK),
                                       create_cause(DJ_CAUSE_OWN_WORK)};
    struct dj_triage_result result = {.frames_from = "slices",
                                      .frames = 9,
                                      .janky = 2,
                                      .causes = causes,
                                      .cause_count = 2};
    expect_stacks_command(&result, true);
    result.cause_count = 1;
    expect_stacks_command(&result, false);
    result.cause_count = 2;
    result.from_android = true;
    expect_stacks_command(&result, false);
    result.from_android = false;
    result.functions = &functions;
    expect_stacks_command(&result, false);
}

Test(triage_page, frames_without_a_cause_are_reported)
{
    struct dj_triage_result result = {
        .frames_from = "slices", .frames = 9, .janky = 2, .against_base = true};
    struct dj_text text = {0};
    write_result(&text, &result, 80, true);
    cr_expect_not_null(strstr(
        dj_text_get(&text),
        "\nNothing took notably longer in the janky frames than in the baseline.\n"));
    dj_text_clear(&text);
    struct dj_triage_cause other = create_cause(DJ_CAUSE_RUNNABLE);
    result.machine = &other;
    result.machine_count = 1;
    result.against_base = false;
    write_result(&text, &result, 80, true);
    cr_expect_not_null(strstr(dj_text_get(&text),
                              "\nOnly other programs took notably longer in the "
                              "janky frames than in other\nframes.\n"));
    dj_text_clear(&text);
    result.janky = 0;
    write_result(&text, &result, 80, true);
    cr_expect_str_eq(dj_text_get(&text), "0 of 9 frames janky\n\n"
                                         "delay        0.0 ms late in total\n"
                                         "frames from  slices\n");
    dj_text_finish(&text);
}
