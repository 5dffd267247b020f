/* Tests of what traces of Android show in addition to scheduler events: binder calls,
 * garbage collections and fences. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "made_trace.h"

TestSuite(triage_android, .fini = made_clear);

enum { WAIT_US = 18000 };

static int next_id;

static int send_request(int at, int cpu, int from, int to_pid)
{
    char event[160];
    snprintf(event, sizeof(event),
             "binder_transaction: transaction=%d dest_node=7 dest_proc=%d dest_thread=0 "
             "reply=0 flags=0x10 code=0x3",
             ++next_id, to_pid);
    made_line(at, cpu, from, ".....", event);
    return next_id;
}

static void receive_request(int at, int cpu, int by, int id)
{
    char event[80];
    snprintf(event, sizeof(event), "binder_transaction_received: transaction=%d", id);
    made_line(at, cpu, by, ".....", event);
}

static void send_reply(int at, int cpu, int by, int to)
{
    char event[160];
    snprintf(event, sizeof(event),
             "binder_transaction: transaction=%d dest_node=0 dest_proc=%d dest_thread=%d "
             "reply=1 flags=0x0 code=0x0",
             ++next_id, to, to);
    made_line(at, cpu, by, ".....", event);
}

static const struct dj_triage_cause *first_cause(enum dj_cause_kind kind,
                                                 const char *name, const char *holder)
{
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert(result->cause_count > 0);
    const struct dj_triage_cause *cause = &result->causes[0];
    cr_expect_eq(cause->kind, kind, "%s comes first",
                 dj_triage_cause_kind_name(cause->kind));
    cr_expect_str_eq(cause->name, name);
    cr_expect_str_eq(cause->holder, holder, "held by %s", cause->holder);
    cr_expect_eq(cause->frames, 4);
    cr_expect_eq(cause->saved_frames, 4);
    cr_expect(result->unexplained_ns < 100000);
    return cause;
}

static int sleep_in(int at, const char *section)
{
    made_begin(at, 0, MAIN, section);
    made_switch(at + 100, 0, MAIN, "S", 0);
    return at + WAIT_US;
}

static int wake_up(int at)
{
    made_switch(at + 10, 0, 0, "R", MAIN);
    made_end(at + 20, 0, MAIN);
    return at + 20;
}

/* PEER serves the call, but WORKER wakes MAIN. */
static int call_peer(int at, int number)
{
    (void)number;
    int id = send_request(at + 50, 0, MAIN, PEER);
    made_wake(at + 60, 0, MAIN, PEER);
    int end = sleep_in(at, "relayout");
    made_switch(at + 110, 1, 0, "R", PEER);
    receive_request(at + 120, 1, PEER, id);
    made_begin(at + 130, 1, PEER, "make window");
    made_end(end - 100, 1, PEER);
    send_reply(end - 90, 1, PEER, MAIN);
    made_switch(end - 80, 1, PEER, "S", WORKER);
    made_wake(end, 1, WORKER, MAIN);
    made_switch(end + 5, 1, WORKER, "S", 0);
    return wake_up(end);
}

Test(triage_android, the_serving_thread_holds_a_call)
{
    made_frames(20, call_peer);
    const struct dj_triage_cause *cause = first_cause(DJ_CAUSE_IPC, "relayout", "peer");
    cr_expect_str_eq(cause->evidence[0].holder_section, "make window");
    cr_expect_str_eq(cause->evidence[0].called, "peer");
    cr_expect_str_eq(cause->evidence[0].waker, "worker");
    cr_expect_str_eq(cause->evidence[0].detail, "binder");
    cr_expect(cause->holder_ran_ns > 4 * 17000000LL, "%.3f ms",
              (double)cause->holder_ran_ns / 1e6);
}

/* MAIN calls BUS, which calls PEER. All wake-ups come from an unrelated thread. */
static int call_through(int at, int number)
{
    (void)number;
    int outer = send_request(at + 50, 0, MAIN, BUS);
    int end = sleep_in(at, "query");
    made_switch(at + 110, 1, 0, "R", BUS);
    receive_request(at + 120, 1, BUS, outer);
    int inner = send_request(at + 200, 1, BUS, PEER);
    made_switch(at + 210, 1, BUS, "S", PEER);
    receive_request(at + 220, 1, PEER, inner);
    made_begin(at + 230, 1, PEER, "read rows");
    made_end(end - 300, 1, PEER);
    send_reply(end - 290, 1, PEER, BUS);
    made_wake(end - 280, 1, OTHER_RIVAL, BUS);
    made_switch(end - 270, 1, PEER, "S", BUS);
    receive_request(end - 260, 1, BUS, next_id);
    send_reply(end - 20, 1, BUS, MAIN);
    made_wake(end, 1, OTHER_RIVAL, MAIN);
    made_switch(end + 2, 1, BUS, "S", 0);
    return wake_up(end);
}

Test(triage_android, the_slowest_server_holds_nested_calls)
{
    made_frames(20, call_through);
    const struct dj_triage_cause *cause = first_cause(DJ_CAUSE_IPC, "query", "peer");
    cr_expect_str_eq(cause->evidence[0].holder_section, "read rows");
    cr_expect_str_eq(cause->evidence[0].called, "bus");
}

/* Calls are found even if the trace has no thread states. */
Test(triage_android, without_a_scheduler_calls_are_no_work)
{
    made_begin(1000, 0, MAIN, "frame 1");
    made_begin(1001, 0, MAIN, "relayout");
    int id = send_request(2000, 0, MAIN, PEER);
    receive_request(2100, 1, PEER, id);
    made_begin(2200, 1, PEER, "make window");
    made_end(21000, 1, PEER);
    send_reply(22000, 1, PEER, MAIN);
    made_end(23000, 0, MAIN);
    made_end(23001, 0, MAIN);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *cause = made_cause(result, DJ_CAUSE_IPC);
    cr_assert_not_null(cause);
    cr_expect_str_eq(cause->holder, "peer");
    cr_expect_eq(cause->ns, 20000000);
    cr_expect_str_eq(cause->evidence[0].holder_section, "make window");
    cr_expect_eq(made_cause(result, DJ_CAUSE_OWN_WORK)->ns, 1999000);
}

/* PEER, which MAIN called, gets MAIN's CPU before MAIN can sleep. */
static int give_core(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "queue");
    int id = send_request(at + 10, 0, MAIN, PEER);
    made_wake(at + 20, 0, MAIN, PEER);
    made_switch(at + 30, 0, MAIN, "R", PEER);
    receive_request(at + 40, 0, PEER, id);
    at += WAIT_US;
    send_reply(at, 0, PEER, MAIN);
    made_switch(at + 10, 0, PEER, "S", MAIN);
    made_end(at + 20, 0, MAIN);
    return at + 20;
}

Test(triage_android, a_server_on_the_callers_cpu_does_not_preempt_the_caller)
{
    made_frames(20, give_core);
    const struct dj_triage_cause *cause = first_cause(DJ_CAUSE_IPC, "queue", "peer");
    cr_expect(cause->holder_ran_ns > 4 * 17000000LL);
}

/* MAIN sends one message to which no one replies, then waits for HOLDER ("keeper"). */
static int send_and_wait(int at, int number)
{
    (void)number;
    receive_request(at + 40, 1, PEER, send_request(at + 30, 0, MAIN, PEER));
    made_switch(at + 50, 1, 0, "R", HOLDER);
    int end = sleep_in(at, "take");
    made_wake(end, 1, HOLDER, MAIN);
    made_switch(end + 2, 1, HOLDER, "S", 0);
    return wake_up(end);
}

Test(triage_android, one_way_messages_are_not_waited_for)
{
    made_frames(20, send_and_wait);
    first_cause(DJ_CAUSE_LOCK, "take", "keeper");
}

/* PEER replies to a request that the trace does not contain. The reply does not belong to
 * the one-way message. */
static int send_one_way(int at, int number)
{
    char event[160];
    (void)number;
    snprintf(event, sizeof(event),
             "binder_transaction: transaction=%d dest_node=7 dest_proc=%d dest_thread=0 "
             "reply=0 flags=0x11 code=0x3",
             ++next_id, PEER);
    made_line(at - 30, 0, MAIN, ".....", event);
    receive_request(at - 20, 1, PEER, next_id);
    made_switch(at - 10, 1, 0, "R", HOLDER);
    made_begin(at - 5, 1, HOLDER, "fill cache");
    int end = sleep_in(at, "take");
    made_wake(end, 1, HOLDER, MAIN);
    made_end(end + 1, 1, HOLDER);
    made_switch(end + 2, 1, HOLDER, "S", 0);
    send_reply(end + 5, 1, PEER, MAIN);
    return wake_up(end);
}

Test(triage_android, one_way_transactions_have_no_reply)
{
    made_frames(20, send_one_way);
    first_cause(DJ_CAUSE_LOCK, "take", "keeper");
}

/* PEER calls back. While MAIN serves the second call, it does not wait for the reply to
 * its own. */
static int be_called_back(int at, int number)
{
    (void)number;
    int id = send_request(at + 10, 0, MAIN, PEER);
    receive_request(at + 20, 1, PEER, id);
    int back = send_request(at + 30, 1, PEER, MAIN);
    receive_request(at + 40, 0, MAIN, back);
    int end = sleep_in(at + 50, "back off");
    made_wake_by_timer(end, 0, 0, MAIN);
    at = wake_up(end);
    send_reply(at + 10, 0, MAIN, PEER);
    send_reply(at + 20, 1, PEER, MAIN);
    return at + 30;
}

Test(triage_android, a_thread_that_serves_a_callback_does_not_wait)
{
    made_frames(20, be_called_back);
    first_cause(DJ_CAUSE_SLEEP, "back off", "");
}

static int wait_for_collection(int at, int number)
{
    (void)number;
    made_switch(at - 50, 1, 0, "R", HOLDER);
    made_begin(at - 40, 1, HOLDER, "Background concurrent copying GC");
    int end = sleep_in(at, number == 2 ? "allocate" : "GC: Wait For Completion Alloc");
    made_wake(end, 1, HOLDER, MAIN);
    made_end(end + 1, 1, HOLDER);
    made_switch(end + 2, 1, HOLDER, "S", 0);
    return wake_up(end);
}

Test(triage_android, the_collecting_thread_holds_a_collection)
{
    made_frames(20, wait_for_collection);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *cause = made_cause(result, DJ_CAUSE_GC);
    cr_assert_not_null(cause);
    cr_expect_str_eq(cause->name, "GC: Wait For Completion Alloc");
    cr_expect_str_eq(cause->holder, "keeper");
    cr_expect_eq(cause->frames, 3);
    cr_expect_str_eq(cause->evidence[0].holder_section,
                     "Background concurrent copying GC");
    cr_expect(cause->holder_ran_ns > 3 * 17000000LL);
    cr_expect_null(made_cause(result, DJ_CAUSE_LOCK),
                   "the wait in \"allocate\" is a collection, too");
}

static int wait_for_owner(int at, int number)
{
    (void)number;
    made_switch(at - 50, 1, 0, "R", HOLDER);
    int end = sleep_in(at, "Lock contention on a monitor lock (owner tid: 102)");
    made_switch(end - 10, 1, HOLDER, "S", WORKER);
    made_wake(end, 1, WORKER, MAIN);
    made_switch(end + 5, 1, WORKER, "S", 0);
    return wake_up(end);
}

Test(triage_android, a_contention_names_its_owner)
{
    made_frames(20, wait_for_owner);
    first_cause(DJ_CAUSE_LOCK, "Lock contention on a monitor lock", "keeper");
}

static const char *fence;

static int wait_for_buffer(int at, int number)
{
    (void)number;
    if (fence != NULL) {
        made_begin(at - 40, 1, WORKER, fence);
    }
    int end = sleep_in(at, "dequeueBuffer");
    if (fence != NULL) {
        made_end(end + 30, 1, WORKER);
    }
    made_wake_by_softirq(end, 1, 0, MAIN, 9);
    return wake_up(end);
}

Test(triage_android, a_buffer_waits_for_the_gpu)
{
    fence = "waiting for GPU completion 17";
    made_frames(20, wait_for_buffer);
    const struct dj_triage_cause *cause = first_cause(DJ_CAUSE_GPU, "dequeueBuffer", "");
    cr_expect_str_eq(cause->evidence[0].detail, fence);
}

Test(triage_android, a_buffer_waits_for_the_display)
{
    fence = "waiting for HWC release 17";
    made_frames(20, wait_for_buffer);
    const struct dj_triage_cause *cause =
        first_cause(DJ_CAUSE_DISPLAY, "dequeueBuffer", "");
    cr_expect_str_eq(cause->evidence[0].detail, fence);
}

Test(triage_android, a_buffer_without_a_fence_counts_as_gpu)
{
    fence = NULL;
    made_frames(20, wait_for_buffer);
    first_cause(DJ_CAUSE_GPU, "dequeueBuffer", "");
}

/* Writes doFrame in MAIN and then DrawFrame in WORKER, which is idle until then. */
static void make_drawn(int at, int number)
{
    char name[40];
    int work = number % 5 == 2 ? 18000 : 2000;
    snprintf(name, sizeof(name), "Choreographer#doFrame %d", number);
    made_wake_by_timer(at - 10, 0, 0, MAIN);
    made_switch(at - 5, 0, 0, "R", MAIN);
    made_begin(at, 0, MAIN, name);
    made_begin(at + 1, 0, MAIN, "traversal");
    made_wake(at + work, 0, MAIN, WORKER);
    made_end(at + work + 1, 0, MAIN);
    made_end(at + work + 2, 0, MAIN);
    made_switch(at + work + 5, 1, 0, "R", WORKER);
    made_begin(at + work + 6, 1, WORKER, "DrawFrame");
    made_switch(at + work + 10, 0, MAIN, "S", 0);
    made_end(at + work + 3000, 1, WORKER);
    made_switch(at + work + 3010, 1, WORKER, "S", 0);
}

Test(triage_android, a_frame_is_in_its_first_thread_before_the_second)
{
    made_switch(1, 1, WORKER, "S", 0);
    for (int i = 0; i < 20; i++) {
        make_drawn(1000 + i * 30000, i);
    }
    const struct dj_triage_cause *cause = first_cause(DJ_CAUSE_OWN_WORK, "traversal", "");
    cr_expect_str_eq(cause->thread, "main");
    cr_expect(cause->ns > 4 * 17900000LL, "%.3f ms", (double)cause->ns / 1e6);
}
