#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "made_batch.h"
#include "support.h"

static struct made_batch made;

static const struct dj_store_batch plain = {.device = {.serial = "s1", .kind = "adb"}};

/* Sets the figures of run `index`, with times in ms. */
static void set_figures(size_t index, double frames, double p50_ms, double p95_ms)
{
    double *value = made.loaded.runs[index].metrics.value;
    value[DJ_METRIC_FRAMES] = frames;
    value[DJ_METRIC_FRAME_TIME_P50] = p50_ms * 1e6;
    value[DJ_METRIC_FRAME_TIME_P95] = p95_ms * 1e6;
    value[DJ_METRIC_JANKY_PCT] = 2.5;
}

static struct dj_document build_document(const char *store)
{
    struct dj_document document = {0};
    struct dj_error err = {0};
    setenv("TZ", "UTC", 1);
    cr_assert_eq(
        dj_report_build_stored_batch(&document, made.store, &made.loaded, store, &err), 0,
        "%s", err.message);
    cr_expect_str_eq(document.title, "Batch — dejank show");
    return document;
}

/* Expects the document with its details. */
static void expect_batch(const char *store, const char *expected)
{
    struct dj_document document = build_document(store);
    expect_document(&document, 100, expected);
}

/* Expects the document without its details. */
static void expect_main(const char *expected)
{
    struct dj_document document = build_document(NULL);
    struct dj_text text = {0};
    const struct dj_terminal_style style = {.width = 100};
    dj_document_write_terminal(&text, &document, &style, false);
    cr_expect_str_eq(dj_text_get(&text), expected);
    dj_text_finish(&text);
    dj_document_finish(&document);
}

static void finish(void)
{
    finish_batch(&made);
}

TestSuite(batch_document, .fini = finish);

Test(batch_document, a_batch_without_runs_has_no_table)
{
    make_batch(&made, &plain, NULL, 0);
    expect_batch(
        NULL, "scroll: no run counts, so the smoothness is unknown\n\n"
              "app   com.x, scroll on s1; batch abcd1234abcd1234\n"
              "runs  0 clean runs. Outcomes: no run\n\n"
              "origin\n"
              "began  1970-01-01 00:01, by dejank 9.9\n\n"
              "next:\n"
              "  dejank report abcd1234abcd1234 -o report.html  all figures as a page\n");
}

Test(batch_document, one_run_has_its_figures_and_conditions)
{
    static const struct dj_condition before[] = {{"battery", 83, NULL, "%"},
                                                 {"governor", NAN, "schedutil", NULL},
                                                 {"thermal", NAN, NULL, NULL}};
    static const struct dj_condition after[] = {{"battery", 12, NULL, "%"}};
    static const struct dj_fact facts[] = {
        {"ram", "2048", "MB"}, {"gpu", "Mali", NULL}, {"soc", NULL, NULL}};
    static const struct dj_store_batch batch = {
        .build = {"1.0", "abc", "A"},
        .device = {"s1", "adb", "Pixel", "14", facts, 3},
        .planned = 1,
        .arm = "B",
        .repeats = "ffff1111ffff1111"};
    static const struct dj_store_run run = {.number = 1,
                                            .before = before,
                                            .before_count = 3,
                                            .after = after,
                                            .after_count = 1};
    make_batch(&made, &batch, &run, 1);
    set_figures(0, 60, 8.5, 12.25);
    made.loaded.runs[0].metrics.value[DJ_METRIC_FRAME_RATE] = 59.94;
    expect_batch(
        "a b.db",
        "A: p95 frame time 12.25 ms, 2.50 % janky, median of 1 run\n\n"
        "app   com.x, scroll on Pixel (s1), 14; version 1.0, commit abc; batch "
        "abcd1234abcd1234\n"
        "runs  1 clean run of 1 planned. Outcomes: 1 ok\n\n"
        "figure                           median   mean        quartiles      min ... "
        "max\n"
        "Janky frames, %                    2.50   2.50    2.50 ... 2.50    2.50 ... "
        "2.50\n"
        "Frame time, 50th percentile, ms    8.50   8.50    8.50 ... 8.50    8.50 ... "
        "8.50\n"
        "Frame time, 95th percentile, ms   12.25  12.25  12.25 ... 12.25  12.25 ... "
        "12.25\n"
        "Average frame rate, Hz             59.9   59.9    59.9 ... 59.9    59.9 ... "
        "59.9\n\n"
        "run  outcome  frames  p50, ms  p90, ms  p95, ms  p99, ms  janky, %\n"
        "  1  ok           60     8.50        -    12.25        -      2.50\n\n"
        "other figures\n"
        "figure  median  mean  quartiles  min ... max\n"
        "Frames      60    60  60 ... 60    60 ... 60\n\n"
        "figure                           standard deviation  runs\n"
        "Janky frames, %                                   -     1\n"
        "Frame time, 50th percentile, ms                   -     1\n"
        "Frame time, 95th percentile, ms                   -     1\n"
        "Average frame rate, Hz                            -     1\n\n"
        "figure  standard deviation  runs\n"
        "Frames                   -     1\n\n"
        "origin\n"
        "began         1970-01-01 00:01, by dejank 9.9\n"
        "arm           B\n"
        "repeats       ffff1111ffff1111\n"
        "device facts  gpu Mali, ram 2048 MB, soc unknown\n\n"
        "conditions of each run\n"
        "run  frame rate, Hz  conditions before the run\n"
        "  1            59.9  battery 83 %, governor schedutil, thermal unknown\n\n"
        "next:\n"
        "  dejank report abcd1234abcd1234 -o report.html --store 'a b.db'  all figures "
        "as a page\n");
}

Test(batch_document, runs_that_do_not_count_have_a_reason)
{
    static const struct dj_store_run runs[] = {
        {.number = 1, .warmup = true},
        {.number = 1},
        {.number = 2,
         .order_index = 1,
         .outcome = DJ_RUN_APP_CRASHED,
         .reason = "SIGSEGV"},
        {.number = 2, .attempt = 2, .order_index = 2, .reason = "load: 7"},
        {.number = 3, .order_index = 3},
    };
    make_batch(&made, &plain, runs, 5);
    for (size_t i = 0; i < 5; i++) {
        set_figures(i, 60, 8 + (double)i, 12 + (double)i);
    }
    made.loaded.runs[4].excluded = "hot";
    made.loaded.batch.runs = (struct dj_run_counts){.clean = 2,
                                                    .disturbed = 1,
                                                    .failed = 1,
                                                    .excluded = 1,
                                                    .planned = 4,
                                                    .warmups = 1};
    expect_main(
        "scroll: p95 frame time 14.00 ms, 2.50 % janky, median of 2 runs\n\n"
        "app   com.x, scroll on s1; batch abcd1234abcd1234\n"
        "runs  2 counted runs of 4 planned, 1 of them disturbed, 1 that failed, 1 "
        "excluded, 1 warm-up.\n"
        "      Outcomes: 3 ok, 1 app crashed\n\n"
        "* run 2 does not count: app crashed: SIGSEGV\n"
        "* run 3 does not count: excluded: hot\n"
        "* run 2.2 counts, but was disturbed: load: 7\n\n"
        "figure                           median   mean        quartiles      min ... "
        "max\n"
        "Janky frames, %                    2.50   2.50    2.50 ... 2.50    2.50 ... "
        "2.50\n"
        "Frame time, 50th percentile, ms   10.00  10.00   9.50 ... 10.50   9.00 ... "
        "11.00\n"
        "Frame time, 95th percentile, ms   14.00  14.00  13.50 ... 14.50  13.00 ... "
        "15.00\n\n"
        "      run  outcome       frames  p50, ms  p90, ms  p95, ms  p99, ms  janky, %\n"
        "warm-up 1  ok                60     8.00        -    12.00        -      2.50\n"
        "        1  ok                60     9.00        -    13.00        -      2.50\n"
        "        2  app crashed       60    10.00        -    14.00        -      2.50\n"
        "      2.2  ok                60    11.00        -    15.00        -      2.50\n"
        "        3  ok, excluded      60    12.00        -    16.00        -      "
        "2.50\n\n"
        "Not shown: other figures, origin, conditions of each run (--all shows "
        "everything).\n\n"
        "next:\n"
        "  dejank report abcd1234abcd1234 -o report.html  all figures as a page\n");
}

Test(batch_document, printed_figures_replace_unknown_frame_times)
{
    static const struct dj_store_run runs[] = {{.number = 1}, {.number = 2}};
    make_batch(&made, &plain, runs, 2);
    set_figures(0, 60, 8.5, 12.25);
    made.loaded.runs[1].metrics.value[DJ_METRIC_HWUI_P50] = 9;
    made.loaded.runs[1].metrics.value[DJ_METRIC_HWUI_P95] = 14;
    expect_main(
        "scroll: p95 frame time 12.25 ms, 2.50 % janky, median of 2 runs\n\n"
        "app   com.x, scroll on s1; batch abcd1234abcd1234\n"
        "runs  2 clean runs. Outcomes: 2 ok\n\n"
        "figure                           median   mean        quartiles      min ... "
        "max\n"
        "Janky frames, %                    2.50   2.50    2.50 ... 2.50    2.50 ... "
        "2.50\n"
        "Frame time, 50th percentile, ms    8.50   8.50    8.50 ... 8.50    8.50 ... "
        "8.50\n"
        "Frame time, 95th percentile, ms   12.25  12.25  12.25 ... 12.25  12.25 ... "
        "12.25\n\n"
        "run  outcome  frames  p50, ms  p90, ms  p95, ms  p99, ms  janky, %\n"
        "  1  ok           60     8.50        -    12.25        -      2.50\n"
        "  2  ok            -        9        -       14        -         -\n\n"
        "Not shown: other figures, origin, conditions of each run (--all shows "
        "everything).\n\n"
        "next:\n"
        "  dejank report abcd1234abcd1234 -o report.html  all figures as a page\n");
}

Test(batch_document, guide_total_replaces_frame_times_that_no_run_has)
{
    static const struct dj_store_run run = {.number = 1};
    make_batch(&made, &plain, &run, 1);
    made.loaded.runs[0].metrics.value[DJ_METRIC_GUIDE_TOTAL_P50] = 9.5e6;
    made.loaded.runs[0].metrics.value[DJ_METRIC_GUIDE_TOTAL_P95] = 20.125e6;
    expect_main(
        "scroll: p95 guide_total 20.12 ms, median of 1 run\n\n"
        "app   com.x, scroll on s1; batch abcd1234abcd1234\n"
        "runs  1 clean run. Outcomes: 1 ok\n\n"
        "figure                            median   mean        quartiles      min ... "
        "max\n"
        "guide_total, 50th percentile, ms    9.50   9.50    9.50 ... 9.50    9.50 ... "
        "9.50\n"
        "guide_total, 95th percentile, ms   20.12  20.12  20.12 ... 20.12  20.12 ... "
        "20.12\n\n"
        "run  outcome  frames  p50, ms  p90, ms  p95, ms  p99, ms  janky, %\n"
        "  1  ok            -     9.50        -    20.12        -         -\n\n"
        "* No run recorded frame times. p50 to p99 are percentiles of guide_total, the "
        "time from the intended\n"
        "  vsync to the completion.\n\n"
        "Not shown: other figures, origin, conditions of each run (--all shows "
        "everything).\n\n"
        "next:\n"
        "  dejank report abcd1234abcd1234 -o report.html  all figures as a page\n");
}

Test(batch_document, hostile_texts_are_escaped)
{
    static const struct dj_condition before = {"\033[2J", NAN, "<b>\n", NULL};
    static const struct dj_fact fact = {"f\033", "%n\xff", "\t"};
    static const struct dj_store_batch batch = {
        .project = "com.x\n",
        .build = {.label = "\033]0;x\a"},
        .device = {"s\xe2\x80\xae", "adb", NULL, NULL, &fact, 1},
        .arm = "%s"};
    static const struct dj_store_run run = {
        .number = 1, .reason = "\033[31m", .before = &before, .before_count = 1};
    make_batch(&made, &batch, &run, 1);
    expect_batch("'; rm -rf /",
                 "\\x1b]0;x\\x07: median of 1 run\n\n"
                 "app   com.x\\x0a, scroll on s\\xe2\\x80\\xae; batch abcd1234abcd1234\n"
                 "runs  1 counted run, 1 of them disturbed. Outcomes: 1 ok\n\n"
                 "* run 1 counts, but was disturbed: \\x1b[31m\n\n"
                 "run  outcome  frames  p50, ms  p90, ms  p95, ms  p99, ms  janky, %\n"
                 "  1  ok            -        -        -        -        -         -\n\n"
                 "origin\n"
                 "began         1970-01-01 00:01, by dejank 9.9\n"
                 "arm           %s\n"
                 "device facts  f\\x1b %n\\xff \\x09\n\n"
                 "conditions of each run\n"
                 "run  frame rate, Hz  conditions before the run\n"
                 "  1               -  \\x1b[2J <b>\\x0a\n\n"
                 "next:\n"
                 "  dejank report abcd1234abcd1234 -o report.html --store ''\\''; rm -rf "
                 "/'  all figures as a page\n");
}
