#include <criterion/criterion.h>

#include "measure/run/order.h"

enum { RUNS = 1000 };

Test(order, runs_of_one_build_are_in_order)
{
    struct dj_order_slot slots[4];
    dj_order_draw(1, 1, 3, 7, slots);
    cr_assert(slots[0].warmup);
    for (int64_t i = 1; i < 4; i++) {
        cr_assert(!slots[i].warmup);
        cr_assert_eq(slots[i].number, i);
        cr_assert_eq(slots[i].build, 0);
    }
}

Test(order, blocks_are_abba_or_baab)
{
    static struct dj_order_slot slots[2 * RUNS];
    size_t first_a = 0;
    dj_order_draw(2, 0, RUNS, 3, slots);
    for (size_t i = 0; i < 2 * RUNS; i += 4) {
        size_t first = slots[i].build;
        cr_assert_eq(slots[i + 1].build, 1 - first);
        cr_assert_eq(slots[i + 2].build, 1 - first);
        cr_assert_eq(slots[i + 3].build, first);
        first_a += first == 0;
    }
    cr_assert_gt(first_a, RUNS / 2 * 4 / 10, "%zu of %d blocks begin with A", first_a,
                 RUNS / 2);
    cr_assert_lt(first_a, RUNS / 2 * 6 / 10);
}

Test(order, each_run_occurs_once)
{
    struct dj_order_slot slots[2 * (2 + 7)];
    int seen[2][8] = {{0}}, warmups[2] = {0};
    dj_order_draw(2, 2, 7, 11, slots);
    for (size_t i = 0; i < 18; i++) {
        if (slots[i].warmup) {
            cr_assert_lt(i, 4, "warm-ups come first");
            warmups[slots[i].build]++;
        } else {
            seen[slots[i].build][slots[i].number]++;
        }
    }
    for (size_t build = 0; build < 2; build++) {
        cr_assert_eq(warmups[build], 2);
        for (size_t number = 1; number <= 7; number++) {
            cr_assert_eq(seen[build][number], 1);
        }
    }
}

Test(order, the_seed_decides_the_order)
{
    struct dj_order_slot a[80], b[80], c[80];
    size_t same = 0;
    dj_order_draw(2, 0, 40, 1, a);
    dj_order_draw(2, 0, 40, 1, b);
    dj_order_draw(2, 0, 40, 2, c);
    for (size_t i = 0; i < 80; i++) {
        cr_assert_eq(a[i].build, b[i].build);
        same += a[i].build == c[i].build;
    }
    cr_assert_lt(same, 80);
}
