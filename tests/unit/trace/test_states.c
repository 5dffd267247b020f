/* Tests the states of threads that are computed from scheduler events. */
#include <criterion/criterion.h>
#include <string.h>

#include "trace/model/builder.h"
#include "trace/text/ftrace.h"

static struct dj_trace trace;

static void finish(void)
{
    dj_trace_finish(&trace);
}

TestSuite(states, .fini = finish);

static void build(const char *text)
{
    struct dj_error err = {0};
    struct dj_trace_builder built = {.trace = &trace};
    struct dj_ftrace_text reader = {.sink = {dj_builder_add_event, &built}};
    cr_assert_eq(dj_ftrace_text_read(&reader, text, strlen(text), &err), 0);
    cr_assert_eq(dj_ftrace_text_end(&reader, &err), 0);
    dj_ftrace_text_finish(&reader);
    cr_assert_eq(dj_builder_complete(&built, &err), 0, "%s", err.message);
}

/* Returns state number `n` of a thread, counted from 0. */
static const struct dj_trace_state *state_of(uint32_t tid, size_t n)
{
    for (size_t i = 0; i < trace.state_count; i++) {
        if (trace.states[i].tid == tid && n-- == 0) {
            return &trace.states[i];
        }
    }
    cr_assert_fail("thread %u has no such state", tid);
    return NULL;
}

static void is_state(uint32_t tid, size_t n, enum dj_thread_state state, int64_t start_ns,
                     int64_t end_ns)
{
    const struct dj_trace_state *found = state_of(tid, n);
    cr_expect_str_eq(dj_trace_get_thread_state_name(found->state),
                     dj_trace_get_thread_state_name(state));
    cr_expect_eq(found->start_ns, start_ns);
    cr_expect_eq(found->end_ns, end_ns);
}

#define SWITCH(from, state, to)                                                          \
    "sched_switch: prev_comm=x prev_pid=" from " prev_prio=120 prev_state=" state        \
    " ==> next_comm=y next_pid=" to " next_prio=120\n"

Test(states, a_sleep_ends_with_its_waker)
{
    build("x-5 [001] d..2 0.000000100: " SWITCH(
        "5", "S", "6") "x-6 [001] d..2 0.000000300: sched_waking: comm=x pid=5 prio=1 "
                       "target_cpu=000\n"
                       "x-6 [001] d..2 0.000000310: sched_waking: comm=x pid=5 prio=1 "
                       "target_cpu=000\n"
                       "<idle>-0 [000] d..2 0.000000400: " SWITCH(
                           "0", "R", "5") "x-5 [000] d..2 0.000000900: " SWITCH("5", "R+",
                                                                                "0"));
    is_state(5, 0, DJ_THREAD_SLEEPING, 100, 300);
    is_state(5, 1, DJ_THREAD_RUNNABLE, 300, 400);
    cr_expect_eq(state_of(5, 1)->waker, 6);
    cr_expect_not(state_of(5, 1)->interrupted);
    is_state(5, 2, DJ_THREAD_RUNNING, 400, 900);
    cr_expect_eq(state_of(5, 2)->cpu, 0);
    is_state(5, 3, DJ_THREAD_PREEMPTED, 900, 900);
    cr_expect(state_of(5, 3)->open);
    is_state(6, 0, DJ_THREAD_RUNNING, 100, 900);
    cr_expect(state_of(6, 0)->open);
}

Test(states, an_interrupt_is_not_the_interrupted_thread)
{
    build("x-5 [001] d..2 0.000000100: " SWITCH(
        "5", "S", "6") "x-6 [001] d.h2 0.000000300: sched_waking: comm=x pid=5 prio=1 "
                       "target_cpu=0\n");
    cr_expect_eq(state_of(5, 1)->waker, 6);
    cr_expect(state_of(5, 1)->interrupted);
}

Test(states, the_reason_of_a_sleep_comes_after_it)
{
    build("x-5 [001] d..2 0.000000100: " SWITCH(
        "5", "D", "6") "x-6 [001] d..2 0.000000300: sched_waking: comm=x pid=5 prio=1 "
                       "target_cpu=0\n"
                       "x-6 [001] d..2 0.000000301: sched_blocked_reason: pid=5 iowait=1 "
                       "caller=wait\n"
                       "x-6 [001] d..2 0.000000400: " SWITCH(
                           "6", "D",
                           "5") "x-5 [001] d..2 0.000000500: sched_blocked_reason: pid=6 "
                                "iowait=0 caller=lock\n");
    is_state(5, 0, DJ_THREAD_BLOCKED_IO, 100, 300);
    cr_expect_str_eq(state_of(5, 0)->blocked_in, "wait");
    is_state(6, 1, DJ_THREAD_BLOCKED, 400, 500);
    cr_expect_str_eq(state_of(6, 1)->blocked_in, "lock");
}

Test(states, backward_stamps_end_no_state_before_its_begin)
{
    build("x-5 [001] d..2 0.000000500: " SWITCH(
        "5", "S", "6") "x-6 [001] d..2 0.000000300: " SWITCH("6", "S", "5"));
    is_state(6, 0, DJ_THREAD_RUNNING, 500, 500);
    cr_expect_eq(trace.backwards, 1);
    cr_expect_eq(trace.backwards_ns, 200);
}

/* An event also counts as backwards if it is earlier than an event of another CPU, and
 * if the times wrapped around before it. */
Test(states, backward_stamps_are_counted)
{
    build("x-5 [001] d..2 4294.967295: other: x\n"
          "x-6 [000] d..2 4294.967290: other: x\n"
          "##### CPU 0 buffer started ####\n"
          "x-6 [000] d..2 0.000001: other: x\n"
          "x-6 [000] d..2 0.000002: other: x\n"
          "x-6 [000] d..2 4295.000000: other: x\n");
    cr_expect_eq(trace.backwards, 3);
    cr_expect_eq(trace.backwards_ns, INT64_C(4294967294000));
}

Test(states, dead_threads_stay_dead_and_idle_has_no_states)
{
    build("x-5 [001] d..2 0.000000100: " SWITCH("5", "X", "0"));
    cr_expect_eq(trace.state_count, 0);
    cr_expect_eq(trace.thread_count, 1);
}

Test(states, a_missing_switch_makes_states_unknown)
{
    build("x-5 [001] d..2 0.000000100: " SWITCH(
        "5", "R", "6") "x-6 [001] d..2 0.000000200: other: x\n"
                       "x-5 [001] d..2 0.000000900: " SWITCH("5", "S", "0"));
    cr_expect_eq(trace.switches, 1);
    is_state(5, 0, DJ_THREAD_PREEMPTED, 100, 200);
    is_state(5, 1, DJ_THREAD_UNKNOWN, 200, 900);
    is_state(5, 2, DJ_THREAD_SLEEPING, 900, 900);
    is_state(6, 0, DJ_THREAD_RUNNING, 100, 200);
    is_state(6, 1, DJ_THREAD_UNKNOWN, 200, 900);
}

#define WAKING(who) "sched_waking: comm=x pid=" who " prio=1 target_cpu=001\n"

/* Thread 5 sleeps and its CPU 1 is idle. Thread 5 is woken at 300, and no switch to it
 * is recorded. */
#define WOKEN_ON_AN_IDLE_CPU                                                             \
    "x-5 [001] d..2 0.000000100: " SWITCH(                                               \
        "5", "S", "0") "<idle>-0 [001] d.h3 0.000000300: " WAKING("5")

Test(states, an_idle_cpu_runs_the_woken_thread_without_a_switch)
{
    build(WOKEN_ON_AN_IDLE_CPU
          "x-5 [001] ...1 0.000000340: tracing_mark_write: B|5|draw\n"
          "x-5 [001] d..2 0.000000900: " SWITCH("5", "S", "0"));
    cr_expect_eq(trace.switches, 1);
    is_state(5, 0, DJ_THREAD_SLEEPING, 100, 300);
    is_state(5, 1, DJ_THREAD_RUNNABLE, 300, 300);
    is_state(5, 2, DJ_THREAD_RUNNING, 300, 900);
    cr_expect_eq(state_of(5, 2)->cpu, 1);
}

Test(states, a_switch_away_also_shows_a_missing_switch)
{
    build(WOKEN_ON_AN_IDLE_CPU "x-5 [001] d..2 0.000000900: " SWITCH("5", "S", "0"));
    cr_expect_eq(trace.switches, 1);
    is_state(5, 2, DJ_THREAD_RUNNING, 300, 900);
}

Test(states, a_cpu_with_lost_events_may_not_have_been_idle)
{
    build(WOKEN_ON_AN_IDLE_CPU
          "CPU:1 [LOST 5 EVENTS]\n"
          "x-5 [001] ...1 0.000000340: tracing_mark_write: B|5|draw\n"
          "x-5 [001] d..2 0.000000900: " SWITCH("5", "S", "0"));
    is_state(5, 2, DJ_THREAD_UNKNOWN, 300, 340);
    is_state(5, 3, DJ_THREAD_RUNNING, 340, 900);
}

Test(states, a_thread_that_writes_markers_or_is_interrupted_runs)
{
    build("x-5 [001] d..2 0.000000100: " SWITCH(
        "5", "R", "6") "x-6 [001] ...1 0.000000200: tracing_mark_write: B|6|a\n"
                       "x-5 [001] d.h1 0.000000400: irq_handler_entry: irq=7 name=x\n"
                       "x-5 [001] d..2 0.000000900: " SWITCH("5", "S", "0"));
    cr_expect_eq(trace.switches, 1);
    is_state(6, 0, DJ_THREAD_RUNNING, 100, 200);
    is_state(6, 1, DJ_THREAD_UNKNOWN, 200, 900);
    is_state(5, 1, DJ_THREAD_UNKNOWN, 200, 400);
    is_state(5, 2, DJ_THREAD_RUNNING, 400, 900);
}

/* The kernel starts this timer while it switches from one thread to another. */
Test(states, a_timer_start_does_not_show_the_running_thread)
{
    build("x-5 [001] d..2 0.000000100: " SWITCH(
        "5", "S", "6") "x-5 [001] d..2 0.000000101: hrtimer_start: hrtimer=1 "
                       "function=tick expires=5 "
                       "softexpires=5\n"
                       "x-6 [001] d..2 0.000000900: " SWITCH("6", "S", "0"));
    cr_expect_eq(trace.switches, 0);
    is_state(6, 0, DJ_THREAD_RUNNING, 100, 900);
}

Test(states, a_reused_id_is_another_thread)
{
    build("a-7 (5) [000] ...1 1.000001: tracing_mark_write: B|5|of a\n"
          "a-7 (5) [000] d..2 1.000002: sched_switch: prev_comm=a prev_pid=7 "
          "prev_prio=120 prev_state=X ==> next_comm=c next_pid=9 next_prio=120\n"
          "c-9 (9) [000] ...1 1.000003: task_newtask: pid=7 comm=c clone_flags=0 "
          "oom_score_adj=0\n"
          "c-9 (9) [000] ...1 1.000004: task_rename: pid=7 oldcomm=c newcomm=b "
          "oom_score_adj=0\n"
          "c-9 (9) [000] d..2 1.000005: sched_switch: prev_comm=c prev_pid=9 "
          "prev_prio=120 prev_state=R ==> next_comm=b next_pid=7 next_prio=120\n"
          "b-7 (9) [000] ...1 1.000006: tracing_mark_write: E|9\n");
    cr_assert_eq(trace.thread_count, 3);
    cr_expect_str_eq(dj_trace_get_thread_name_at(&trace, 7, 1000001000), "a");
    cr_expect_str_eq(dj_trace_get_thread_name_at(&trace, 7, 1000002999), "a");
    cr_expect_str_eq(dj_trace_get_thread_name_at(&trace, 7, 1000003000), "b");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 7), "b");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 9), "c");
    cr_expect_eq(trace.threads[0].pid, 5);
    cr_expect_eq(trace.threads[1].pid, 9);
    cr_assert_eq(trace.slice_count, 1);
    cr_expect(trace.slices[0].open, "another thread's end is not its");
    cr_expect_eq(trace.endings, 1);
    is_state(7, 0, DJ_THREAD_DEAD, 1000002000, 1000005000);
    is_state(7, 1, DJ_THREAD_RUNNING, 1000005000, 1000006000);
}

Test(states, another_name_after_an_exit_is_another_thread)
{
    build("a-7 (5) [000] ...1 1.000001: sched_process_exit: comm=a pid=7 prio=120\n"
          "a-7 (5) [000] ...1 1.000002: tracing_mark_write: B|5|still a\n"
          "b-7 (8) [000] ...1 1.000003: tracing_mark_write: B|8|of b\n"
          "b-7 (8) [000] ...1 1.000004: tracing_mark_write: E|8\n");
    cr_assert_eq(trace.thread_count, 2);
    cr_expect_str_eq(dj_trace_get_thread_name_at(&trace, 7, 1000002000), "a");
    cr_expect_str_eq(dj_trace_get_thread_name_at(&trace, 7, 1000003000), "b");
    cr_expect_eq(trace.slices[1].depth, 0);
    cr_expect_not(trace.slices[1].open);
}

/* The name that trace-cmd writes at the start of a line is an old name, of the thread's
 * parent. */
Test(states, an_old_name_before_a_line_after_an_exit_is_the_same_thread)
{
    build("<idle>-0 [000] 1000000500: sched_switch: swapper/0:0 [120] R ==> a:7 [120]\n"
          "sh-7 [000] 1000001000: sched_process_exit: comm=a pid=7 prio=120\n"
          "sh-7 [000] 1000002000: sched_waking: comm=b pid=9 prio=120 target_cpu=000\n"
          "sh-7 [000] 1000003000: sched_switch: a:7 [120] Z ==> b:9 [120]\n"
          "b-9 [000] 1000004000: sched_switch: b:9 [120] S ==> c:7 [120]\n");
    cr_assert_eq(trace.thread_count, 3);
    cr_expect_str_eq(dj_trace_get_thread_name_at(&trace, 7, 1000003999), "a");
    cr_expect_str_eq(dj_trace_get_thread_name_at(&trace, 7, 1000004000), "c");
}

Test(states, a_mention_after_the_end_is_the_same_thread)
{
    static const struct dj_str a = {"a", 1}, b = {"b", 1};
    const struct dj_event events[] = {
        {.kind = DJ_EVENT_BEGIN, .at_ns = 1, .tid = 7, .pid = 7, .task = a, .name = a},
        {.kind = DJ_EVENT_EXIT, .at_ns = 2, .tid = 7, .pid = 7, .other = 7, .task = a},
        {.kind = DJ_EVENT_THREAD, .pid = 7, .other = 7, .other_name = b},
    };
    struct dj_error err = {0};
    struct dj_trace_builder built = {.trace = &trace};
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        cr_assert_eq(dj_builder_add_event(&built, &events[i]), 0);
    }
    cr_assert_eq(dj_builder_complete(&built, &err), 0, "%s", err.message);
    cr_assert_eq(trace.thread_count, 1);
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 7), "a");
}

Test(states, with_equal_stamps_keep_their_order)
{
    build("a-7 (5) [000] d..2 1.000001: sched_switch: prev_comm=a prev_pid=7 "
          "prev_prio=120 prev_state=S ==> next_comm=c next_pid=9 next_prio=120\n"
          "c-9 (9) [000] ...1 1.000001: sched_waking: comm=a pid=7 prio=120 "
          "target_cpu=000\n"
          "c-9 (9) [000] d..2 1.000001: sched_switch: prev_comm=c prev_pid=9 "
          "prev_prio=120 prev_state=S ==> next_comm=a next_pid=7 next_prio=120\n"
          "a-7 (5) [000] ...1 1.000009: tracing_mark_write: E|9\n");
    is_state(7, 0, DJ_THREAD_SLEEPING, 1000001000, 1000001000);
    is_state(7, 1, DJ_THREAD_RUNNABLE, 1000001000, 1000001000);
    is_state(7, 2, DJ_THREAD_RUNNING, 1000001000, 1000009000);
}

Test(states, are_only_counted_on_request)
{
    const char *text = "x-5 [001] d..2 0.000000100: " SWITCH(
        "5", "S", "6") "x-6 [001] d..2 0.000000200: " SWITCH("6", "S", "5");
    build(text);
    size_t kept = trace.state_count;
    finish();
    trace = (struct dj_trace){.count_states = true};
    build(text);
    cr_expect_eq(trace.state_count, kept);
    cr_expect_null(trace.states);
    finish();
    trace = (struct dj_trace){.count_states = true, .memory_bytes = 1 << 16};
    build(text);
    struct dj_trace_position place = {0};
    cr_expect_eq(trace.state_count, kept);
    cr_expect_null(dj_trace_next_state(&trace, &place));
}
