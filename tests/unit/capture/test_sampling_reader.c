/* Follows processes and stores stacks, from records that the tests have written. */
#include "capture/sampling/reader.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include "perf_bytes.h"

/* A process id that no process has, because it is above the kernel's maximum. */
enum { APP = 1 << 23, CHILD, OTHER };

static struct dj_stack_reader reader;
static struct dj_error err;

static void set_up(void)
{
    cr_assert_eq(dj_sampling_reader_init(&reader, &err), 0);
    cr_assert(dj_sampling_reader_watch(&reader, APP));
}

static void tear_down(void)
{
    dj_sampling_reader_finish(&reader);
}

TestSuite(sampling_reader, .init = set_up, .fini = tear_down);

static void take(struct pb pb, size_t set)
{
    struct dj_sampling_record record = pb_end(&pb, set);
    dj_sampling_reader_add(&reader, &record);
}

static void take_sample(uint32_t pid, int64_t at_ns)
{
    take(pb_make_sample(pid, pid, at_ns, 0x5000, 64, 64), DJ_SAMPLING_CPU);
}

static void take_task(uint32_t type, uint32_t pid, uint32_t parent, uint32_t tid)
{
    const uint32_t ids[] = {pid, parent, tid, parent};
    take(pb_make_task(type, ids, 1), DJ_SAMPLING_CPU);
}

Test(sampling_reader, other_processes_are_left_out)
{
    take_sample(APP, 10);
    take_sample(OTHER, 20);
    take_sample(0, 30);
    cr_expect_eq(reader.counts.samples, 1);
    cr_expect_eq(reader.store.samples, 1);
    cr_expect(!dj_sampling_reader_watch(&reader, APP), "it is already watched");
}

Test(sampling_reader, threads_that_have_ended_are_left_out)
{
    take(pb_make_sample(APP, UINT32_MAX, 10, 0x5000, 64, 64), DJ_SAMPLING_CPU);
    cr_expect_eq(reader.store.samples, 0, "the kernel no longer knows the thread");
    take_sample(APP, 20);
    cr_expect_eq(reader.store.samples, 1);
}

Test(sampling_reader, children_are_followed)
{
    take_task(PERF_RECORD_FORK, CHILD, APP, CHILD);
    take_task(PERF_RECORD_FORK, OTHER, OTHER + 1, OTHER);
    take_sample(CHILD, 10);
    take_sample(OTHER, 20);
    cr_expect_eq(reader.counts.samples, 1);
    take_task(PERF_RECORD_EXIT, CHILD, APP, CHILD + 5);
    take_sample(CHILD, 30);
    cr_expect_eq(reader.counts.samples, 2, "only a thread ended");
    take_task(PERF_RECORD_EXIT, CHILD, APP, CHILD);
    take_sample(CHILD, 40);
    cr_expect_eq(reader.counts.samples, 2, "another program may have this id now");
}

Test(sampling_reader, losses_and_throttling_are_counted)
{
    struct pb lost = pb_begin(PERF_RECORD_LOST, 0);
    pb_add_u64(&lost, 1);
    pb_add_u64(&lost, 9);
    pb_add_id(&lost, 0, 0, 3);
    take(lost, DJ_SAMPLING_CPU);
    struct pb throttle = pb_begin(PERF_RECORD_THROTTLE, 0);
    pb_add_u64(&throttle, 3);
    pb_add_u64(&throttle, 1);
    pb_add_u64(&throttle, 1);
    pb_add_id(&throttle, 0, 0, 3);
    take(throttle, DJ_SAMPLING_CPU);
    cr_expect_eq(reader.counts.lost, 9);
    cr_expect_eq(reader.counts.throttled, 1);
    cr_expect_eq(reader.store.samples, 1, "the trace contains the loss");
    cr_expect_eq(reader.counts.samples, 0);
}

Test(sampling_reader, a_polling_thread_is_capped)
{
    for (int64_t i = 0; i < 1500; i++) {
        take(pb_make_sample(APP, APP, 1000000 * i / 2, 0x5000, 0, 0), DJ_SAMPLING_WAITS);
    }
    take(pb_make_sample(APP, APP + 1, 5, 0x5000, 0, 0), DJ_SAMPLING_WAITS);
    take(pb_make_sample(APP, APP, 1000000001, 0x5000, 0, 0), DJ_SAMPLING_WAITS);
    cr_expect_eq(reader.counts.waits, 1002, "another thread and another second count");
    cr_expect_eq(reader.counts.waits_capped, 500);
}

/* ---- the store ---- */

static struct {
    size_t stacks, losses;
    int64_t first_ns, last_ns, value;
    uint64_t lost, address;
} written;

static int count_event(void *user, const struct dj_event *event)
{
    (void)user;
    cr_assert_eq(event->kind, DJ_EVENT_STACK);
    if (event->stack->lost > 0) {
        written.losses++;
        written.lost = event->stack->lost;
        return 0;
    }
    written.first_ns = written.stacks++ == 0 ? event->at_ns : written.first_ns;
    written.last_ns = event->at_ns;
    written.value = event->value;
    written.address = event->stack->count > 0 ? event->stack->frames[0].address : 0;
    return 0;
}

static void write_store(const struct dj_keep *keep, int64_t until_ns)
{
    struct dj_stack_writing writing = {.maps = reader.maps,
                                       .names = dj_stacks_names_create(reader.maps, NULL),
                                       .keep = keep,
                                       .until_ns = until_ns,
                                       .interval_ns = 1000000,
                                       .sink = {count_event, NULL}};
    written.stacks = written.losses = 0;
    cr_assert_eq(dj_sampling_store_write(&reader.store, &writing, &err), 0, "%s",
                 err.message);
    cr_expect_eq(writing.written, written.stacks);
    dj_stacks_names_destroy(writing.names);
}

Test(sampling_reader, more_samples_than_fit_into_memory_come_back_in_order)
{
    const int64_t count = 3 * DJ_STACK_BLOCK + 7;
    for (int64_t i = 0; i < count; i++) {
        take_sample(APP, i);
    }
    cr_expect_eq(reader.store.call_count, 1, "equal stacks are stored once");
    cr_expect_eq(reader.store.node_count, 2);
    write_store(NULL, INT64_MAX);
    cr_expect_eq(written.stacks, (size_t)count);
    cr_expect(written.first_ns == 0 && written.last_ns == count - 1);
    cr_expect_eq(written.value, 1000000);
    cr_expect_eq(written.address, 0x5000, "an address without a file stays as it is");
    write_store(NULL, 99);
    cr_expect_eq(written.stacks, 100);
}

Test(sampling_reader, only_spans_around_janky_frames_are_written)
{
    struct dj_keep keep = {0};
    for (int64_t i = 0; i < 1000; i++) {
        take_sample(APP, i);
    }
    struct pb lost = pb_begin(PERF_RECORD_LOST, 0);
    pb_add_u64(&lost, 1);
    pb_add_u64(&lost, 3);
    pb_add_id(&lost, 0, 0, 2000);
    take(lost, DJ_SAMPLING_CPU);
    cr_assert_eq(dj_janky_keep_add_frame(&keep, 200, 299, 10, 20, &err), 0);
    write_store(&keep, INT64_MAX);
    cr_expect_eq(written.stacks, 130);
    cr_expect(written.losses == 1 && written.lost == 3);
    dj_janky_keep_finish(&keep);
}
