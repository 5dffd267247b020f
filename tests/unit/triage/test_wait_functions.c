/* Tests of the functions that triage names for waits. MAIN sleeps in frames 2, 7, 12 and
 * so on, until HOLDER wakes it. */
#include <criterion/criterion.h>
#include <string.h>

#include "made_trace.h"

enum { COUNT = 20, JANKY = 4, WAIT_US = 18000, BEFORE_US = 100 };

TestSuite(wait_functions, .fini = made_clear);

/* The stack of each wait, and the time between the switch and its sample in µs. */
static const char *stacks[JANKY];
static int apart_us;
static const struct dj_triage_result *result;

static void wait_once(int at, const char *stack)
{
    if (stack != NULL) {
        made_wait(at + apart_us, MAIN, stack);
    }
    made_switch(at, 0, MAIN, "S", 0);
}

static int wait_for_keeper(int at, int number)
{
    int end = at + WAIT_US;
    made_wake_by_timer(at - 60, 1, 0, HOLDER);
    made_switch(at - 50, 1, 0, "R", HOLDER);
    made_begin(at - 40, 1, HOLDER, "fill cache");
    made_begin(at, 0, MAIN, "take");
    wait_once(at + BEFORE_US, stacks[number / 5]);
    made_wake(end, 1, HOLDER, MAIN);
    made_end(end + 1, 1, HOLDER);
    made_switch(end + 2, 1, HOLDER, "S", 0);
    made_switch(end + 10, 0, 0, "R", MAIN);
    made_end(end + 20, 0, MAIN);
    return end + 20;
}

/* Each wait has the stack `path`. */
static const struct dj_triage_waiters *find_waiters(const char *path)
{
    for (size_t i = 0; i < JANKY; i++) {
        stacks[i] = path;
    }
    made_frames(COUNT, wait_for_keeper);
    result = made_triage(NULL);
    const struct dj_triage_cause *cause = made_cause(result, DJ_CAUSE_LOCK);
    cr_assert_not_null(cause);
    return cause->waiters;
}

static const char *get_call(const struct dj_triage_waiter *waiter)
{
    const struct dj_calls_tree *calls = result->calls;
    return calls->functions[calls->nodes[waiter->call].function].name;
}

static void expect_only(const char *path, const char *name, const char *call)
{
    const struct dj_triage_waiters *waiters = find_waiters(path);
    cr_assert_not_null(waiters);
    cr_assert_eq(waiters->count, 1);
    const struct dj_triage_waiter *first = &waiters->all[0];
    cr_expect_str_eq(first->function->name, name);
    cr_expect_str_eq(get_call(first), call);
}

Test(wait_functions, the_function_that_called_the_c_library)
{
    const struct dj_triage_waiters *waiters = find_waiters(
        "_start/main/update_cache/pthread_mutex_lock@libc.so.6/futex@libc.so.6");
    cr_assert_not_null(waiters);
    cr_assert_eq(waiters->count, 1);
    const struct dj_triage_waiter *first = &waiters->all[0];
    cr_expect_str_eq(first->function->name, "update_cache");
    cr_expect_str_eq(first->function->module, "/usr/bin/app");
    cr_expect_eq(first->waits, JANKY);
    cr_expect_eq(first->frames, JANKY);
    cr_expect_eq(first->guessed, 0);
    cr_expect_eq(first->ns, (int64_t)JANKY * (WAIT_US - BEFORE_US) * 1000);
    cr_expect_eq(waiters->waits, JANKY);
    cr_expect_eq(waiters->known_waits, JANKY);
    cr_expect_eq(waiters->known_ns, waiters->ns);
}

Test(wait_functions, libraries_that_wait_for_their_callers_are_skipped)
{
    expect_only("main/fetch/g_cond_wait@libglib-2.0.so.0/"
                "pthread_cond_wait@libc.so.6",
                "fetch", "g_cond_wait");
}

Test(wait_functions, modules_of_the_kernel_are_skipped)
{
    expect_only("main/draw/ioctl@libc.so.6/drm_ioctl@drm.ko.xz/i915_wait@[i915]/"
                "schedule@[kernel.kallsyms]",
                "draw", "ioctl");
}

Test(wait_functions, a_path_of_a_library_needs_its_file_name)
{
    expect_only("main/fetch/wait@libcache.so/read@libc.so.6", "wait", "read");
}

Test(wait_functions, a_library_that_waits_is_named_if_there_is_no_other_function)
{
    expect_only("clone3@libc.so.6/run@libQt5Core.so.5/poll@libc.so.6", "run", "poll");
}

Test(wait_functions, a_stack_of_the_c_library_alone)
{
    expect_only("clone3@libc.so.6/read@libc.so.6", "clone3", "clone3");
}

Test(wait_functions, a_wait_without_a_sample_is_counted_as_unknown)
{
    for (size_t i = 0; i < JANKY; i++) {
        stacks[i] = i == 1 ? "main/throttle/usleep@libc.so.6" : NULL;
    }
    made_frames(COUNT, wait_for_keeper);
    const struct dj_triage_cause *cause = made_cause(made_triage(NULL), DJ_CAUSE_LOCK);
    cr_assert_not_null(cause->waiters);
    cr_expect_eq(cause->waiters->waits, JANKY);
    cr_expect_eq(cause->waiters->known_waits, 1);
    cr_expect_eq(cause->waiters->known_ns * JANKY, cause->waiters->ns);
    cr_assert_eq(cause->waiters->count, 1);
    cr_expect_eq(cause->waiters->all[0].waits, 1);
}

Test(wait_functions, a_sample_of_another_switch_is_not_used)
{
    apart_us = 3000;
    const struct dj_triage_waiters *waiters = find_waiters("main/other/read@libc.so.6");
    cr_assert_not_null(waiters);
    cr_expect_eq(waiters->known_waits, 0);
    cr_expect_eq(waiters->count, 0);
    apart_us = 0;
}

Test(wait_functions, clocks_may_be_some_microseconds_apart)
{
    apart_us = -20;
    expect_only("main/throttle/usleep@libc.so.6", "throttle", "usleep");
    apart_us = 0;
}

/* MAIN runs for 20 µs between two sleeps. The sample of each sleep is 11 µs before it. */
static int wait_twice(int at, int number)
{
    (void)number;
    int middle = at + WAIT_US / 2;
    made_wake_by_timer(at - 60, 1, 0, HOLDER);
    made_switch(at - 50, 1, 0, "R", HOLDER);
    made_begin(at, 0, MAIN, "take");
    made_wait(at + 100 - 11, MAIN, "main/first/read@libc.so.6");
    made_switch(at + 100, 0, MAIN, "S", 0);
    made_wake(middle, 1, HOLDER, MAIN);
    made_switch(middle + 1, 0, 0, "R", MAIN);
    made_wait(middle + 21 - 11, MAIN, "main/second/read@libc.so.6");
    made_switch(middle + 21, 0, MAIN, "S", 0);
    made_wake(at + WAIT_US, 1, HOLDER, MAIN);
    made_switch(at + WAIT_US + 2, 1, HOLDER, "S", 0);
    made_switch(at + WAIT_US + 10, 0, 0, "R", MAIN);
    made_end(at + WAIT_US + 20, 0, MAIN);
    return at + WAIT_US + 20;
}

Test(wait_functions, waits_in_quick_succession)
{
    made_frames(COUNT, wait_twice);
    const struct dj_triage_cause *cause = made_cause(made_triage(NULL), DJ_CAUSE_LOCK);
    cr_assert_not_null(cause);
    cr_assert_eq(cause->waiters->count, 2);
    cr_expect_eq(cause->waiters->waits, 2 * JANKY);
    cr_expect_eq(cause->waiters->known_waits, 2 * JANKY);
    for (size_t i = 0; i < 2; i++) {
        cr_expect_eq(cause->waiters->all[i].waits, JANKY);
    }
}

Test(wait_functions, two_functions_the_longer_first)
{
    for (size_t i = 0; i < JANKY; i++) {
        stacks[i] = i == 3 ? "main/load/read@libc.so.6" : "main/save/read@libc.so.6";
    }
    made_frames(COUNT, wait_for_keeper);
    const struct dj_triage_cause *cause = made_cause(made_triage(NULL), DJ_CAUSE_LOCK);
    cr_assert_eq(cause->waiters->count, 2);
    cr_expect_str_eq(cause->waiters->all[0].function->name, "save");
    cr_expect_eq(cause->waiters->all[0].waits, 3);
    cr_expect_str_eq(cause->waiters->all[1].function->name, "load");
}

Test(wait_functions, without_stacks_of_waits_nothing_changes)
{
    cr_expect_null(find_waiters(NULL));
}
