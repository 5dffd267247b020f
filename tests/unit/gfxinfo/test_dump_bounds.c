/* Tests the plausible range of the timestamps of a dump. */
#include <criterion/criterion.h>

#include "support.h"

#define MS INT64_C(1000000)
#define DAY_NS (24 * 3600 * INT64_C(1000000000))

static struct dj_text text;

static void finish(void)
{
    dj_text_finish(&text);
    finish_reading();
}

TestSuite(dump_bounds, .fini = finish);

/* Parses a dump with a window of these rows. If uptime_ms is −1, it has no uptime
 * line. */
static void read_rows(int64_t uptime_ms, const int64_t *start_ns, size_t count)
{
    dj_text_clear(&text);
    if (uptime_ms >= 0) {
        dj_text_format(&text,
                       "Applications Graphics Acceleration Info:\n"
                       "Uptime: %lld Realtime: %lld\n\n",
                       (long long)uptime_ms, (long long)uptime_ms);
    }
    dj_text_add(&text, "** Graphics info for pid 1 [a] **\n\n---PROFILEDATA---\n"
                       "Flags,IntendedVsync,FrameCompleted,\n");
    for (size_t i = 0; i < count; i++) {
        dj_text_format(&text, "0,%lld,%lld,\n", (long long)start_ns[i],
                       (long long)start_ns[i] + 1);
    }
    dj_text_add(&text, "---PROFILEDATA---\n");
    cr_assert_eq(parse_text(&text), 0);
}

static void expect_bounds(int64_t earliest_ns, int64_t latest_ns)
{
    cr_assert_eq(dump.plausible.earliest_ns, earliest_ns, "%lld",
                 (long long)dump.plausible.earliest_ns);
    cr_assert_eq(dump.plausible.latest_ns, latest_ns, "%lld",
                 (long long)dump.plausible.latest_ns);
}

Test(dump_bounds, bounds_end_when_the_dump_was_printed)
{
    static const int64_t starts[] = {1000 * MS, INT64_C(288234774265332736), 1017 * MS};
    read_rows(2000, starts, 3);
    expect_bounds(1, (2000 + DJ_DUMP_PRINTING_MS) * MS);
}

Test(dump_bounds, bounds_without_an_uptime_are_a_day_around_the_median)
{
    static const int64_t starts[] = {5 * DAY_NS + 2, 5 * DAY_NS, INT64_MAX - 5,
                                     5 * DAY_NS + 1, 7};
    read_rows(-1, starts, 5);
    expect_bounds(4 * DAY_NS + 1, 6 * DAY_NS + 1);
    /* The lower one of the two middle values is used, because invalid values are usually
     * large. */
    read_rows(-1, starts + 1, 2);
    expect_bounds(4 * DAY_NS, 6 * DAY_NS);
    read_rows(-1, starts + 4, 1);
    expect_bounds(1, DAY_NS + 7);
    read_rows(-1, starts + 2, 1);
    expect_bounds(INT64_MAX - 5 - DAY_NS, INT64_MAX);
}

/* The app is in a time namespace, or the rows were pasted after the header of an earlier
 * dump. */
Test(dump_bounds, bounds_of_rows_with_another_clock_ignore_the_uptime)
{
    static const int64_t starts[] = {5 * DAY_NS, 5 * DAY_NS + 1, 1000 * MS};
    read_rows(2000, starts, 3);
    expect_bounds(4 * DAY_NS, 6 * DAY_NS);
    read_rows(2000, starts + 1, 2);
    expect_bounds(1, (2000 + DJ_DUMP_PRINTING_MS) * MS);
}

Test(dump_bounds, bounds_of_many_rows_come_from_a_sample)
{
    enum { ROWS = 2500 };
    static int64_t starts[ROWS];
    for (int i = 0; i < ROWS; i++) {
        starts[i] = 5 * DAY_NS + i;
    }
    read_rows(-1, starts, ROWS);
    int64_t middle_ns = dump.plausible.earliest_ns + DAY_NS;
    cr_assert_eq(dump.plausible.latest_ns, middle_ns + DAY_NS);
    cr_assert_leq(llabs(middle_ns - starts[ROWS / 2]), 3);
}

Test(dump_bounds, bounds_are_unknown_without_rows)
{
    read_rows(2000, NULL, 0);
    expect_bounds(0, 0);
}

Test(dump_bounds, bounds_do_not_overflow)
{
    static const int64_t starts[] = {1000 * MS};
    read_rows(INT64_MAX, starts, 1);
    expect_bounds(1, DAY_NS + 1000 * MS);
}
