#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/quantile.h"

static int64_t state = 1;

static int64_t next_random(void)
{
    state = (int64_t)((uint64_t)state * UINT64_C(6364136223846793005) +
                      UINT64_C(1442695040888963407));
    return state >> 20;
}

Test(quantile, of_no_numbers_is_nan)
{
    cr_assert(isnan(dj_quantile_compute(NULL, 0, 0.5)));
    cr_assert(isnan(dj_quantile_compute_int64(NULL, 0, 0.5)));
}

Test(quantile, of_one_number_is_that_number)
{
    double one = 7.25;
    int64_t whole = -3;
    for (int i = 0; i <= 10; i++) {
        cr_assert_eq(dj_quantile_compute(&one, 1, i / 10.0), 7.25);
        cr_assert_eq(dj_quantile_compute_int64(&whole, 1, i / 10.0), -3.0);
    }
}

Test(quantile, interpolates_between_two_numbers)
{
    static const double x[] = {10, 20};
    static const int64_t n[] = {10, 20};
    cr_assert_float_eq(dj_quantile_compute(x, 2, 0.25), 12.5, 1e-12);
    cr_assert_float_eq(dj_quantile_compute_int64(n, 2, 0.25), 12.5, 1e-12);
    cr_assert_eq(dj_quantile_compute(x, 2, -1), 10.0);
    cr_assert_eq(dj_quantile_compute(x, 2, 2), 20.0);
    cr_assert_eq(dj_quantile_compute(x, 2, (double)NAN), 10.0,
                 "a p that is no number must not index");
}

/* The result of quantile(1:5, c(.1,.5,.9,.99)) in R. */
Test(quantile, of_five_numbers_as_in_r)
{
    static const int64_t n[] = {1, 2, 3, 4, 5};
    cr_assert_float_eq(dj_quantile_compute_int64(n, 5, 0.1), 1.4, 1e-12);
    cr_assert_eq(dj_quantile_compute_int64(n, 5, 0.5), 3.0);
    cr_assert_float_eq(dj_quantile_compute_int64(n, 5, 0.9), 4.6, 1e-12);
    cr_assert_float_eq(dj_quantile_compute_int64(n, 5, 0.99), 4.96, 1e-12);
}

Test(quantile, extremes_do_not_overflow)
{
    static const int64_t n[] = {INT64_MIN, INT64_MAX};
    cr_assert_float_eq(dj_quantile_compute_int64(n, 2, 0.5), 0, 4096);
    cr_assert_eq(dj_quantile_compute_int64(n, 2, 1), 9223372036854775808.0);
}

/* Reads the numbers of a JSON array and returns their count. */
static size_t read_array(const char *object, const char *key, double *numbers,
                         size_t maximum)
{
    const char *at = strstr(object, key);
    cr_assert_not_null(at);
    at = strchr(at, '[') + 1;
    size_t count = 0;
    while (*at != ']' && count < maximum) {
        char *end;
        numbers[count++] = strtod(at, &end);
        cr_assert(end > at);
        at = end + (*end == ',');
    }
    return count;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Results of R 4.2. */
Test(quantile, matches_r)
{
    const char *corpus = getenv("DEJANK_CORPUS");
    if (corpus == NULL) {
        cr_skip_test("DEJANK_CORPUS is not set");
    }
    enum { MOST = 10000 };
    static double x[MOST];
    static double p[MOST];
    static double want[MOST];
    char path[512];
    char *object = NULL;
    size_t capacity = 0;
    size_t checked = 0;
    snprintf(path, sizeof(path), "%s/stats/golden/quantile7.jsonl", corpus);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    while (getline(&object, &capacity, file) > 0) {
        size_t count = read_array(object, "\"x\":", x, MOST);
        size_t points = read_array(object, "\"p\":", p, MOST);
        cr_assert_eq(read_array(object, "\"type7\":", want, MOST), points);
        qsort(x, count, sizeof(x[0]), by_value);
        for (size_t i = 0; i < points; i++, checked++) {
            double got = dj_quantile_compute(x, count, p[i]);
            cr_assert_float_eq(got, want[i], 1e-12 * (1 + fabs(want[i])),
                               "%zu numbers, p %g", count, p[i]);
        }
    }
    cr_assert_geq(checked, 50);
    free(object);
    fclose(file);
}

static int by_integer(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Returns element i of a sequence on which simple sorting algorithms are slow, wrong or
 * need much stack. */
static int64_t shaped(size_t shape, size_t i, size_t count)
{
    switch (shape) {
    case 0:
        return next_random();
    case 1:
        return (int64_t)i;
    case 2:
        return -(int64_t)i;
    case 3:
        return 7;
    case 4:
        return next_random() % 3;
    case 5:
        /* Increasing, then decreasing. */
        return (int64_t)(i < count / 2 ? i : count - i);
    case 6:
        return i % 2 == 0 ? INT64_MAX : INT64_MIN;
    default:
        return (int64_t)(i ^ (count / 3));
    }
}

Test(sort, every_shape_and_length)
{
    static const size_t lengths[] = {0, 1, 2, 3, 23, 24, 25, 26, 100, 1000, 5000};
    for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++) {
        for (size_t shape = 0; shape < 8; shape++) {
            size_t count = lengths[l];
            int64_t *got = calloc(count + 1, sizeof(*got));
            int64_t *want = calloc(count + 1, sizeof(*want));
            for (size_t i = 0; i < count; i++) {
                got[i] = want[i] = shaped(shape, i, count);
            }
            dj_quantile_sort_int64(got, count);
            qsort(want, count, sizeof(*want), by_integer);
            cr_assert_eq(memcmp(got, want, count * sizeof(*got)), 0,
                         "shape %zu, %zu numbers", shape, count);
            free(got);
            free(want);
        }
    }
}

static const double percentiles[] = {0, 0.5, 0.5, 0.9, 0.95, 0.99, 1};
enum { PERCENTILES = sizeof(percentiles) / sizeof(percentiles[0]) };

static void expect_as_if_sorted(size_t shape, size_t count, const double *p,
                                size_t p_count)
{
    int64_t *got = calloc(count + 1, sizeof(*got));
    int64_t *want = calloc(count + 1, sizeof(*want));
    for (size_t i = 0; i < count; i++) {
        got[i] = want[i] = shaped(shape, i, count);
    }
    dj_quantile_arrange_int64(got, count, p, p_count);
    qsort(want, count, sizeof(*want), by_integer);
    for (size_t i = 0; i < p_count && count > 0; i++) {
        cr_assert_eq(dj_quantile_compute_int64(got, count, p[i]),
                     dj_quantile_compute_int64(want, count, p[i]),
                     "shape %zu, %zu numbers, p %g", shape, count, p[i]);
    }
    dj_quantile_sort_int64(got, count);
    cr_assert_eq(memcmp(got, want, count * sizeof(*got)), 0,
                 "shape %zu, %zu numbers: one was lost", shape, count);
    free(got);
    free(want);
}

Test(arrange, every_shape_and_length)
{
    for (size_t shape = 0; shape < 8; shape++) {
        for (size_t count = 0; count < 130; count++) {
            expect_as_if_sorted(shape, count, percentiles, PERCENTILES);
        }
        expect_as_if_sorted(shape, 5000, percentiles, PERCENTILES);
    }
}

Test(arrange, each_quantile_separately)
{
    for (size_t shape = 0; shape < 8; shape++) {
        for (int percent = 0; percent <= 100; percent++) {
            double p = percent / 100.0;
            expect_as_if_sorted(shape, 117, &p, 1);
        }
    }
}

Test(arrange, all_quantiles_together)
{
    static double each[101];
    for (int percent = 0; percent <= 100; percent++) {
        each[percent] = percent / 100.0;
    }
    for (size_t shape = 0; shape < 8; shape++) {
        expect_as_if_sorted(shape, 101, each, 101);
        expect_as_if_sorted(shape, 333, each, 101);
    }
}

/* Fills the array so that the median of three is always a bad pivot: in each round the
 * middle and the last number are the smallest, so a round removes only two numbers. */
static void fill_badly(int64_t *values, size_t count)
{
    size_t middle = count / 2 + 1;
    size_t last = count;
    int64_t value = 0;
    values[--middle] = value++;
    values[--last] = value++;
    values[--middle] = value++;
    values[--last] = value++;
    values[--last] = value++;
    while (last > count / 2 + 4) {
        values[--middle] = value++;
        values[--last] = value++;
        values[--last] = value++;
        values[--last] = value++;
    }
    for (size_t i = count / 2 + 1; i < last; i++) {
        values[i] = value++;
    }
    for (size_t i = 0; i < middle; i++) {
        values[i] = value++;
    }
}

Test(arrange, falls_back_to_sorting_if_every_pivot_is_bad)
{
    enum { COUNT = 1 << 16 };
    static int64_t values[COUNT];
    double p = 0.99;
    fill_badly(values, COUNT);
    dj_quantile_arrange_int64(values, COUNT, &p, 1);
    cr_assert_float_eq(dj_quantile_compute_int64(values, COUNT, p), 0.99 * (COUNT - 1),
                       1e-6);
    for (size_t i = 256; i < COUNT; i++) {
        cr_assert_eq(values[i], (int64_t)i, "it gave up parting, and sorted");
    }
}
