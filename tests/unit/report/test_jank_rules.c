#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "memory/memory.h"
#include "report/batches.h"
#include "report/batches/sections.h"
#include "report/dump_forms.h"

enum { RUNS = 4 };

static struct dj_run_row runs[RUNS];
static struct dj_batch batch;
static struct dj_batches batches;

/* A batch of three runs that count and a failed one, all with usable frames. */
static void make_batches(void)
{
    batch = (struct dj_batch){.row = {.id = "abcd1234abcd1234", .label = "1.8"},
                              .runs = runs,
                              .run_count = RUNS};
    batch.row.runs.clean = RUNS - 1;
    batches = (struct dj_batches){.batch = &batch, .count = 1};
    for (int i = 0; i < RUNS; i++) {
        runs[i] = (struct dj_run_row){.number = i + 1, .attempt = 1};
        runs[i].outcome = i == RUNS - 1 ? DJ_RUN_APP_CRASHED : DJ_RUN_OK;
        dj_metrics_clear(&runs[i].metrics);
        runs[i].metrics.value[DJ_METRIC_ROWS_USABLE] = 60;
        runs[i].metrics.value[DJ_METRIC_SLOW_FRAMES_PCT] = 10 * (i + 1);
    }
}

TestSuite(jank_rules, .init = make_batches);

static const char *write_terminal(struct dj_text *text, const char *rule, int width)
{
    struct dj_document document = {0};
    const struct dj_terminal_style style = {.width = width, .unicode = true};
    batches.jank_rule = rule;
    dj_report_build_batches(&document, &batches);
    dj_document_write_terminal(text, &document, &style, false);
    dj_document_finish(&document);
    return dj_xtext(text);
}

Test(jank_rules, a_figure_of_a_run_that_counts_is_not_missing)
{
    cr_expect_null(dj_batches_find_missing_rule(&batch, DJ_JANK_FIREBASE_SLOW));
    runs[0].metrics.value[DJ_METRIC_SLOW_FRAMES_PCT] = (double)NAN;
    cr_expect_null(dj_batches_find_missing_rule(&batch, DJ_JANK_FIREBASE_SLOW));
    runs[RUNS - 1].metrics.value[DJ_METRIC_PERFDOG_JANK] = 1;
    cr_expect_not_null(dj_batches_find_missing_rule(&batch, DJ_JANK_PERFDOG_JANK),
                       "the failed run does not count");
}

Test(jank_rules, a_missing_figure_has_a_reason)
{
    cr_expect_str_eq(dj_batches_find_missing_rule(&batch, DJ_JANK_FREEZE_TIME),
                     "the refresh rate is unknown");
    for (int i = 0; i < RUNS; i++) {
        runs[i].metrics.value[DJ_METRIC_SLOW_FRAMES_PCT] = (double)NAN;
    }
    cr_expect(strstr(dj_batches_find_missing_rule(&batch, DJ_JANK_FREEZE_TIME),
                     "dejank store recompute"));
    for (int i = 0; i < RUNS; i++) {
        runs[i].metrics.value[DJ_METRIC_ROWS_USABLE] = (double)NAN;
    }
    cr_expect_str_eq(dj_batches_find_missing_rule(&batch, DJ_JANK_FREEZE_TIME),
                     "the runs have no usable times of single frames");
    for (int i = 0; i < RUNS; i++) {
        runs[i].outcome = DJ_RUN_APP_CRASHED;
    }
    cr_expect_str_eq(dj_batches_find_missing_rule(&batch, DJ_JANK_FREEZE_TIME),
                     "no run is usable");
}

Test(jank_rules, the_report_of_a_rule_has_the_median_each_run_and_the_formula)
{
    struct dj_text text = {0};
    runs[1].metrics.value[DJ_METRIC_SLOW_FRAMES_PCT] = (double)NAN;
    const char *shown = write_terminal(&text, "firebase-slow", 120);
    cr_expect(strstr(shown, "1.8: firebase-slow 20.00 %, median of 2 runs; not stored "
                            "for 1 more\n"),
              "%s", shown);
    cr_expect(strstr(shown, "firebase-slow, %  10.00, –, 30.00\n"), "%s", shown);
    cr_expect(strstr(shown, "frames with frame duration > 16 ms ÷ frames. Source: "),
              "%s", shown);
    cr_expect_null(strstr(shown, "perfdog"), "%s", shown);
    dj_text_finish(&text);
}

Test(jank_rules, a_rule_that_is_not_stored_says_why)
{
    struct dj_text text = {0};
    const char *shown = write_terminal(&text, "freeze-time", 120);
    cr_expect(strstr(shown, "1.8: freeze-time is not stored: the refresh rate is "
                            "unknown\n"),
              "%s", shown);
    dj_text_finish(&text);
    shown = write_terminal(&text, "all", 120);
    cr_expect(strstr(shown, "1.8: 1 of 17 jank rules have a figure, over 3 runs"), "%s",
              shown);
    cr_expect(strstr(shown, "freeze-time, ms           not stored: the refresh rate is "
                            "unknown\n"),
              "%s", shown);
    dj_text_finish(&text);
}

Test(jank_rules, no_line_is_wider_than_the_terminal)
{
    static const int widths[] = {40, 80, 120};
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        struct dj_text text = {0};
        const char *line = write_terminal(&text, "all", widths[i]);
        for (; *line != '\0'; line += strcspn(line, "\n") + 1) {
            size_t columns = 0;
            for (size_t k = 0; k < strcspn(line, "\n"); k++) {
                columns += ((unsigned char)line[k] & 0xc0U) != 0x80U;
            }
            cr_expect_leq(columns, (size_t)widths[i], "%.*s", (int)strcspn(line, "\n"),
                          line);
        }
        dj_text_finish(&text);
    }
}

static json_t *read_json(const char *rule)
{
    struct dj_text text = {0};
    batches.jank_rule = rule;
    dj_report_write_batches_json(&text, &batches);
    json_t *root = json_loadb(text.data, text.length, 0, NULL);
    cr_assert_not_null(root, "%s", dj_xtext(&text));
    dj_text_finish(&text);
    return root;
}

Test(jank_rules, json_has_the_rules_and_the_figures_of_each_batch)
{
    json_t *root = read_json("firebase-slow");
    json_t *figure = json_array_get(
        json_object_get(json_array_get(json_object_get(root, "batches"), 0), "figures"),
        0);
    cr_expect_str_eq(json_string_value(json_object_get(root, "schema")),
                     "dejank.jank-rules/1");
    cr_expect_eq(json_array_size(json_object_get(root, "rules")), 1);
    cr_expect_eq(json_number_value(json_object_get(figure, "median")), 20);
    cr_expect_eq(json_array_size(json_object_get(figure, "runs")), RUNS - 1);
    cr_expect(json_is_null(json_object_get(figure, "reason")));
    json_decref(root);
    root = read_json("all");
    cr_expect_eq(json_array_size(json_object_get(root, "rules")), DJ_JANK_RULES);
    json_decref(root);
}

Test(jank_rules, csv_has_only_the_columns_of_the_rules)
{
    struct dj_text text = {0};
    batches.jank_rule = "firebase-slow";
    dj_report_write_batches_csv(&text, &batches);
    cr_expect(strstr(dj_xtext(&text), ",outcome,reason,slow_frames_pct\n"), "%s",
              dj_xtext(&text));
    cr_expect(strstr(dj_xtext(&text), ",ok,,10\n"), "%s", dj_xtext(&text));
    dj_text_finish(&text);
}
