/* Tests that only threads that occur in events are passed on. */
#include "capture/linux/known_threads.h"

#include <criterion/criterion.h>
#include <string.h>

#include "trace/kernel_trace.h"

enum { MOST = 16 };

static struct dj_event got[MOST];
static size_t got_count;

static int store_event(void *user, const struct dj_event *event)
{
    (void)user;
    cr_assert(got_count < MOST);
    got[got_count++] = *event;
    return 0;
}

static void write_switch(struct dj_known_threads *known, int32_t from, int32_t to)
{
    const struct dj_event event = {.kind = DJ_EVENT_SWITCH, .tid = from, .other = to};
    cr_assert_eq(dj_known_threads_write(known, &event), 0);
}

static void expect_thread(size_t n, int32_t tid, int32_t pid)
{
    cr_expect_eq(got[n].kind, DJ_EVENT_THREAD);
    cr_expect_eq(got[n].other, tid);
    cr_expect_eq(got[n].pid, pid);
}

Test(known_threads, each_thread_of_an_event_is_reported_once)
{
    static const char list[] = "300 30\n7 5\n8 5\n9 9\nnothing\n12 0\n";
    struct dj_known_threads known = {.sink = {store_event, NULL}};
    cr_assert_eq(dj_trace_kernel_report_processes(
                     (struct dj_str){list, sizeof(list) - 1},
                     (struct dj_event_sink){dj_known_threads_add, &known}),
                 0);
    write_switch(&known, 0, 8);
    write_switch(&known, 8, 300);
    write_switch(&known, 300, 1234);
    cr_assert_eq(got_count, 5);
    expect_thread(0, 8, 5);
    cr_expect_eq(got[1].other, 8);
    expect_thread(2, 300, 30);
    cr_expect_eq(got[3].other, 300);
    cr_expect_eq(got[4].other, 1234);
    dj_known_threads_finish(&known);
}

Test(known_threads, unknown_threads_are_not_reported)
{
    struct dj_known_threads known = {.sink = {store_event, NULL}};
    write_switch(&known, 7, 8);
    cr_expect_eq(got_count, 1);
    dj_known_threads_finish(&known);
}

static int reject_thread(void *user, const struct dj_event *event)
{
    (void)user;
    return event->kind == DJ_EVENT_THREAD ? DJ_E_LIMIT : 0;
}

Test(known_threads, an_error_of_the_sink_is_returned)
{
    struct dj_known_threads known = {.sink = {reject_thread, NULL}};
    const struct dj_event thread = {.kind = DJ_EVENT_THREAD, .other = 7, .pid = 5};
    const struct dj_event event = {.kind = DJ_EVENT_SWITCH, .tid = 1, .other = 7};
    cr_assert_eq(dj_known_threads_add(&known, &thread), 0);
    cr_expect_eq(dj_known_threads_write(&known, &event), DJ_E_LIMIT);
    dj_known_threads_finish(&known);
}
