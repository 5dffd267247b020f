#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "fleet/views/views.h"

/* Days of versions as a query by version and day returns them, the oldest day first. */
static const struct {
    const char *version, *day;
    int64_t sessions;
} days[] = {
    {"1.9", "2026-03-01", 100}, {"2.0", "2026-03-01", 1}, /* A clock that is wrong. */
    {"1.10", "2026-03-10", 50}, {"1.9", "2026-03-11", 90}, {"2.0-rc1", "2026-03-12", 9},
    {"", "2026-03-18", 2},      {"2.0", "2026-03-20", 80}, {"1.10", "2026-03-21", 40},
    {"2.0", "2026-03-22", 70},
};

static void fill(struct dj_fleet_result *by_day, struct dj_fleet_group *groups)
{
    *by_day = (struct dj_fleet_result){.groups = groups, .count = COUNT_OF(days)};
    by_day->query.by[0] = DJ_FLEET_VERSION;
    by_day->query.by[1] = DJ_FLEET_DAY;
    by_day->query.by_count = 2;
    for (size_t i = 0; i < COUNT_OF(days); i++) {
        int64_t sessions = days[i].sessions;
        groups[i] =
            (struct dj_fleet_group){.key = {(char *)days[i].version, (char *)days[i].day},
                                    .sessions = sessions,
                                    .frames = 10 * sessions,
                                    .slow = sessions,
                                    .slow_of = 10 * sessions,
                                    .timed_frames = 10 * sessions};
        groups[i].times[i] = (uint64_t)(10 * sessions);
    }
}

Test(versions, are_sorted_by_the_mean_day_of_their_sessions)
{
    static const char *const expected[] = {"2.0", "", "1.10", "2.0-rc1", "1.9"};
    struct dj_fleet_group groups[COUNT_OF(days)];
    struct dj_fleet_result by_day, versions;
    fill(&by_day, groups);
    dj_fleet_sum_versions(&by_day, &versions);
    cr_assert_eq(versions.count, COUNT_OF(expected));
    for (size_t i = 0; i < versions.count; i++) {
        cr_expect_str_eq(versions.groups[i].key[0], expected[i], "%zu: %s", i,
                         versions.groups[i].key[0]);
    }
    dj_fleet_result_finish(&versions);
}

Test(versions, have_the_sums_of_their_days)
{
    struct dj_fleet_group groups[COUNT_OF(days)];
    struct dj_fleet_result by_day, versions;
    int64_t sessions = 0;
    fill(&by_day, groups);
    dj_fleet_sum_versions(&by_day, &versions);
    cr_assert_eq(versions.query.by_count, 1);
    cr_expect_eq(versions.query.by[0], DJ_FLEET_VERSION);
    for (size_t i = 0; i < versions.count; i++) {
        sessions += versions.groups[i].sessions;
        cr_expect_eq(versions.groups[i].frames, 10 * versions.groups[i].sessions);
    }
    cr_expect_eq(sessions, 442);
    const struct dj_fleet_group *newest = &versions.groups[0];
    cr_expect_eq(newest->sessions, 151);
    cr_expect_eq(newest->times[6], 800);
    cr_expect_eq(newest->times[8], 700);
    cr_expect_float_eq(dj_fleet_percent(newest->slow, newest->slow_of), 10, 1e-9);
    dj_fleet_result_finish(&versions);
}

Test(versions, of_an_empty_answer_are_none)
{
    struct dj_fleet_result by_day = {.count = 0}, versions;
    dj_fleet_sum_versions(&by_day, &versions);
    cr_expect_eq(versions.count, 0);
    dj_fleet_result_finish(&versions);
}
