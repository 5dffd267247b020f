/* The parts of a cause's sentence apart from its time. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "report/triage.h"

enum { MS = 1000000 };

static const struct dj_triage_result result = {.frames = 20, .janky = 4};

static struct dj_triage_cause create_cause(enum dj_cause_kind kind, const char *name)
{
    struct dj_triage_cause cause = {.kind = kind,
                                    .name = name,
                                    .thread = "main",
                                    .holder = "",
                                    .frames = 4,
                                    .ns = 40 * MS,
                                    .saved_frames = 3,
                                    .saved_ns = 90 * MS,
                                    .evidence_count = 1};
    cause.evidence[0] = (struct dj_triage_evidence){.frame = "frame 7",
                                                    .trace = "a",
                                                    .thread = "main",
                                                    .waker = "",
                                                    .holder = "",
                                                    .holder_section = "",
                                                    .holder_process = "",
                                                    .called = "",
                                                    .detail = ""};
    return cause;
}

static void expect_sentence(const struct dj_triage_cause *cause, const char *words,
                            bool expected)
{
    struct dj_text text = {0};
    dj_report_describe_cause(&text, &result, cause);
    cr_expect_eq(strstr(dj_text_get(&text), words) != NULL, expected, "%s",
                 dj_text_get(&text));
    dj_text_finish(&text);
}

Test(triage_sentence, time_without_a_cpu_is_mentioned_if_it_is_long)
{
    struct dj_triage_cause cause = create_cause(DJ_CAUSE_OWN_WORK, "parse");
    cause.cpu_wait_ns = 60 * MS;
    expect_sentence(
        &cause, "Because of this cause, threads also waited 60.0" DJ_NBSP "ms for a CPU.",
        true);
    cause.cpu_wait_ns = MS;
    expect_sentence(&cause, "also waited", false);
}

Test(triage_sentence, an_unexplained_sleep_may_be_a_wait)
{
    struct dj_triage_cause cause = create_cause(DJ_CAUSE_SLEEP, "cells");
    expect_sentence(
        &cause,
        "Thread main slept in `cells` by its own request in 4 of 4 janky frames: 40.0",
        true);
    cause.evidence[0].reason_unknown = true;
    expect_sentence(
        &cause,
        "slept in `cells`, or waited for a reason that the trace does not show, in 4 of",
        true);
}

Test(triage_sentence, a_slow_kind_of_cpu_is_named)
{
    struct dj_triage_cause cause = create_cause(DJ_CAUSE_FREQUENCY, "draw");
    struct dj_triage_evidence *seen = &cause.evidence[0];
    seen->cpu = 1;
    seen->khz = 1200000;
    seen->expected_khz = 2400000;
    expect_sentence(&cause, "(CPU 1 at 1200" DJ_NBSP "MHz, usually 2400" DJ_NBSP "MHz)",
                    true);
    seen->core_khz = 1800000;
    seen->highest_khz = 2800000;
    expect_sentence(
        &cause, "usually 2400" DJ_NBSP "MHz; its maximum is 1.8 of 2.8" DJ_NBSP "GHz)",
        true);
}

Test(triage_sentence, a_frame_that_came_late_and_was_shown_later_is_not_called_in_time)
{
    struct dj_triage_cause cause = create_cause(DJ_CAUSE_DISPLAY, "display HAL");
    cause.evidence[0].detail = "display HAL";
    expect_sentence(&cause, "in time, but the compositor showed it late (`display HAL`)",
                    true);
    cause.evidence[0].app_was_late = true;
    expect_sentence(
        &cause, "late, and the compositor showed it even later (`display HAL`)", true);
}

Test(triage_sentence, savings_against_a_base_name_the_base)
{
    const struct dj_triage_result against = {
        .frames = 20, .janky = 4, .against_base = true};
    struct dj_triage_cause cause = create_cause(DJ_CAUSE_OWN_WORK, "parse");
    struct dj_text text = {0};
    dj_report_describe_cause(&text, &against, &cause);
    cr_expect(strstr(dj_text_get(&text),
                     "At its length in the baseline, 3 of these frames would") != NULL,
              "%s", dj_text_get(&text));
    dj_text_finish(&text);
    expect_sentence(&cause, "Without this cause, 3 of these frames would", true);
    cause.usual_ns = MS;
    expect_sentence(&cause, "At its usual length, 3 of these frames would", true);
}

/* ---- functions that waited ---- */

static const struct dj_calls_function waiting[] = {
    {.name = "update", .module = "/opt/libcache.so", .build_id = "", .named = true},
    {.name = "read", .module = "libc.so.6", .build_id = "", .named = true}};
static struct dj_calls_node waiting_nodes[] = {{.parent = 0}, {0, 0, 0}, {1, 1, 1}};
static const struct dj_calls_tree waiting_calls = {
    .functions = (struct dj_calls_function *)waiting,
    .function_count = 2,
    .nodes = waiting_nodes,
    .node_count = 3};

static struct dj_triage_waiters create_waiters(void)
{
    struct dj_triage_waiters waiters = {
        .count = 1, .waits = 4, .known_waits = 4, .ns = 40 * MS, .known_ns = 40 * MS};
    waiters.all[0] = (struct dj_triage_waiter){.function = &waiting[0],
                                               .node = 1,
                                               .call = 2,
                                               .ns = 40 * MS,
                                               .waits = 4,
                                               .frames = 4};
    return waiters;
}

static void expect_waits(const struct dj_triage_waiters *waiters, const char *words,
                         bool expected)
{
    struct dj_triage_result with_calls = result;
    struct dj_triage_cause cause = create_cause(DJ_CAUSE_LOCK, "load");
    struct dj_text text = {0};
    with_calls.calls = &waiting_calls;
    cause.waiters = (struct dj_triage_waiters *)waiters;
    dj_report_describe_cause(&text, &with_calls, &cause);
    cr_expect_eq(strstr(dj_text_get(&text), words) != NULL, expected, "%s",
                 dj_text_get(&text));
    dj_text_finish(&text);
}

Test(triage_sentence, the_function_that_waited)
{
    struct dj_triage_waiters waiters = create_waiters();
    expect_waits(&waiters,
                 " `update` > `read` (libcache.so) waited 40.0" DJ_NBSP "ms in 4 calls.",
                 true);
    expect_waits(&waiters, "Call stacks were sampled", false);
    expect_waits(NULL, "update", false);
}

Test(triage_sentence, some_waits_have_no_stack)
{
    struct dj_triage_waiters waiters = create_waiters();
    waiters.waits = 8;
    waiters.ns = 50 * MS;
    expect_waits(&waiters,
                 "dejank sampled the call stacks of 4 of 8 waits (80" DJ_NBSP
                 "% of the time).",
                 true);
    waiters = (struct dj_triage_waiters){.waits = 2, .ns = MS};
    expect_waits(&waiters, "dejank sampled no call stack of these waits.", true);
}
