#include <criterion/criterion.h>
#include <stdlib.h>

#include "xpresent/refresh.h"

/* Adds a report at each refresh of a display. Returns the last interval. */
static int64_t add_refreshes(struct dj_xpresent_refresh *refresh, uint64_t *at_us,
                             uint64_t *count, unsigned refreshes, uint64_t interval_us)
{
    int64_t interval_ns = 0;
    for (unsigned i = 0; i < refreshes; i++) {
        *at_us += interval_us;
        ++*count;
        interval_ns = dj_xpresent_refresh_add(refresh, *at_us, *count);
    }
    return interval_ns;
}

Test(refresh, the_interval_is_known_after_30_refreshes)
{
    struct dj_xpresent_refresh refresh = {0};
    uint64_t at_us = 5000000, count = 700;
    cr_expect_eq(add_refreshes(&refresh, &at_us, &count, DJ_XPRESENT_REFRESHES, 16667),
                 0);
    cr_expect_eq(add_refreshes(&refresh, &at_us, &count, 1, 16667), 16667000);
    cr_expect_eq(add_refreshes(&refresh, &at_us, &count, 100, 16667), 16667000);
}

Test(refresh, idle_time_counts_as_refreshes)
{
    struct dj_xpresent_refresh refresh = {0};
    dj_xpresent_refresh_add(&refresh, 1000000, 100);
    cr_expect_eq(dj_xpresent_refresh_add(&refresh, 3000000, 220), 16666666);
}

Test(refresh, another_display_mode_is_another_interval)
{
    struct dj_xpresent_refresh refresh = {0};
    uint64_t at_us = 1, count = 1;
    add_refreshes(&refresh, &at_us, &count, 300, 16667);
    int64_t interval_ns = add_refreshes(&refresh, &at_us, &count, 100, 8333);
    cr_expect_eq(interval_ns, 8333000, "%ld", interval_ns);
}

Test(refresh, times_that_vary_by_half_an_interval_do_not_change_it)
{
    struct dj_xpresent_refresh refresh = {0};
    srand(1);
    int64_t interval_ns = 0;
    for (uint64_t i = 1; i <= 600; i++) {
        uint64_t late_us = (uint64_t)(rand() % 8000);
        interval_ns = dj_xpresent_refresh_add(&refresh, i * 16667 + late_us, i);
    }
    cr_expect(llabs(interval_ns - 16667000) < 100000, "%ld", interval_ns);
}

Test(refresh, counts_that_go_back_start_again)
{
    struct dj_xpresent_refresh refresh = {0};
    uint64_t at_us = 1, count = 1000;
    add_refreshes(&refresh, &at_us, &count, 100, 16667);
    at_us += 16667;
    count = 5;
    cr_expect_eq(dj_xpresent_refresh_add(&refresh, at_us, count), 0);
    cr_expect_eq(add_refreshes(&refresh, &at_us, &count, 31, 16667), 16667000);
}

Test(refresh, a_time_without_progress_is_no_interval)
{
    struct dj_xpresent_refresh refresh = {0};
    for (int i = 0; i < 100; i++) {
        cr_expect_eq(dj_xpresent_refresh_add(&refresh, 1000, 7), 0);
    }
}
