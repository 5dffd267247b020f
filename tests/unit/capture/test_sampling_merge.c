/* Reads rings that the tests have filled as the kernel does. */
#include "capture/sampling/merge.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include "perf_bytes.h"

enum { RINGS = 3, RING_BYTES = 4096, MOST = 256 };

static struct dj_perf_ring rings[RINGS];
static struct dj_perf first = {.rings = rings, .count = 2},
                      second = {.rings = rings + 2, .count = 1};
static struct dj_perf *const sets[] = {&first, &second};
static struct {
    int64_t at_ns;
    uint32_t tid;
    size_t set;
} got[MOST];
static size_t got_count;

/* A sample begins with its id, and other records end with it. */
static size_t get_id_place(const struct dj_sampling_record *record)
{
    return record->header.type == PERF_RECORD_SAMPLE
               ? sizeof(record->header)
               : record->header.size - sizeof(record->id);
}

static void store_record(void *user, const struct dj_sampling_record *record)
{
    (void)user;
    cr_assert_lt(got_count, MOST);
    cr_expect_eq(memcmp(record->bytes, &record->header, sizeof(record->header)), 0);
    cr_expect_eq(
        memcmp(record->bytes + get_id_place(record), &record->id, sizeof(record->id)), 0);
    got[got_count].at_ns = (int64_t)record->id.at_ns;
    got[got_count].tid = record->id.tid;
    got[got_count++].set = record->set;
}

static struct dj_perf_merge merge = {.sets = sets, .set_count = 2, .take = store_record};

static void set_up(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < RINGS; i++) {
        rings[i].head = aligned_alloc(page, page + RING_BYTES);
        cr_assert_not_null(rings[i].head);
        memset(rings[i].head, 0, page + RING_BYTES);
        rings[i].size = RING_BYTES;
    }
    got_count = 0;
}

static void tear_down(void)
{
    for (size_t i = 0; i < RINGS; i++) {
        free(rings[i].head);
    }
}

TestSuite(sampling_merge, .init = set_up, .fini = tear_down);

/* Appends bytes to a ring. They may wrap at its end. */
static void append(struct dj_perf_ring *ring, const void *bytes, size_t size)
{
    uint8_t *data = (uint8_t *)ring->head + sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < size; i++) {
        data[(ring->head->data_head + i) % RING_BYTES] = ((const uint8_t *)bytes)[i];
    }
    ring->head->data_head += size;
}

static void append_sample(struct dj_perf_ring *ring, int64_t at_ns)
{
    struct pb pb = pb_make_sample(PB_PID, (uint32_t)(ring - rings), at_ns, 1, 0, 0);
    pb_end(&pb, 0);
    append(ring, pb.bytes, pb.size);
}

static void append_fork(struct dj_perf_ring *ring, int64_t at_ns)
{
    const uint32_t ids[] = {1, 1, 2, (uint32_t)(ring - rings)};
    struct pb pb = pb_make_task(PERF_RECORD_FORK, ids, at_ns);
    pb_end(&pb, 0);
    append(ring, pb.bytes, pb.size);
}

static void read_until(int64_t until_ns)
{
    struct dj_error err = {0};
    cr_assert_eq(dj_sampling_merge_read(&merge, until_ns, &err), 0, "%s", err.message);
}

Test(sampling_merge, order_of_time_across_rings_and_sets)
{
    append_sample(&rings[0], 10);
    append_sample(&rings[0], 40);
    append_fork(&rings[1], 20);
    append_sample(&rings[1], 50);
    append_sample(&rings[2], 30);
    read_until(1000);
    cr_assert_eq(got_count, 5);
    for (size_t i = 0; i < got_count; i++) {
        cr_expect_eq(got[i].at_ns, (int64_t)(10 * (i + 1)));
    }
    cr_expect_eq(got[1].tid, 1, "the id of a fork is at its end");
    cr_expect_eq(got[2].set, 1);
    for (size_t i = 0; i < RINGS; i++) {
        cr_expect_eq(rings[i].head->data_tail, rings[i].head->data_head);
    }
}

Test(sampling_merge, young_records_stay_in_their_ring)
{
    append_sample(&rings[0], 10);
    append_sample(&rings[0], 30);
    append_sample(&rings[1], 31);
    read_until(29);
    cr_expect_eq(got_count, 1);
    /* A record that another CPU wrote late comes before the younger ones. */
    append_sample(&rings[2], 25);
    read_until(INT64_MAX);
    cr_assert_eq(got_count, 4);
    cr_expect_eq(got[1].at_ns, 25);
    cr_expect_eq(got[2].at_ns, 30);
}

Test(sampling_merge, records_that_wrap)
{
    int64_t at_ns = 0;
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 5; i++) {
            append_sample(&rings[i % 2], ++at_ns);
        }
        read_until(INT64_MAX);
    }
    cr_expect_gt(rings[0].head->data_head, 4 * RING_BYTES, "it wrapped several times");
    cr_assert_eq(got_count, 200);
    for (size_t i = 0; i < got_count; i++) {
        cr_expect_eq(got[i].at_ns, (int64_t)i + 1);
    }
}

Test(sampling_merge, damaged_ring_is_skipped_and_counted)
{
    const struct perf_event_header broken = {.type = PERF_RECORD_SAMPLE, .size = 3};
    merge.damaged = 0;
    append(&rings[0], &broken, sizeof(broken));
    append_sample(&rings[0], 10);
    append_sample(&rings[1], 20);
    read_until(INT64_MAX);
    cr_expect_eq(got_count, 1);
    cr_expect_eq(merge.damaged, 1);
    append_sample(&rings[0], 30);
    read_until(INT64_MAX);
    cr_expect_eq(got_count, 2, "later records are read again");
}
