#include "stats/exponential.h"

#include "stats/quantile.h"
#include "support.h"

/* Returns the key with 2^key < ns^64 ≤ 2^(key+1), so that ns is in (2^(key/64),
 * 2^((key+1)/64)]. Computes ns^64 exactly with 4096 bits and counts its bits. */
static int32_t exact_key(uint64_t ns)
{
    uint32_t power[130] = {1};
    for (int times = 0; times < 64; times++) {
        uint32_t next[130] = {0};
        for (size_t i = 0; i + 2 < 130; i++) {
            uint64_t carry = 0;
            const uint64_t factor[2] = {ns & UINT32_MAX, ns >> 32};
            for (size_t half = 0; half < 2; half++) {
                uint64_t add = (uint64_t)power[i] * factor[half];
                carry = add;
                for (size_t k = i + half; carry != 0 && k < 130; k++) {
                    carry += next[k];
                    next[k] = (uint32_t)carry;
                    carry >>= 32;
                }
            }
        }
        memcpy(power, next, sizeof(power));
    }
    /* Subtracts 1 from ns^64. */
    for (size_t i = 0; power[i]-- == 0; i++) {
    }
    for (size_t i = 130; i-- > 0;) {
        if (power[i] != 0) {
            return (int32_t)(32 * i) + 31 - __builtin_clz(power[i]);
        }
    }
    return -1;
}

Test(exponential, keys_are_exact)
{
    uint64_t state = 88172645463325252U;
    cr_assert_eq(dj_exponential_key(1), -1);
    cr_assert_eq(dj_exponential_key(2), 63);
    cr_assert_eq(dj_exponential_key(3), 101);
    cr_assert_eq(dj_exponential_key(0), INT32_MIN);
    cr_assert_eq(dj_exponential_key(-5), INT32_MIN);
    for (int i = 0; i < 400; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        int64_t ns = (int64_t)(state >> (1 + i % 60));
        ns = ns > 0 ? ns : 1;
        cr_assert_eq(dj_exponential_key(ns), exact_key((uint64_t)ns), "%lld",
                     (long long)ns);
        cr_assert_leq((double)ns,
                      dj_exponential_upper_ns(dj_exponential_key(ns)) * (1 + 1e-12));
    }
    for (int bit = 0; bit < 62; bit++) {
        int64_t ns = INT64_C(1) << bit;
        cr_assert_eq(dj_exponential_key(ns), 64 * bit - 1);
        cr_assert_eq(dj_exponential_key(ns + 1), exact_key((uint64_t)ns + 1));
    }
}

Test(exponential, merging_adds_the_counts)
{
    struct dj_histogram_bucket a[] = {{1, 2}, {5, 1}, {9, UINT64_MAX}};
    struct dj_histogram_bucket b[] = {{INT32_MIN, 4}, {5, 3}, {9, 7}};
    struct dj_histogram sum = {0};
    const struct dj_histogram from_a = {a, 3};
    const struct dj_histogram from_b = {b, 3};
    cr_assert(dj_exponential_merge(&sum, &from_a));
    cr_assert(dj_exponential_merge(&sum, &from_b));
    const struct dj_histogram_bucket expected[] = {
        {INT32_MIN, 4}, {1, 2}, {5, 4}, {9, UINT64_MAX}};
    cr_assert_eq(sum.count, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(sum.buckets[i].key, expected[i].key);
        cr_assert_eq(sum.buckets[i].count, expected[i].count);
    }
    dj_exponential_finish(&sum);
}

/* Returns a random frame time in ns. */
static double log_normal_time(uint64_t *state)
{
    return 12e6 * exp(0.4 * normal(state));
}

static double heavy_tailed_time(uint64_t *state)
{
    return 4e6 * pow(uniform(state), -1 / 1.5);
}

static double exponential_time(uint64_t *state)
{
    return -8e6 * log(uniform(state));
}

static double vsync_time(uint64_t *state)
{
    return 16666667.0 * ceil(1 + 0.7 * fabs(normal(state)));
}

static double two_humps_time(uint64_t *state)
{
    return (uniform(state) < 0.6 ? 7e6 : 48e6) * exp(0.05 * normal(state));
}

static double (*const times[])(uint64_t *state) = {
    log_normal_time, heavy_tailed_time, exponential_time, vsync_time, two_humps_time};
enum { DISTRIBUTIONS = 5 };

static int by_key(const void *a, const void *b)
{
    int32_t left = *(const int32_t *)a;
    int32_t right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

static struct dj_histogram counted(const int64_t *values, size_t count)
{
    int32_t *keys = calloc(count, sizeof(*keys));
    struct dj_histogram result = {calloc(count, sizeof(*result.buckets)), 0};
    for (size_t i = 0; i < count; i++) {
        keys[i] = dj_exponential_key(values[i]);
    }
    qsort(keys, count, sizeof(*keys), by_key);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            result.buckets[result.count++].key = keys[i];
        }
        result.buckets[result.count - 1].count++;
    }
    free(keys);
    return result;
}

static void expect_same(const struct dj_histogram *a, const struct dj_histogram *b)
{
    cr_assert_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        cr_assert_eq(a->buckets[i].key, b->buckets[i].key);
        cr_assert_eq(a->buckets[i].count, b->buckets[i].count);
    }
}

Test(exponential, quantile_error_is_at_most_half_a_bucket)
{
    enum { COUNT = 1000000 };
    static const double p[] = {0, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1};
    int64_t *values = calloc(COUNT, sizeof(*values));
    for (size_t d = 0; d < DISTRIBUTIONS; d++) {
        uint64_t state = 0x9E3779B97F4A7C15U + d;
        for (size_t i = 0; i < COUNT; i++) {
            values[i] = (int64_t)times[d](&state);
        }
        struct dj_histogram histogram = counted(values, COUNT);
        dj_quantile_sort_int64(values, COUNT);
        for (size_t i = 0; i < sizeof(p) / sizeof(p[0]); i++) {
            double want = dj_quantile_compute_int64(values, COUNT, p[i]);
            double got = dj_exponential_quantile(&histogram, DJ_EXPONENTIAL_SCALE, p[i]);
            cr_expect_leq(fabs(got / want - 1), 0.0055,
                          "distribution %zu p %g: %g for %g", d, p[i], got, want);
        }
        for (int down = 1; down <= 3; down++) {
            int scale = DJ_EXPONENTIAL_SCALE - down;
            double base = exp2(ldexp(1, -scale));
            dj_exponential_downscale(&histogram, 1);
            for (size_t i = 0; i < sizeof(p) / sizeof(p[0]); i++) {
                double want = dj_quantile_compute_int64(values, COUNT, p[i]);
                double got = dj_exponential_quantile(&histogram, scale, p[i]);
                cr_expect_leq(fabs(got / want - 1), (base - 1) / (base + 1) + 1e-9,
                              "distribution %zu scale %d p %g", d, scale, p[i]);
            }
        }
        dj_exponential_finish(&histogram);
    }
    free(values);
}

static struct dj_histogram copy_of(const struct dj_histogram *histogram)
{
    struct dj_histogram copy = {0};
    cr_assert(dj_exponential_merge(&copy, histogram));
    return copy;
}

Test(exponential, merging_and_downscaling_commute)
{
    enum { PARTS = 3, COUNT = 5000 };
    uint64_t state = 88172645463325252U;
    int64_t values[COUNT];
    struct dj_histogram part[PARTS];
    for (size_t i = 0; i < PARTS; i++) {
        for (size_t k = 0; k < COUNT; k++) {
            values[k] = (int64_t)times[i](&state) - (k % 50 == 0 ? INT32_MAX : 0);
        }
        part[i] = counted(values, COUNT);
    }
    /* Counts near the maximum saturate, in any order of merging. */
    part[0].buckets[3].count = UINT64_MAX - 5;
    struct dj_histogram left = copy_of(&part[0]);
    cr_assert(dj_exponential_merge(&left, &part[1]));
    cr_assert(dj_exponential_merge(&left, &part[2]));
    struct dj_histogram right = copy_of(&part[2]);
    cr_assert(dj_exponential_merge(&right, &part[1]));
    cr_assert(dj_exponential_merge(&right, &part[0]));
    expect_same(&left, &right);
    for (int steps = 1; steps <= 8; steps++) {
        struct dj_histogram after = copy_of(&left);
        struct dj_histogram before = {0};
        dj_exponential_downscale(&after, steps);
        for (size_t i = 0; i < PARTS; i++) {
            struct dj_histogram coarse = copy_of(&part[i]);
            dj_exponential_downscale(&coarse, steps);
            cr_assert(dj_exponential_merge(&before, &coarse));
            dj_exponential_finish(&coarse);
        }
        expect_same(&after, &before);
        dj_exponential_finish(&after);
        dj_exponential_finish(&before);
    }
    for (size_t i = 0; i < PARTS; i++) {
        dj_exponential_finish(&part[i]);
    }
    dj_exponential_finish(&left);
    dj_exponential_finish(&right);
}

Test(exponential, merging_with_itself_doubles_the_counts)
{
    struct dj_histogram_bucket bucket[] = {{-7, 3}, {9, UINT64_MAX / 2 + 2}};
    const struct dj_histogram from = {bucket, 2};
    struct dj_histogram own = copy_of(&from);
    cr_assert(dj_exponential_merge(&own, &own));
    cr_assert_eq(own.count, 2);
    cr_assert_eq(own.buckets[0].count, 6);
    cr_assert_eq(own.buckets[1].count, UINT64_MAX);
    dj_exponential_finish(&own);
}

Test(exponential, halving_keys_rounds_down)
{
    struct dj_histogram_bucket buckets[] = {{DJ_EXPONENTIAL_ZERO, 1},
                                            {INT32_MIN + 1, 1},
                                            {-3, 1},
                                            {-2, 2},
                                            {-1, 4},
                                            {0, 8},
                                            {1, 16},
                                            {2, 32},
                                            {3, 64}};
    struct dj_histogram histogram = {buckets, 9};
    dj_exponential_downscale(&histogram, 0);
    cr_assert_eq(histogram.count, 9);
    dj_exponential_downscale(&histogram, 1);
    const struct dj_histogram_bucket expected[] = {
        {DJ_EXPONENTIAL_ZERO, 1}, {INT32_MIN / 2, 1}, {-2, 1}, {-1, 6}, {0, 24}, {1, 96}};
    cr_assert_eq(histogram.count, 6);
    for (size_t i = 0; i < 6; i++) {
        cr_expect_eq(histogram.buckets[i].key, expected[i].key);
        cr_expect_eq(histogram.buckets[i].count, expected[i].count);
    }
    dj_exponential_downscale(&histogram, 40);
    cr_assert_eq(histogram.count, 3, "zeros, below 1 and above");
}

Test(exponential, empty_histogram_and_zeros)
{
    struct dj_histogram none = {0};
    cr_assert(isnan(dj_exponential_quantile(&none, 6, 0.5)));
    dj_exponential_downscale(&none, 3);
    struct dj_histogram_bucket zeros[] = {{DJ_EXPONENTIAL_ZERO, 3}, {64, 1}};
    struct dj_histogram histogram = {zeros, 2};
    cr_assert_eq(dj_exponential_quantile(&histogram, 6, 0.5), 0);
    cr_assert(isnan(dj_exponential_quantile(&histogram, 6, (double)NAN)));
    double most = dj_exponential_quantile(&histogram, 6, 1);
    cr_assert(most > 2 && most < dj_exponential_upper_ns(64));
    cr_assert_eq(dj_exponential_upper_ns(63), 2);
}
