/* Exponential histograms. The bounds of their buckets are powers of a base, 2^(2^−scale),
 * as in OpenTelemetry and in Prometheus' native histograms. Bucket i contains the values
 * in (base^i, base^(i+1)]. A quantile has a relative error of at most (base − 1) / (base
 * + 1), 0.54 % at scale 6. Histograms of equal scale are merged by adding their counts,
 * which is exact. Dividing each key by two, rounded down, gives the histogram at the next
 * lower scale, also exactly.
 *
 * Values are integers in ns. Only merging allocates memory. Safe in any thread. */
#ifndef DEJANK_STATS_EXPONENTIAL_H
#define DEJANK_STATS_EXPONENTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DJ_EXPONENTIAL_SCALE = 6,       /* The base is then 2^(1/64). */
    DJ_EXPONENTIAL_ZERO = INT32_MIN /* Key of all values ≤ 0, at any scale. */
};

struct dj_histogram_bucket {
    int32_t key;
    uint64_t count; /* Number of values in the bucket, at least 1. */
};

/* A histogram that is all zero is empty. */
struct dj_histogram {
    /* Ordered by key, without duplicates. Owned by this struct. */
    struct dj_histogram_bucket *buckets;
    size_t count;
};

/* dj_exponential_key() returns the key of the bucket that contains a value at scale 6.
 * The result is exact even at the bounds. dj_exponential_upper_ns() returns the upper
 * bound of a bucket in ns. */
int32_t dj_exponential_key(int64_t ns);
double dj_exponential_upper_ns(int32_t key);

/* Returns the value that represents a bucket, 2 base^(i+1) / (base + 1). The value has
 * the same relative distance to both bounds. Returns 0 for DJ_EXPONENTIAL_ZERO. */
double dj_exponential_value(int32_t key, int scale);

/* Returns the quantile p (0 to 1, type 7) of a histogram, with a relative error of at
 * most (base − 1) / (base + 1). Returns NaN if the histogram is empty. */
double dj_exponential_quantile(const struct dj_histogram *histogram, int scale, double p);

/* Reduces the scale by `steps` in place. The result equals a histogram that was recorded
 * at the lower scale. */
void dj_exponential_downscale(struct dj_histogram *histogram, int steps);

void dj_exponential_finish(struct dj_histogram *histogram);

/* Adds the counts of `other` to `into`. Both must have the same scale, and may be the
 * same histogram. Counts saturate at UINT64_MAX. Returns false if there is no memory;
 * `into` is then unchanged. */
bool dj_exponential_merge(struct dj_histogram *into, const struct dj_histogram *other);

#endif
