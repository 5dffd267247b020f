/* Tests of the functions that triage names below own work. MAIN runs from the start of
 * each frame, every FRAME_US. Janky frames are 2, 7, 12 and so on. */
#include <criterion/criterion.h>
#include <string.h>

#include "made_trace.h"

enum { COUNT = 50, JANKY = 10, LONGER_US = 17000 };

TestSuite(functions, .fini = made_clear);

static int work_longer(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "draw");
    made_end(at + LONGER_US, 0, MAIN);
    return at + LONGER_US;
}

static bool is_odd(int number)
{
    return number % 5 == 2;
}

static int start_of(int number)
{
    return 1000 + number * FRAME_US;
}

static void is_about(double ns, double expected_ms, double within_ms)
{
    cr_expect_float_eq(ns / 1e6, expected_ms, within_ms, "%.3f ms, expected %.3f",
                       ns / 1e6, expected_ms);
}

static const struct dj_triage_cause *find_own_work(const struct dj_triage_result *result)
{
    const struct dj_triage_cause *cause = made_cause(result, DJ_CAUSE_OWN_WORK);
    cr_assert_not_null(cause);
    cr_assert_str_eq(cause->name, "draw");
    return cause;
}

/* Adds samples to all frames. The usual work is in all frames. In janky frames, the
 * section "draw" calls shadow() for 11 ms and text() for 5 ms. */
static void add_samples(int count)
{
    for (int i = 0; i < count; i++) {
        int at = start_of(i) + 200;
        made_samples(at, at + 2000, MAIN, "main/frame/update/mix");
        if (is_odd(i)) {
            made_samples(at + 2000, at + 13000, MAIN, "main/frame/shadow/mix");
            made_samples(at + 13000, at + 18000, MAIN, "main/frame/text/mix");
        }
    }
}

Test(functions, the_functions_below_a_section)
{
    made_frames(COUNT, work_longer);
    add_samples(COUNT);
    const struct dj_triage_cause *cause = find_own_work(made_triage(NULL));
    const struct dj_triage_functions *functions = cause->functions;
    cr_assert_not_null(functions);
    cr_expect_eq(functions->janky_frames, JANKY);
    cr_expect_eq(functions->smooth_frames, COUNT - JANKY);
    cr_expect_not(functions->too_few);
    cr_assert_eq(functions->count, 2);
    const struct dj_triage_function *first = &functions->all[0];
    cr_expect_str_eq(first->function->name, "shadow");
    cr_expect_str_eq(first->function->build_id, "ab01");
    is_about(first->extra_ns, 11, 1.01);
    cr_expect(first->low_ns <= first->extra_ns && first->extra_ns <= first->high_ns);
    cr_expect_eq(first->frames, JANKY);
    cr_expect_eq(first->samples, (size_t)(first->extra_ns / 1e6 + 0.5) * JANKY);
    cr_expect_str_eq(functions->all[1].function->name, "text");
    is_about(functions->all[1].extra_ns, 5, 1.01);
}

Test(functions, all_work_together_does_not_name_usual_work)
{
    made_frames(COUNT, work_longer);
    add_samples(COUNT);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert_not_null(result->functions);
    cr_assert_eq(result->functions->count, 2);
    cr_expect_str_eq(result->functions->all[0].function->name, "shadow");
    cr_expect_str_eq(result->functions->all[1].function->name, "text");
}

Test(functions, samples_of_other_threads_do_not_count)
{
    made_frames(COUNT, work_longer);
    add_samples(COUNT);
    for (int i = 0; i < COUNT; i++) {
        made_samples(start_of(i), start_of(i) + 15000, WORKER, "start/decode");
    }
    const struct dj_triage_functions *functions =
        find_own_work(made_triage(NULL))->functions;
    cr_assert_not_null(functions);
    for (size_t i = 0; i < functions->count; i++) {
        cr_expect_str_neq(functions->all[i].function->name, "decode");
    }
}

Test(functions, four_janky_frames_are_too_few)
{
    made_frames(20, work_longer);
    add_samples(20);
    const struct dj_triage_functions *functions =
        find_own_work(made_triage(NULL))->functions;
    cr_assert_not_null(functions);
    cr_expect(functions->too_few);
    cr_expect_eq(functions->janky_frames, 4);
    cr_expect_eq(functions->count, 0);
}

Test(functions, a_trace_without_samples_has_no_functions)
{
    made_frames(COUNT, work_longer);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_null(find_own_work(result)->functions);
    cr_expect_null(result->functions);
}

Test(functions, the_worst_frames_have_their_samples)
{
    made_frames(COUNT, work_longer);
    add_samples(COUNT);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert_eq(result->worst_count, DJ_TRIAGE_WORST);
    for (size_t i = 0; i < result->worst_count; i++) {
        const struct dj_triage_worst *worst = &result->worst[i];
        cr_expect_geq(worst->sample_count, 17);
        for (size_t k = 0; k < worst->sample_count; k++) {
            cr_expect(worst->samples[k].at_ns >= worst->start_ns &&
                      worst->samples[k].at_ns < worst->end_ns);
        }
    }
}
