/* What --trace and its words make of a batch's trace. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cli/trace_asked.h"

static const char *const here[] = {"local:"};
static const char *const both[] = {"emulator-5554", "local:"};
static const char *const away[] = {"emulator-5554"};

static struct dj_batch_plan plan;
static const char *note;
static struct dj_error err;

static int apply(struct dj_trace_asked asked)
{
    err = (struct dj_error){0};
    plan.devices = plan.devices != NULL ? plan.devices : here;
    plan.device_count = plan.device_count > 0 ? plan.device_count : 1;
    return dj_trace_asked_apply(&asked, &plan, &note, &err);
}

Test(trace_asked, nothing_said_leaves_the_plan)
{
    plan.trace = (struct dj_trace_plan){.what = DJ_TRACE_JANKY, .before_ns = 5};
    cr_assert_eq(apply((struct dj_trace_asked){.trace = NULL}), 0);
    cr_expect(plan.trace.what == DJ_TRACE_JANKY && plan.trace.before_ns == 5);
    cr_expect_null(note);
}

Test(trace_asked, what_is_said_wins)
{
    static const char *const categories[] = {"sched", "irq"};
    plan.trace = (struct dj_trace_plan){
        .what = DJ_TRACE_ALL, .size_bytes = 7, .buffer_bytes = 1 << 20};
    cr_assert_eq(apply((struct dj_trace_asked){.trace = "janky",
                                               .words = {.level = "perf",
                                                         .before_ns = 1000000,
                                                         .after_ns = 2000000,
                                                         .size_mb = 32},
                                               .categories = categories,
                                               .category_count = 2}),
                 0, "%s", err.message);
    cr_expect_eq(plan.trace.what, DJ_TRACE_JANKY);
    cr_expect(plan.trace.level_asked && plan.trace.level == DJ_CAPTURE_PERF);
    cr_expect_eq(plan.trace.before_ns, 1000000);
    cr_expect_eq(plan.trace.after_ns, 2000000);
    cr_expect_eq(plan.trace.size_bytes, 32 << 20);
    cr_expect_eq(plan.trace.buffer_bytes, 1 << 20, "of the plan");
    cr_expect_eq(plan.trace.category_count, 2);
    cr_expect_str_eq(plan.trace.categories[1], "irq");
}

Test(trace_asked, words_for_janky_frames_mean_nothing_with_all)
{
    plan.trace = (struct dj_trace_plan){
        .what = DJ_TRACE_JANKY, .before_ns = 5, .after_ns = 6, .size_bytes = 7};
    cr_assert_eq(apply((struct dj_trace_asked){.trace = "all"}), 0);
    cr_assert_not_null(note);
    cr_expect_not_null(strstr(note, "'before' and 'after'"));
    cr_expect_eq(plan.trace.what, DJ_TRACE_ALL);
    cr_expect(plan.trace.before_ns == 0 && plan.trace.after_ns == 0);
    cr_expect_eq(plan.trace.size_bytes, 7);
    cr_assert_eq(apply((struct dj_trace_asked){.trace = "all"}), 0);
    cr_expect_null(note);
}

static void is_wrong(struct dj_trace_asked asked, const char *says)
{
    const struct dj_trace_plan was = plan.trace;
    cr_expect_eq(apply(asked), DJ_E_USAGE, "%s", says);
    cr_expect_not_null(strstr(err.message, says), "'%s'", err.message);
    cr_expect_eq(memcmp(&was, &plan.trace, sizeof(was)), 0, "it is as it was");
}

Test(trace_asked, what_does_not_go_together)
{
    static const char *const nothing[] = {"nothing"};
    is_wrong((struct dj_trace_asked){.words = {.size_mb = 3}}, "without that");
    is_wrong((struct dj_trace_asked){.categories = nothing, .category_count = 1},
             "without that");
    is_wrong((struct dj_trace_asked){.trace = "", .words = {.after_ns = 3000000}},
             "--trace=janky");
    is_wrong((struct dj_trace_asked){.trace = "", .words = {.level = "perv"}},
             "expected tracefs, perf or own-threads, got 'perv'");
    is_wrong((struct dj_trace_asked){.trace = "", .words = {.size_mb = 513}},
             "--trace-size: 512 MB at most");
    is_wrong((struct dj_trace_asked){.trace = "", .words = {.buffer_mb = 1025}},
             "--trace-buffer: 1024 MB at most");
    is_wrong(
        (struct dj_trace_asked){.trace = "", .categories = nothing, .category_count = 1},
        "--trace-category: 'nothing'");
}

Test(trace_asked, levels_and_categories_are_of_this_machine)
{
    static const char *const gfx[] = {"gfx"};
    plan.devices = away;
    is_wrong((struct dj_trace_asked){.trace = "", .words = {.level = "perf"}},
             "of this machine");
    cr_expect_eq(apply((struct dj_trace_asked){
                     .trace = "", .categories = gfx, .category_count = 1}),
                 0, "a device's own are known once it is there");
    plan.devices = both;
    plan.device_count = 2;
    cr_expect_eq(apply((struct dj_trace_asked){.trace = "", .words = {.level = "perf"}}),
                 0);
}
