/* Tests of what a sleeping thread waited for, one for each kind of cause. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "made_trace.h"

TestSuite(triage_waits, .fini = made_clear);

enum { WAIT_US = 18000 };

static const struct dj_triage_cause *only_cause(enum dj_cause_kind kind, const char *name,
                                                const char *holder)
{
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *cause = made_cause(result, kind);
    cr_assert_not_null(cause, "no %s", dj_triage_cause_kind_name(kind));
    cr_expect_eq(cause, &result->causes[0], "%s comes first",
                 dj_triage_cause_kind_name(result->causes[0].kind));
    cr_expect_str_eq(cause->name, name);
    cr_expect_str_eq(cause->holder, holder);
    cr_expect_eq(cause->frames, 4);
    cr_expect_eq(cause->saved_frames, 4);
    cr_expect(cause->ns > 4 * 14500000LL && cause->ns < 4 * 18100000LL, "%.3f ms",
              (double)cause->ns / 1e6);
    cr_expect(result->unexplained_ns < 100000);
    return cause;
}

/* MAIN starts a section, in which it sleeps from at + 100. The caller wakes it at the
 * returned time. */
static int sleep_in(int at, const char *section, const char *state)
{
    made_begin(at, 0, MAIN, section);
    made_switch(at + 100, 0, MAIN, state, 0);
    return at + WAIT_US;
}

static int wake_up(int at)
{
    made_switch(at + 10, 0, 0, "R", MAIN);
    made_end(at + 20, 0, MAIN);
    return at + 20;
}

static int wait_for_keeper(int at, int number)
{
    (void)number;
    made_wake_by_timer(at - 60, 1, 0, HOLDER);
    made_switch(at - 50, 1, 0, "R", HOLDER);
    made_begin(at - 40, 1, HOLDER, "fill cache");
    int end = sleep_in(at, "take", "S");
    made_wake(end, 1, HOLDER, MAIN);
    made_end(end + 1, 1, HOLDER);
    made_switch(end + 2, 1, HOLDER, "S", 0);
    return wake_up(end);
}

Test(triage_waits, a_busy_waker_holds_the_lock)
{
    made_frames(20, wait_for_keeper);
    const struct dj_triage_cause *cause = only_cause(DJ_CAUSE_LOCK, "take", "keeper");
    cr_expect_str_eq(cause->evidence[0].holder_section, "fill cache");
    cr_expect_str_eq(cause->evidence[0].waker, "keeper");
    cr_expect(cause->holder_ran_ns > 4 * 17000000LL);
}

static int wait_for_worker(int at, int number)
{
    (void)number;
    made_wake(at - 30, 0, MAIN, WORKER);
    made_switch(at - 20, 1, 0, "R", WORKER);
    made_begin(at - 10, 1, WORKER, "decode");
    int end = sleep_in(at, "join", "S");
    made_end(end - 1, 1, WORKER);
    made_wake(end, 1, WORKER, MAIN);
    made_switch(end + 2, 1, WORKER, "S", 0);
    return wake_up(end);
}

Test(triage_waits, delegated_work_is_own_work_of_the_worker)
{
    made_frames(20, wait_for_worker);
    const struct dj_triage_cause *cause = only_cause(DJ_CAUSE_OWN_WORK, "decode", "");
    cr_expect_str_eq(cause->thread, "worker");
}

static int wait_for_disk(int at, int number)
{
    (void)number;
    int end = sleep_in(at, "save", "D");
    made_wake_by_softirq(end, 1, 0, MAIN, 4);
    return wake_up(end);
}

Test(triage_waits, a_sleep_that_a_disk_ends_is_io)
{
    made_frames(20, wait_for_disk);
    only_cause(DJ_CAUSE_IO, "save", "");
}

static int wait_for_kernel(int at, int number)
{
    (void)number;
    int end = sleep_in(at, "save", "D");
    made_switch(end - 10, 1, 0, "R", KERNEL);
    made_wake(end, 1, KERNEL, MAIN);
    made_switch(end + 2, 1, KERNEL, "I", 0);
    return wake_up(end);
}

Test(triage_waits, a_blocked_sleep_that_a_kernel_thread_ends_is_io)
{
    made_frames(20, wait_for_kernel);
    only_cause(DJ_CAUSE_IO, "save", "");
}

/* If true, the trace contains MAIN's 40 disk requests. After every tenth request, MAIN
 * waits for the disk. */
static bool has_requests;

static int read_much(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "load");
    for (int i = 0; i < 40; i++) {
        if (has_requests) {
            made_line(at + 10, 0, MAIN, ".....",
                      "block_rq_issue: 254,0 RS 65536 () 5120 + 128 be,0,4 [main]");
        }
        at += 400;
        if (i % 10 == 9) {
            made_switch(at, 0, MAIN, "D", 0);
            made_wake_by_softirq(at + 1200, 1, 0, MAIN, 4);
            at += 1210;
            made_switch(at, 0, 0, "R", MAIN);
        }
    }
    made_end(at, 0, MAIN);
    return at;
}

Test(triage_waits, work_between_disk_requests_ranks_after_the_disk)
{
    has_requests = true;
    made_frames(20, read_much);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert_eq(result->cause_count, 2);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_IO);
    cr_expect_str_eq(result->causes[0].name, "load");
    cr_expect_eq(result->causes[0].saved_frames, 0);
    cr_expect_eq(result->causes[1].kind, DJ_CAUSE_OWN_WORK);
    cr_expect_eq(result->causes[1].saved_frames, 4);
    made_clear();
    has_requests = false;
    made_frames(20, read_much);
    cr_expect_eq(made_triage(NULL)->causes[0].kind, DJ_CAUSE_OWN_WORK,
                 "without requests, the work does not belong to the disk");
}

/* MAIN calls BUS, which calls PEER. The reply comes back the same way. */
static int ask_peer(int at, int number)
{
    (void)number;
    made_wake(at + 50, 0, MAIN, BUS);
    made_switch(at + 60, 1, 0, "R", BUS);
    int end = sleep_in(at, "call", "S");
    made_wake(at + 200, 1, BUS, PEER);
    made_switch(at + 210, 1, BUS, "S", PEER);
    made_wake(end - 100, 1, PEER, BUS);
    made_switch(end - 90, 1, PEER, "S", BUS);
    made_wake(end, 1, BUS, MAIN);
    made_switch(end + 5, 1, BUS, "S", 0);
    return wake_up(end);
}

Test(triage_waits, the_slowest_peer_is_the_holder)
{
    made_frames(20, ask_peer);
    only_cause(DJ_CAUSE_IPC, "call", "peer");
}

static int nap(int at, int number)
{
    (void)number;
    int end = sleep_in(at, "back off", "S");
    made_wake_by_timer(end, 0, 0, MAIN);
    return wake_up(end);
}

Test(triage_waits, a_sleep_that_a_timer_ends_is_a_sleep)
{
    made_frames(20, nap);
    only_cause(DJ_CAUSE_SLEEP, "back off", "");
}

/* Vector of the softirq during which the timer's interrupt comes. */
static int upon;
static bool has_timers;

static int nap_until_softirq(int at, int number)
{
    (void)number;
    if (has_timers) {
        made_timer(at + 90, 0, MAIN, at + WAIT_US - 20);
    }
    int end = sleep_in(at, "back off", "S");
    made_wake_by_softirq(end, 1, 0, MAIN, upon);
    return wake_up(end);
}

Test(triage_waits, a_due_timer_wins_over_the_softirq)
{
    upon = 3;
    has_timers = true;
    made_frames(20, nap_until_softirq);
    only_cause(DJ_CAUSE_SLEEP, "back off", "");
}

Test(triage_waits, a_softirq_that_wakes_no_thread_means_a_timer)
{
    upon = 9;
    made_frames(20, nap_until_softirq);
    only_cause(DJ_CAUSE_SLEEP, "back off", "");
}

Test(triage_waits, without_a_timer_the_softirq_decides)
{
    upon = 3;
    made_frames(20, nap_until_softirq);
    only_cause(DJ_CAUSE_IPC, "back off", "");
}

static int nap_too_long(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "pause");
    made_timer(at + 90, 0, MAIN, at + 3000);
    made_switch(at + 100, 0, MAIN, "S", 0);
    made_wake_by_timer(at + WAIT_US, 0, 0, MAIN);
    return wake_up(at + WAIT_US);
}

Test(triage_waits, time_after_a_due_timer_is_a_late_wake_up)
{
    made_frames(20, nap_too_long);
    const struct dj_triage_cause *cause = only_cause(DJ_CAUSE_LATE_WAKE, "pause", "");
    cr_expect(cause->ns > 4 * 14900000LL && cause->ns < 4 * 15100000LL);
}

/* When a thread falls asleep, the scheduler may start a timer for its own use. */
static int nap_too_long_after_budget(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "pause");
    made_timer(at + 90, 0, MAIN, at + 3000);
    made_line(at + 95, 0, MAIN, "d....",
              "hrtimer_start: hrtimer=00000000adb33bc2 function=dl_task_timer "
              "expires=90000000000 softexpires=90000000000 mode=ABS|HARD was_armed=0");
    made_switch(at + 100, 0, MAIN, "S", 0);
    made_wake_by_timer(at + WAIT_US, 0, 0, MAIN);
    return wake_up(at + WAIT_US);
}

Test(triage_waits, a_timer_of_the_scheduler_does_not_hide_a_late_one)
{
    made_frames(20, nap_too_long_after_budget);
    const struct dj_triage_cause *cause = only_cause(DJ_CAUSE_LATE_WAKE, "pause", "");
    cr_expect(cause->ns > 4 * 14900000LL && cause->ns < 4 * 15100000LL);
}

/* The timers' clock is 13 ms behind the trace's clock, and the trace does not state the
 * offset. */
static int nap_by_another_clock(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "rest");
    made_timer(at + 90, 0, MAIN, at + WAIT_US - 13000);
    made_switch(at + 100, 0, MAIN, "S", 0);
    made_wake_by_timer(at + WAIT_US, 0, 0, MAIN);
    return wake_up(at + WAIT_US);
}

Test(triage_waits, a_timer_of_another_clock_is_not_late)
{
    made_frames(60, nap_by_another_clock);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *cause = made_cause(result, DJ_CAUSE_SLEEP);
    cr_assert_not_null(cause);
    cr_expect_str_eq(cause->name, "rest");
    cr_expect_eq(cause->frames, 12);
    cr_expect_null(made_cause(result, DJ_CAUSE_LATE_WAKE));
}

static int collect_garbage(int at, int number)
{
    (void)number;
    int end = sleep_in(at, "GC: Wait For Completion Alloc", "S");
    made_wake(end, 1, WORKER, MAIN);
    return wake_up(end);
}

Test(triage_waits, a_named_collection_is_gc)
{
    made_frames(20, collect_garbage);
    only_cause(DJ_CAUSE_GC, "GC: Wait For Completion Alloc", "worker");
}

static int wait_for_gpu(int at, int number)
{
    (void)number;
    int end = sleep_in(at, "waiting for GPU completion", "S");
    made_wake_by_timer(end, 1, 0, MAIN);
    return wake_up(end);
}

Test(triage_waits, a_named_gpu_wait_is_gpu)
{
    made_frames(20, wait_for_gpu);
    only_cause(DJ_CAUSE_GPU, "waiting for GPU completion", "");
}

/* The kernel's names for the driver and the timeline of the fence. */
static const char *fence_driver, *fence_timeline;

static void fence_mark(int at, const char *what)
{
    char event[160];
    snprintf(event, sizeof(event),
             "dma_fence_%s: driver=%s timeline=%s context=81 seqno=7", what, fence_driver,
             fence_timeline);
    made_line(at, 0, MAIN, ".....", event);
}

static int wait_for_fence(int at, int number)
{
    (void)number;
    int end = sleep_in(at, "submit", "D");
    fence_mark(at + 90, "wait_start");
    made_wake_by_timer(end, 1, 0, MAIN);
    made_switch(end + 10, 0, 0, "R", MAIN);
    fence_mark(end + 12, "wait_end");
    made_end(end + 20, 0, MAIN);
    return end + 20;
}

Test(triage_waits, a_gpu_fence_is_a_gpu_wait)
{
    fence_driver = "amdgpu";
    fence_timeline = "ring gfx_0";
    made_frames(20, wait_for_fence);
    const struct dj_triage_cause *cause = only_cause(DJ_CAUSE_GPU, "submit", "");
    cr_expect_str_eq(cause->evidence[0].detail, "amdgpu/ring gfx_0");
}

Test(triage_waits, a_display_fence_is_a_display_wait)
{
    fence_driver = "amdgpu";
    fence_timeline = "CRTC:51:crtc-0";
    made_frames(20, wait_for_fence);
    only_cause(DJ_CAUSE_DISPLAY, "submit", "");
}

Test(triage_waits, a_fence_of_another_device_does_not_decide)
{
    fence_driver = "sw_sync";
    fence_timeline = "soft";
    made_frames(20, wait_for_fence);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_null(made_cause(result, DJ_CAUSE_GPU));
    cr_expect_null(made_cause(result, DJ_CAUSE_DISPLAY));
    cr_assert(result->cause_count > 0);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_IO, "as any uninterruptible sleep");
}

static int wait_after_fence(int at, int number)
{
    fence_mark(at - 50, "wait_start");
    if (number % 2 == 0) {
        fence_mark(at - 45, "wait_end");
    } else {
        /* The event for the end of the first wait is lost. */
        fence_mark(at - 45, "wait_start");
        fence_mark(at - 44, "wait_end");
    }
    int end = sleep_in(at, "nap", "S");
    made_wake_by_timer(end, 1, 0, MAIN);
    return wake_up(end);
}

Test(triage_waits, a_signalled_fence_is_not_waited_for)
{
    fence_driver = "amdgpu";
    fence_timeline = "ring gfx_0";
    made_frames(20, wait_after_fence);
    only_cause(DJ_CAUSE_SLEEP, "nap", "");
}

static int wait_for_named_owner(int at, int number)
{
    (void)number;
    made_switch(at - 50, 1, 0, "R", HOLDER);
    int end = sleep_in(at, "monitor contention with owner keeper (102) at a.b()", "S");
    made_switch(end - 10, 1, HOLDER, "S", WORKER);
    made_wake(end, 1, WORKER, MAIN);
    made_switch(end + 5, 1, WORKER, "S", 0);
    return wake_up(end);
}

Test(triage_waits, an_owner_in_a_section_name_wins_over_the_waker)
{
    made_frames(20, wait_for_named_owner);
    only_cause(DJ_CAUSE_LOCK, "monitor contention", "keeper");
}

/* WORKER waits for HOLDER, which waits for WORKER. The chain of waits ends there. */
static int wait_in_a_circle(int at, int number)
{
    (void)number;
    made_switch(at - 50, 1, 0, "R", WORKER);
    made_switch(at - 40, 1, WORKER, "S", HOLDER);
    made_switch(at - 30, 1, HOLDER, "S", 0);
    int end = sleep_in(at, "circle", "S");
    made_wake(end - 90, 1, WORKER, HOLDER);
    made_switch(end - 80, 1, 0, "R", HOLDER);
    made_wake(end - 70, 1, HOLDER, WORKER);
    made_switch(end - 60, 1, HOLDER, "S", WORKER);
    made_wake(end, 1, WORKER, MAIN);
    made_switch(end + 5, 1, WORKER, "S", 0);
    return wake_up(end);
}

Test(triage_waits, a_circle_of_waits_ends)
{
    made_frames(20, wait_in_a_circle);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_eq(result->janky, 4);
    cr_expect(result->worst_count == 4);
}
