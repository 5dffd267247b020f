#include <criterion/criterion.h>
#include <math.h>

#include "stats/center.h"

Test(center, values_for_a_few_runs)
{
    double values[] = {8, 4, (double)NAN, 4, 5, 5, 9, 7};
    struct dj_center center;
    dj_center_compute(values, 8, &center);
    cr_assert_eq(center.count, 7);
    cr_assert_eq(center.min, 4);
    cr_assert_eq(center.max, 9);
    cr_assert_eq(center.mean, 6);
    cr_assert_eq(center.median, 5);
    cr_assert_float_eq(center.sd, 2, 1e-15);
    cr_assert(isnan(values[7]));
}

Test(center, one_number_and_no_number)
{
    double one[] = {3.5};
    double unknown[] = {(double)NAN, (double)NAN};
    struct dj_center center;
    dj_center_compute(one, 1, &center);
    cr_assert_eq(center.count, 1);
    cr_assert_eq(center.median, 3.5);
    cr_assert(isnan(center.sd), "one run has no spread");
    dj_center_compute(unknown, 2, &center);
    cr_assert_eq(center.count, 0);
    dj_center_compute(NULL, 0, &center);
    cr_assert_eq(center.count, 0);
}

Test(center, sorts_any_order)
{
    double values[1000];
    for (size_t i = 0; i < 1000; i++) {
        values[i] = (double)(i * 7919 % 1000);
    }
    struct dj_center center;
    dj_center_compute(values, 1000, &center);
    cr_assert_eq(center.median, 499.5);
    for (size_t i = 0; i < 1000; i++) {
        cr_assert_eq(values[i], (double)i);
    }
}
