/* Tests of the functions that are found in planted trees. Each sample is 1 ms. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "planted.h"

enum { JANKY = 10, SMOOTH = 40, ALL = JANKY + SMOOTH };

static void start(void)
{
    planted_start(JANKY, SMOOTH);
}

TestSuite(calls_difference, .init = start, .fini = planted_finish);

/* The usual samples of a frame: 9 ms below main/frame. The number of samples of `parse`
 * differs by chance, as in real frames. */
static void add_usual(uint32_t frame)
{
    planted_add(frame, "main/frame/layout/measure", 3);
    planted_add(frame, "main/frame/parse/read", 2 + (frame % 2));
    planted_add(frame, "main/frame/draw/mix", 2);
    planted_add(frame, "main/frame/shadow/mix", 1);
    planted_add(frame, "main/frame", 1);
}

static void is_about(double ns, double expected_ms)
{
    cr_expect_float_eq(ns / 1e6, expected_ms, 0.01, "%.3f ms, expected %.3f", ns / 1e6,
                       expected_ms);
}

Test(calls_difference, a_function_with_a_shared_leaf_and_a_shared_caller)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "main/frame/shadow/mix", i < JANKY ? 4 : 0);
        planted_add(i, "main/frame/shadow", i < JANKY ? 1 : 0);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    cr_expect_str_eq(planted_name(0), "shadow");
    const struct dj_calls_cause *cause = &result->causes[0];
    is_about(cause->extra_ns, 5);
    is_about(result->excess_ns, 5);
    cr_expect_eq(cause->samples, 6 * JANKY);
    cr_expect_eq(cause->frames, JANKY);
    cr_expect_float_eq(cause->named, 1, 1e-9);
    cr_expect_float_eq(cause->guessed, 0, 1e-9);
    /* Each frame has the same extra time, so the interval is a point. */
    is_about(cause->low_ns, 5);
    is_about(cause->high_ns, 5);
}

Test(calls_difference, a_shared_function_that_is_slower_in_all_calls_is_added)
{
    static const char *const callers[] = {"main/frame/layout/mix", "main/frame/parse/mix",
                                          "main/frame/draw/mix", "main/frame/mix"};
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        for (size_t k = 0; k < 4; k++) {
            planted_add(i, callers[k], i < JANKY ? 3 : 1);
        }
        planted_add(i, "main/frame/shadow/mix", i < JANKY ? 1 : 0);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    cr_expect_str_eq(planted_name(0), "mix");
    is_about(result->causes[0].extra_ns, 9);
}

Test(calls_difference, a_shared_function_that_one_caller_calls_more_is_not_the_cause)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "main/frame/layout/mix", 1);
        planted_add(i, "main/frame/parse/mix", i < JANKY ? 5 : 1);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    cr_expect_str_eq(planted_name(0), "parse");
    is_about(result->causes[0].extra_ns, 4);
}

Test(calls_difference, a_function_below_a_shared_dispatcher_is_found)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "main/frame/layout/emit/resize", 2);
        planted_add(i, "main/frame/draw/emit/paint", i < JANKY ? 6 : 2);
    }
    planted_result();
    cr_expect_str_eq(planted_name(0), "paint");
}

Test(calls_difference, what_only_a_shared_function_calls_is_not_the_cause)
{
    static const char *const callers[] = {"measure", "read", "blur", "fill"};
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        for (size_t k = 0; k < 4; k++) {
            char path[64];
            snprintf(path, sizeof(path), "main/frame/%s", callers[k]);
            planted_add(i, path, k == 2 && i < JANKY ? 3 : 1);
            snprintf(path, sizeof(path), "main/frame/%s/get_time/read_clock/read_page",
                     callers[k]);
            planted_add(i, path, k == 2 && i < JANKY ? 4 : 1);
        }
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    cr_expect_str_eq(planted_name(0), "blur");
    is_about(result->causes[0].extra_ns, 5);
}

Test(calls_difference, a_function_on_two_paths_is_one_cause)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "main/frame/on_timer/render/blur", i < JANKY ? 4 : 1);
        planted_add(i, "main/frame/on_expose/render/blur", i < JANKY ? 3 : 1);
        planted_add(i, "main/frame/on_timer/render/fill", 2);
        planted_add(i, "main/frame/on_expose/render/fill", 2);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    cr_expect_str_eq(planted_name(0), "blur");
    is_about(result->causes[0].extra_ns, 5);
}

Test(calls_difference, recursion_is_a_part_of_its_outermost_call)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "main/frame/box/box/box", i < JANKY ? 4 : 1);
        planted_add(i, "main/frame/box/box", i < JANKY ? 4 : 1);
        planted_add(i, "main/frame/box", i < JANKY ? 4 : 1);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    cr_expect_str_eq(planted_name(0), "box");
    is_about(result->causes[0].extra_ns, 9);
}

/* `step` does little itself, and `blur` has all of the extra time. */
Test(calls_difference, a_thin_caller_is_not_the_cause)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "main/frame/step", i % 4 == 0);
        planted_add(i, "main/frame/step/blur", i < JANKY ? 6 : 2);
    }
    planted_result();
    cr_expect_str_eq(planted_name(0), "blur");
}

Test(calls_difference, if_all_functions_take_longer_none_stands_out)
{
    for (uint32_t i = 0; i < ALL; i++) {
        int times = i < JANKY ? 2 : 1;
        for (int k = 0; k < times; k++) {
            planted_add(i, "main/frame/layout/measure", 4);
            planted_add(i, "main/frame/parse/read", 3);
            planted_add(i, "main/frame/draw/mix", 2);
        }
    }
    const struct dj_calls_difference *result = planted_result();
    is_about(result->excess_ns, 9);
    cr_expect_eq(result->cause_count, 0);
}

Test(calls_difference, work_that_only_janky_frames_have)
{
    for (uint32_t i = 0; i < JANKY; i++) {
        planted_add(i, "main/frame/shadow/mix", 11);
        planted_add(i, "main/frame/text/mix", 5);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 2);
    cr_expect_str_eq(planted_name(0), "shadow");
    is_about(result->causes[0].extra_ns, 11);
    cr_expect_str_eq(planted_name(1), "text");
}

Test(calls_difference, a_program_of_one_function)
{
    for (uint32_t i = 0; i < ALL; i++) {
        planted_add(i, "main/work", i < JANKY ? 9 : 4);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    cr_expect_str_eq(planted_name(0), "work");
}

Test(calls_difference, different_frames_with_different_causes)
{
    static const char *const plants[] = {"main/frame/draw/mix", "main/frame/parse/read",
                                         "main/frame/layout/measure"};
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, plants[i % 3], i < JANKY ? 6 : 0);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 3);
    /* Ten frames: the first plant has four of them. */
    cr_expect_str_eq(planted_name(0), "draw");
    cr_expect_eq(result->causes[0].frames, 4);
    cr_expect_eq(result->causes[1].frames, 3);
    is_about(result->causes[0].extra_ns, 2.4);
    cr_expect(result->causes[0].low_ns < 2.4e6 && result->causes[0].high_ns > 2.4e6);
}

Test(calls_difference, a_chain_with_the_same_samples_is_one_cause)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "main/frame/text/shape/glyphs", i < JANKY ? 6 : 1);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    const struct dj_calls_cause *cause = &result->causes[0];
    cr_expect_str_eq(planted_name(0), "text");
    cr_expect_str_eq(planted_node_name(cause->chain_first), "text");
    cr_expect_str_eq(planted_node_name(cause->chain_last), "glyphs");
}

Test(calls_difference, a_function_in_all_stacks_is_no_cause)
{
    /* `render` takes 80 % of the usual time, so D − 0.4·S of `main` is nearly as large.
     */
    for (uint32_t i = 0; i < ALL; i++) {
        planted_add(i, "main/frame/render", 8);
        planted_add(i, "main/frame/other", 2);
        planted_add(i, "main/frame/render", i < JANKY ? 20 : 0);
    }
    planted_result();
    cr_expect_str_eq(planted_name(0), "render");
}

Test(calls_difference, time_of_the_function_itself_is_found)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "main/frame", i < JANKY ? 6 : 0);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    cr_expect_str_eq(planted_name(0), "frame");
    is_about(result->causes[0].extra_ns, 6);
    cr_expect_eq(result->causes[0].samples, 7 * JANKY);
}

Test(calls_difference, nothing_planted_and_nothing_named)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
    }
    cr_expect_eq(planted_result()->cause_count, 0);
}

Test(calls_difference, chance_is_no_cause)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        /* One sample of a function that no smooth frame shows. */
        planted_add(i, "main/frame/rare", i == 3);
    }
    cr_expect_eq(planted_result()->cause_count, 0);
}

Test(calls_difference, janky_frames_that_take_less_time)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "main/frame/late", i < JANKY ? 0 : 4);
    }
    const struct dj_calls_difference *result = planted_result();
    is_about(result->excess_ns, -4);
    cr_expect_eq(result->cause_count, 0);
}

Test(calls_difference, shares_of_names_and_guesses)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        if (i < JANKY) {
            planted_add(i, "main/frame/?a/?b", 2);
            planted_add(i, "main/frame/?a/known", 1);
            planted_add_guess(i, "main/frame/?a/known");
        }
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    cr_expect_str_eq(planted_name(0), "app!0x61");
    cr_expect_float_eq(result->causes[0].named, 0.5, 1e-9);
    cr_expect_float_eq(result->causes[0].guessed, 0.25, 1e-9);
}

Test(calls_difference, too_few_frames)
{
    planted_start(DJ_CALLS_FRAMES_LEAST - 1, SMOOTH);
    for (uint32_t i = 0; i < DJ_CALLS_FRAMES_LEAST - 1 + SMOOTH; i++) {
        planted_add(i, "main/frame", i < DJ_CALLS_FRAMES_LEAST - 1 ? 9 : 3);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_expect(result->too_few_janky);
    cr_expect_not(result->too_few_smooth);
    cr_expect_eq(result->cause_count, 0);
    planted_start(JANKY, 0);
    result = planted_result();
    cr_expect(result->too_few_smooth);
}

Test(calls_difference, no_samples)
{
    const struct dj_calls_difference *result = planted_result();
    cr_expect_eq(result->cause_count, 0);
    cr_expect_not(result->too_few_janky);
}

Test(calls_difference, frames_that_show_it)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "main/frame/shadow/mix", i < JANKY && i != 4 ? 5 : 0);
        planted_add(i, "main/frame/shadow/mix", i == 7 ? 1 : 0);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    cr_expect_eq(result->causes[0].frames, JANKY - 1);
    cr_expect_eq(result->causes[0].worst_frame, 7);
    is_about(result->causes[0].worst_ns, 7);
}

/* `read` is shared, and `[vfs]` has no other caller than `read`. */
Test(calls_difference, time_in_the_kernel_belongs_to_the_function_that_called_it)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "main/frame/layout/read/[vfs]", 2);
        planted_add(i, "main/frame/shadow/read/[vfs]", i < JANKY ? 5 : 2);
        planted_add(i, "main/frame/shadow/read/[vfs]/[copy]", i < JANKY ? 4 : 0);
        planted_add(i, "[kthread]/[work]", 1);
    }
    const struct dj_calls_difference *result = planted_result();
    cr_assert_eq(result->cause_count, 1);
    cr_expect_str_eq(planted_name(0), "shadow");
    is_about(result->causes[0].extra_ns, 7);
    uint32_t kernel = planted_stack("main/frame/shadow/read/[vfs]");
    is_about(result->janky_ns[kernel], 9);
    is_about(result->smooth_ns[kernel], 2);
}

Test(calls_difference, a_stack_of_the_kernel_alone_keeps_its_functions)
{
    for (uint32_t i = 0; i < ALL; i++) {
        add_usual(i);
        planted_add(i, "[kthread]/[work]", i < JANKY ? 6 : 1);
        planted_add(i, "[kthread]/[idle]", 2);
    }
    cr_assert_eq(planted_result()->cause_count, 1);
    cr_expect_str_eq(planted_name(0), "[work]");
}
