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

Test(quantile, of_nothing_is_not_a_number)
{
    cr_assert(isnan(dj_quantile(NULL, 0, 0.5)));
    cr_assert(isnan(dj_quantile_int64(NULL, 0, 0.5)));
}

Test(quantile, of_one_is_that_one)
{
    double one = 7.25;
    int64_t whole = -3;
    for (int i = 0; i <= 10; i++) {
        cr_assert_eq(dj_quantile(&one, 1, i / 10.0), 7.25);
        cr_assert_eq(dj_quantile_int64(&whole, 1, i / 10.0), -3.0);
    }
}

Test(quantile, between_two_lies_on_the_line)
{
    static const double x[] = {10, 20};
    static const int64_t n[] = {10, 20};
    cr_assert_float_eq(dj_quantile(x, 2, 0.25), 12.5, 1e-12);
    cr_assert_float_eq(dj_quantile_int64(n, 2, 0.25), 12.5, 1e-12);
    cr_assert_eq(dj_quantile(x, 2, -1), 10.0);
    cr_assert_eq(dj_quantile(x, 2, 2), 20.0);
    cr_assert_eq(dj_quantile(x, 2, (double)NAN), 10.0,
                 "a p that is no number must not index");
}

/* quantile(1:5, c(.1,.5,.9,.99)) in R. */
Test(quantile, of_five)
{
    static const int64_t n[] = {1, 2, 3, 4, 5};
    cr_assert_float_eq(dj_quantile_int64(n, 5, 0.1), 1.4, 1e-12);
    cr_assert_eq(dj_quantile_int64(n, 5, 0.5), 3.0);
    cr_assert_float_eq(dj_quantile_int64(n, 5, 0.9), 4.6, 1e-12);
    cr_assert_float_eq(dj_quantile_int64(n, 5, 0.99), 4.96, 1e-12);
}

Test(quantile, extremes_do_not_overflow)
{
    static const int64_t n[] = {INT64_MIN, INT64_MAX};
    cr_assert_float_eq(dj_quantile_int64(n, 2, 0.5), 0, 4096);
    cr_assert_eq(dj_quantile_int64(n, 2, 1), 9223372036854775808.0);
}

/* The numbers of a JSON array; how many. */
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

/* Answers of R 4.2. */
Test(quantile, as_r_has_it)
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
            double got = dj_quantile(x, count, p[i]);
            cr_assert_float_eq(got, want[i], 1e-12 * (1 + fabs(want[i])),
                               "%zu numbers, p %g", count, p[i]);
        }
    }
    cr_assert_geq(checked, 50);
    free(object);
    fclose(file);
}

/* ---- sorting ---- */

static int by_integer(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Shapes that make careless sorts slow, wrong or deep. */
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
        return (int64_t)(i < count / 2 ? i : count - i); /* organ pipes */
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
            dj_sort_int64(got, count);
            qsort(want, count, sizeof(*want), by_integer);
            cr_assert_eq(memcmp(got, want, count * sizeof(*got)), 0,
                         "shape %zu, %zu numbers", shape, count);
            free(got);
            free(want);
        }
    }
}
