/*
 * sketch VALUES: compares the exponential histogram with the exact values. Writes three
 * rows to stdout for each distribution: what is measured, distribution, figure. `error`
 * is the largest relative error of six quantiles. `merge` and `downscale` count the
 * orders of operations that gave another histogram. 0 means that all results are equal
 * bit for bit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "stats/exponential.h"
#include "stats/quantile.h"

enum { SEED = 4, PARTS = 7, STEPS = 2 };
static const double QUANTILES[] = {0.01, 0.25, 0.50, 0.95, 0.99, 0.999};
enum { QUANTILE_COUNT = sizeof(QUANTILES) / sizeof(QUANTILES[0]) };

/* The distributions return times in ns. */
static double log_normal(struct dj_random *random)
{
    return 9e6 * exp(0.4 * dj_random_normal(random));
}

static double vsync(struct dj_random *random)
{
    double periods = (double)dj_random_geometric(random, 1.2);
    return 16666667 * periods + 30000 * dj_random_normal(random);
}

static double pareto(struct dj_random *random)
{
    return 4e6 * pow(1 - dj_random_uniform(random), -1 / 1.5);
}

static double mixed(struct dj_random *random)
{
    return dj_random_uniform(random) < 0.5 ? vsync(random) : log_normal(random);
}

static double uniform(struct dj_random *random)
{
    return 50e3 + 33e6 * dj_random_uniform(random);
}

static const struct distribution {
    const char *name;
    double (*draw)(struct dj_random *random);
} distributions[] = {{"log-normal", log_normal},
                     {"multiples of vsync", vsync},
                     {"Pareto tail", pareto},
                     {"half vsync, half log-normal", mixed},
                     {"uniform", uniform}};

static int by_key(const void *a, const void *b)
{
    int32_t left = *(const int32_t *)a;
    int32_t right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

static void *must(void *memory)
{
    if (memory == NULL) {
        fputs("sketch: out of memory\n", stderr);
        exit(5);
    }
    return memory;
}

static struct dj_histogram histogram_of(const int64_t *values, size_t count)
{
    int32_t *keys = must(calloc(count + 1, sizeof(*keys)));
    struct dj_histogram histogram = {
        .buckets = must(calloc(count + 1, sizeof(struct dj_histogram_bucket)))};
    for (size_t i = 0; i < count; i++) {
        keys[i] = dj_exponential_key(values[i]);
    }
    qsort(keys, count, sizeof(*keys), by_key);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            histogram.buckets[histogram.count++].key = keys[i];
        }
        histogram.buckets[histogram.count - 1].count++;
    }
    free(keys);
    return histogram;
}

static bool same(const struct dj_histogram *a, const struct dj_histogram *b)
{
    bool equal = a->count == b->count;
    for (size_t i = 0; equal && i < a->count; i++) {
        equal = a->buckets[i].key == b->buckets[i].key &&
                a->buckets[i].count == b->buckets[i].count;
    }
    return equal;
}

static void merge(struct dj_histogram *into, const struct dj_histogram *other)
{
    if (!dj_exponential_merge(into, other)) {
        must(NULL);
    }
}

static double largest_error(const struct dj_histogram *histogram, int64_t *values,
                            size_t count)
{
    double largest = 0;
    dj_quantile_sort_int64(values, count);
    for (size_t i = 0; i < QUANTILE_COUNT; i++) {
        double told =
            dj_exponential_quantile(histogram, DJ_EXPONENTIAL_SCALE, QUANTILES[i]);
        double exact = dj_quantile_compute_int64(values, count, QUANTILES[i]);
        largest = fmax(largest, fabs(told / exact - 1));
    }
    return largest;
}

/* Merges the parts of the values from front to back and from back to front, and compares
 * both with the histogram of all values. Also compares downscaling before merging with
 * downscaling after it. Counts the differences. */
static void try_order(const int64_t *values, size_t count, int *merged, int *downscaled)
{
    struct dj_histogram whole = histogram_of(values, count);
    struct dj_histogram forth = {0};
    struct dj_histogram back = {0};
    struct dj_histogram coarse = {0};
    size_t each = count / PARTS + 1;
    for (size_t i = 0; i < PARTS; i++) {
        for (int backwards = 0; backwards < 2; backwards++) {
            size_t from = (backwards ? PARTS - 1 - i : i) * each;
            size_t length = from + each < count ? each : count - from;
            struct dj_histogram part = histogram_of(values + from, length);
            merge(backwards ? &back : &forth, &part);
            if (!backwards) {
                dj_exponential_downscale(&part, STEPS);
                merge(&coarse, &part);
            }
            dj_exponential_finish(&part);
        }
    }
    *merged = !same(&forth, &whole) + !same(&back, &whole);
    dj_exponential_downscale(&forth, STEPS);
    *downscaled = !same(&forth, &coarse);
    dj_exponential_finish(&whole);
    dj_exponential_finish(&forth);
    dj_exponential_finish(&back);
    dj_exponential_finish(&coarse);
}

static void try_distribution(const struct distribution *of, size_t number, size_t count)
{
    struct dj_random random = dj_random_of(SEED, number);
    int64_t *values = must(calloc(count, sizeof(*values)));
    int merged;
    int downscaled;
    for (size_t i = 0; i < count; i++) {
        values[i] = llround(of->draw(&random));
    }
    try_order(values, count, &merged, &downscaled);
    struct dj_histogram histogram = histogram_of(values, count);
    printf("error\t%s\t%.5f\n", of->name, largest_error(&histogram, values, count));
    printf("merge\t%s\t%d\n", of->name, merged);
    printf("downscale\t%s\t%d\n", of->name, downscaled);
    dj_exponential_finish(&histogram);
    free(values);
}

int main(int argc, char **argv)
{
    size_t count = argc == 2 ? (size_t)strtoul(argv[1], NULL, 10) : 0;
    if (count < 100) {
        fputs("usage: sketch VALUES, 100 or more\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof(distributions) / sizeof(distributions[0]); i++) {
        try_distribution(&distributions[i], i, count);
    }
    return 0;
}
