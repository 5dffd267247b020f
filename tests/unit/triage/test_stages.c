/* Tests of the frame stages that the recorder stamps. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "triage/triage.h"

enum { MS = 1000000, APP = 50, WORKER = 51, PEER = 60 };

static struct dj_triage *triage;

static void finish(void)
{
    dj_triage_destroy(triage);
}

TestSuite(triage_stages, .fini = finish);

static struct dj_trace_thread threads[] = {{.tid = APP, .pid = APP, .name = "app"},
                                           {.tid = WORKER, .pid = APP, .name = "worker"},
                                           {.tid = PEER, .pid = PEER, .name = "peer"}};

static struct dj_trace_slice stage(const char *name, int from_ms, int to_ms, int cookie,
                                   uint32_t tid)
{
    return (struct dj_trace_slice){.name = name,
                                   .start_ns = (int64_t)from_ms * MS,
                                   .end_ns = (int64_t)to_ms * MS,
                                   .cookie = cookie,
                                   .tid = tid,
                                   .end_tid = tid,
                                   .async = true};
}

static struct dj_trace_state state(uint32_t tid, enum dj_thread_state state, int from_ms,
                                   int to_ms, int waker)
{
    return (struct dj_trace_state){.start_ns = (int64_t)from_ms * MS,
                                   .end_ns = (int64_t)to_ms * MS,
                                   .tid = tid,
                                   .cpu = tid == APP ? 0 : 1,
                                   .waker = waker,
                                   .waker_cpu = -1,
                                   .state = (uint8_t)state};
}

/* Weighs one frame of the app that lasts from 100 ms to 125 ms and was expected at 116
 * ms. */
static const struct dj_triage_result *weigh(struct dj_trace_slice *slices,
                                            size_t slice_count,
                                            struct dj_trace_state *states,
                                            size_t state_count)
{
    struct dj_trace_frame frame = {.layer = "app",
                                   .expected_start_ns = 100 * MS,
                                   .expected_end_ns = 116 * MS,
                                   .start_ns = 101 * MS,
                                   .end_ns = 125 * MS,
                                   .token = 1,
                                   .pid = APP};
    struct dj_trace trace = {.slices = slices,
                             .slice_count = slice_count,
                             .threads = threads,
                             .thread_count = 3,
                             .states = states,
                             .state_count = state_count,
                             .frames = &frame,
                             .frame_count = 1,
                             .first_ns = 90 * MS,
                             .last_ns = 200 * MS};
    const struct dj_triage_result *result = NULL;
    struct dj_triage_rules rules = {0};
    struct dj_error err = {0};
    triage = dj_triage_create(&rules);
    cr_assert_eq(dj_triage_add(triage, &trace, "stages", &err), 0, "%s", err.message);
    cr_assert_eq(dj_triage_weigh(triage, &result, &err), 0, "%s", err.message);
    return result;
}

static void expect(const struct dj_triage_result *result, enum dj_cause_kind kind,
                   const char *name, const char *thread, int64_t ms)
{
    for (size_t i = 0; i < result->cause_count; i++) {
        const struct dj_triage_cause *cause = &result->causes[i];
        if (cause->kind == kind && strcmp(cause->name, name) == 0 &&
            strcmp(cause->thread, thread) == 0) {
            cr_expect_eq(cause->ns, ms * MS, "%s %s: %.3f ms",
                         dj_triage_cause_kind_name(kind), name, (double)cause->ns / 1e6);
            return;
        }
    }
    cr_expect_fail("no %s in %s of %s", dj_triage_cause_kind_name(kind), name, thread);
}

Test(triage_stages, time_in_no_section_is_named_by_the_stage)
{
    struct dj_trace_slice slices[] = {
        stage("Vsync delay", 100, 102, 7, APP),
        stage("Layout", 102, 110, 7, APP),
        stage("Layout", 103, 104, 9, PEER), /* A frame of another process. */
        /* A stage of the next frame, which ends later. */
        stage("Animation", 104, 120, 8, APP),
        stage("Draw", 110, 112, 7, APP),
        stage("Swap", 112, 125, 7, APP),
        stage("Swap", 120, 130, 8, APP),
    };
    struct dj_trace_state states[] = {
        state(WORKER, DJ_THREAD_SLEEPING, 95, 105, -1),
        state(APP, DJ_THREAD_RUNNING, 100, 104, -1),
        state(APP, DJ_THREAD_SLEEPING, 104, 108, -1), /* The app waits for the worker. */
        state(WORKER, DJ_THREAD_RUNNING, 105, 108, APP),
        state(APP, DJ_THREAD_RUNNING, 108, 113, WORKER),
        /* The app sleeps for an unknown reason. */
        state(APP, DJ_THREAD_SLEEPING, 113, 125, -1),
    };
    const struct dj_triage_result *result = weigh(slices, 7, states, 6);
    expect(result, DJ_CAUSE_OWN_WORK, "Vsync delay", "app", 2);
    expect(result, DJ_CAUSE_OWN_WORK, "Layout", "app", 4);
    expect(result, DJ_CAUSE_OWN_WORK, "Draw", "app", 2);
    expect(result, DJ_CAUSE_OWN_WORK, "Swap", "app", 1);
    expect(result, DJ_CAUSE_OWN_WORK, "worker", "worker", 3);
    expect(result, DJ_CAUSE_DISPLAY, "Swap", "app", 12);
}

Test(triage_stages, sections_have_precedence_over_stages)
{
    struct dj_trace_slice slices[] = {
        stage("Layout", 100, 110, 7, APP),
        {.name = "measure",
         .start_ns = 104 * MS,
         .end_ns = 108 * MS,
         .self_ns = 4 * MS,
         .tid = APP,
         .end_tid = APP},
        stage("Draw", 110, 125, 7, APP),
    };
    struct dj_trace_state states[] = {state(APP, DJ_THREAD_RUNNING, 90, 130, -1)};
    const struct dj_triage_result *result = weigh(slices, 3, states, 1);
    expect(result, DJ_CAUSE_OWN_WORK, "measure", "app", 4);
    expect(result, DJ_CAUSE_OWN_WORK, "Layout", "app", 6);
    expect(result, DJ_CAUSE_OWN_WORK, "Draw", "app", 15);
}

Test(triage_stages, a_sleep_of_unknown_reason_is_in_its_stage)
{
    struct dj_trace_slice slices[] = {stage("Layout", 100, 125, 7, APP)};
    struct dj_trace_state states[] = {
        state(APP, DJ_THREAD_RUNNING, 90, 105, -1),
        state(APP, DJ_THREAD_SLEEPING, 105, 125, -1),
    };
    const struct dj_triage_result *result = weigh(slices, 1, states, 2);
    expect(result, DJ_CAUSE_SLEEP, "Layout", "app", 20);
}

Test(triage_stages, stages_of_other_frames_are_ignored)
{
    struct dj_trace_slice slices[] = {stage("Layout", 99, 124, 7, APP),
                                      stage("Draw", 101, 126, 8, APP),
                                      stage("Layout", 101, 125, 9, PEER)};
    struct dj_trace_state states[] = {state(APP, DJ_THREAD_RUNNING, 90, 130, -1)};
    const struct dj_triage_result *result = weigh(slices, 3, states, 1);
    expect(result, DJ_CAUSE_OWN_WORK, "app", "app", 25);
}
