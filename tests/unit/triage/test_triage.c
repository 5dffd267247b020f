/* Tests of work, CPUs that other programs used, and the weighing of causes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made_trace.h"

TestSuite(triage, .fini = made_clear);

static int64_t ms(double value)
{
    return (int64_t)(value * 1e6);
}

static void is_about(int64_t ns, double expected_ms)
{
    cr_expect(ns > ms(expected_ms) - 60000 && ns < ms(expected_ms) + 60000,
              "%.3f ms, expected %.3f", (double)ns / 1e6, expected_ms);
}

static int work_longer(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "parse");
    made_end(at + 18000, 0, MAIN);
    return at + 18000;
}

Test(triage, unusual_work_is_a_cause)
{
    made_frames(20, work_longer);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_eq(result->frames, 20);
    cr_expect_eq(result->janky, 4);
    cr_assert_eq(result->cause_count, 1);
    const struct dj_triage_cause *cause = &result->causes[0];
    cr_expect_eq(cause->kind, DJ_CAUSE_OWN_WORK);
    cr_expect_str_eq(cause->name, "parse");
    cr_expect_str_eq(cause->thread, "main");
    cr_expect_eq(cause->frames, 4);
    cr_expect_eq(cause->saved_frames, 4);
    is_about(cause->ns, 4 * 18.0);
    cr_expect_eq(cause->saved_ns, result->late_ns);
    cr_expect_eq(result->unexplained_ns, 0);
    cr_assert_eq(cause->evidence_count, DJ_TRIAGE_EVIDENCE);
    cr_expect_str_eq(cause->evidence[0].stack[0], "parse");
}

static int go_on_working(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "work");
    made_end(at + 18000, 0, MAIN);
    return at + 18000;
}

Test(triage, all_of_a_section_counts_and_its_usual_time_stays)
{
    made_frames(20, go_on_working);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert_eq(result->cause_count, 1);
    is_about(result->causes[0].ns, 4 * 20.0);
    is_about(result->causes[0].usual_ns, 2.0);
    cr_expect_eq(result->causes[0].saved_frames, 4);
}

/* Expects that the parts of each frame cover its time without gaps. */
static void has_no_gaps(const struct dj_triage_result *result)
{
    cr_assert(result->worst_count > 0);
    for (size_t i = 0; i < result->worst_count; i++) {
        const struct dj_triage_worst *frame = &result->worst[i];
        int64_t at_ns = frame->start_ns;
        for (size_t j = 0; j < frame->part_count; j++) {
            cr_expect_eq(frame->parts[j].start_ns, at_ns);
            at_ns = frame->parts[j].end_ns;
        }
        cr_expect_eq(at_ns, frame->end_ns);
    }
}

static int lose_core(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "draw");
    made_switch(at + 1000, 0, MAIN, "R", RIVAL);
    made_switch(at + 17000, 0, RIVAL, "S", MAIN);
    made_end(at + 18000, 0, MAIN);
    return at + 18000;
}

Test(triage, the_thread_that_had_the_cpu_is_named)
{
    made_frames(30, lose_core);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert(result->cause_count > 0);
    const struct dj_triage_cause *cause = &result->causes[0];
    cr_expect_eq(cause->kind, DJ_CAUSE_RUNNABLE);
    cr_expect_str_eq(cause->holder, "rival-1");
    cr_expect_str_eq(cause->name, "draw");
    cr_expect_eq(cause->saved_frames, 6);
    is_about(cause->ns, 6 * 16.0);
    has_no_gaps(result);
}

static int lose_core_once(int at, int number)
{
    return number == 7 ? lose_core(at, number) : at;
}

Test(triage, occasional_other_programs_are_noise)
{
    made_frames(30, lose_core_once);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_eq(result->janky, 1);
    cr_expect_null(made_cause(result, DJ_CAUSE_RUNNABLE));
    cr_assert_eq(result->machine_count, 1);
    cr_expect_str_eq(result->machine[0].holder, "rival-1");
}

/* Two other threads have both CPUs while MAIN waits. */
static int lose_core_to_two(int at, int number)
{
    made_switch(at + 900, 1, 0, "R", OTHER_RIVAL);
    int end = lose_core(at, number);
    made_switch(at + 17100, 1, OTHER_RIVAL, "S", 0);
    return end;
}

Test(triage, a_program_that_runs_only_during_late_frames_is_a_cause)
{
    made_frames(30, lose_core_to_two);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *cause = made_cause(result, DJ_CAUSE_RUNNABLE);
    cr_assert_not_null(cause);
    cr_expect_str_eq(cause->holder, "rival-1");
    cr_expect_eq(cause->saved_frames, 6);
}

/* MAIN runs until a fixed time. The shorter it has the CPU, the more other threads
 * ran. */
static int spin(int at, int number)
{
    int lost = 2000 + 700 * number;
    made_begin(at, 0, MAIN, "spin");
    made_switch(at + 1000, 0, MAIN, "R", RIVAL);
    made_switch(at + 1000 + lost % 15000, 0, RIVAL, "S", MAIN);
    made_end(at + 18000, 0, MAIN);
    return at + 18000;
}

Test(triage, work_limited_by_wall_time_is_not_extended)
{
    made_frames(40, spin);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert(result->cause_count >= 1);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_OWN_WORK);
    cr_expect_str_eq(result->causes[0].name, "spin");
    is_about(result->causes[0].ns, 8 * 18.0);
    cr_expect(result->causes[0].clock_ns > 8 * 2000000LL);
    cr_expect(result->causes[0].clock_ns < result->causes[0].ns);
    cr_expect_null(made_cause(result, DJ_CAUSE_RUNNABLE));
}

/* As spin(), but in two frames MAIN is off the CPU until after the fixed time. */
static int spin_beyond(int at, int number)
{
    int lost = 2000 + 700 * number;
    int from = number >= 32 ? 6000 : 1000;
    int end = number >= 32 ? 22000 : 18000;
    lost = number >= 32 ? 15900 : lost % 15000;
    made_begin(at, 0, MAIN, "spin");
    made_switch(at + from, 0, MAIN, "R", RIVAL);
    made_switch(at + from + lost, 0, RIVAL, "S", MAIN);
    made_end(at + end, 0, MAIN);
    return at + end;
}

Test(triage, a_piece_is_no_longer_than_its_counted_time)
{
    made_frames(40, spin_beyond);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert_eq(result->machine_count, 1);
    const struct dj_triage_cause *wait = &result->machine[0];
    cr_assert(wait->evidence_count > 0);
    is_about(wait->ns, 2 * 4.0);
    for (size_t i = 0; i < wait->evidence_count; i++) {
        const struct dj_triage_evidence *piece = &wait->evidence[i];
        cr_expect(piece->end_ns - piece->start_ns <= piece->ns);
    }
}

/* MAIN does the same amount of work each time, however long it is off the CPU. */
static int be_made_longer(int at, int number)
{
    int lost = 2000 + 700 * number;
    lost = 2000 + lost % 15000;
    made_begin(at, 0, MAIN, "draw");
    made_switch(at + 1000, 0, MAIN, "R", RIVAL);
    made_switch(at + 1000 + lost, 0, RIVAL, "S", MAIN);
    made_end(at + 14000 + lost, 0, MAIN);
    return at + 14000 + lost;
}

Test(triage, work_limited_by_cpu_time_is_extended)
{
    made_frames(40, be_made_longer);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *work = made_cause(result, DJ_CAUSE_OWN_WORK);
    cr_assert_not_null(work);
    is_about(work->ns, 8 * 14.0);
    cr_expect_eq(work->clock_ns, 0);
    cr_expect_not_null(made_cause(result, DJ_CAUSE_RUNNABLE));
}

/* MAIN does the same amount of work each time except once, and always loses the CPU for
 * one time slice of the kernel. */
static int lose_a_slice(int at, int number)
{
    int lost = number == 7 ? 2000 : 4000;
    made_begin(at, 0, MAIN, "draw");
    made_switch(at + 1000, 0, MAIN, "R", RIVAL);
    made_switch(at + 1000 + lost, 0, RIVAL, "S", MAIN);
    made_end(at + 18000, 0, MAIN);
    return at + 18000;
}

Test(triage, equal_time_slices_do_not_mean_wall_time)
{
    made_frames(40, lose_a_slice);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *work = made_cause(result, DJ_CAUSE_OWN_WORK);
    cr_assert_not_null(work);
    is_about(work->ns, 7 * 14.0 + 16.0);
    cr_expect_not_null(made_cause(result, DJ_CAUSE_RUNNABLE));
}

/* MAIN does the same amount of work each time. Some frames have equal wall times by
 * chance, and for one frame the trace lacks a switch back to MAIN. */
static int last_equally_long_by_chance(int at, int number)
{
    int lost = number < 27 ? 3000 + 200 * number : 20000;
    int ran = number == 37 ? 10000 : 14000;
    lost += 14000 - ran;
    made_begin(at, 0, MAIN, "draw");
    made_switch(at + 1000, 0, MAIN, "R", RIVAL);
    made_switch(at + 1000 + lost, 0, RIVAL, "S", MAIN);
    made_end(at + ran + lost, 0, MAIN);
    return at + ran + lost;
}

Test(triage, work_of_one_cpu_time_is_not_limited_by_wall_time)
{
    made_frames(40, last_equally_long_by_chance);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *work = made_cause(result, DJ_CAUSE_OWN_WORK);
    cr_assert_not_null(work);
    is_about(work->ns, 7 * 14.0 + 10.0);
    cr_expect_eq(work->clock_ns, 0);
}

Test(triage, against_a_base_only_additional_time_counts)
{
    made_frames(20, work_longer);
    char *base = made_text();
    const struct dj_triage_result *same = made_triage(base);
    cr_expect_eq(same->janky, 4);
    cr_expect_eq(same->cause_count, 0);
    made_clear();
    made_frames(20, NULL);
    char *calm = made_text();
    made_clear();
    made_frames(20, work_longer);
    const struct dj_triage_result *worse = made_triage(calm);
    cr_expect(worse->against_base);
    cr_assert_eq(worse->cause_count, 1);
    cr_expect_str_eq(worse->causes[0].name, "parse");
    cr_expect_eq(worse->causes[0].saved_frames, 4);
    free(base);
    free(calm);
}

Test(triage, frames_in_time_have_no_causes)
{
    made_frames(20, NULL);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_eq(result->janky, 0);
    cr_expect_eq(result->cause_count, 0);
    cr_expect_eq(result->worst_count, 0);
    cr_expect_eq(result->unexplained_ns, 0);
}

static void limit_to(int at, int khz)
{
    char event[80];
    snprintf(event, sizeof(event), "cpu_frequency_limits: min=300000 max=%d cpu_id=0",
             khz);
    made_line(at, 0, MAIN, ".....", event);
    snprintf(event, sizeof(event), "cpu_frequency: state=%d cpu_id=0", khz);
    made_line(at + 1, 0, MAIN, ".....", event);
}

static int run_slower(int at, int number)
{
    (void)number;
    limit_to(at, 1000000);
    made_begin(at + 2, 0, MAIN, "draw");
    made_switch(at + 3, 0, MAIN, "R", KERNEL);
    made_switch(at + 4, 0, KERNEL, "I", MAIN);
    made_end(at + 20000, 0, MAIN);
    limit_to(at + 20001, 2000000);
    return at + 20010;
}

Test(triage, a_limit_of_the_frequency_is_a_cause)
{
    limit_to(0, 2000000);
    made_frames(20, run_slower);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *cause = made_cause(result, DJ_CAUSE_FREQUENCY);
    cr_assert_not_null(cause);
    cr_expect_str_eq(cause->name, "draw");
    is_about(cause->ns, 4 * 10.0);
    has_no_gaps(result);
}

/* Writes a name that contains the number as letters, because trailing digits are
 * removed. */
static void spell(char *name, size_t size, int number)
{
    snprintf(name, size, "inflate ");
    for (size_t at = 8; at + 1 < size && number > 0; number /= 26) {
        name[at++] = (char)('a' + number % 26);
        name[at] = '\0';
    }
}

Test(triage, many_different_section_names_are_fast, .timeout = 25)
{
    enum { FRAMES = 2000, EACH = 30 };
    int at = 1000;
    for (int i = 0; i < FRAMES; i++) {
        made_begin(at, 0, MAIN, "frame");
        for (int j = 0; j < EACH; j++) {
            char name[24];
            spell(name, sizeof(name), 1 + i * EACH + j);
            made_begin(at, 0, MAIN, name);
            made_end(at += 1000, 0, MAIN);
        }
        made_end(at, 0, MAIN);
    }
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_eq(result->janky, FRAMES);
    cr_expect_eq(result->cause_count, FRAMES * EACH);
}
