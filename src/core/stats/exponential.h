/* Exponential histograms: the bounds of buckets are powers of one base, 2^(2^−scale),
 * as in OpenTelemetry and, with other names, Prometheus. Bucket i contains (base^i,
 * base^(i+1)]. Any quantile is known within (base − 1) / (base + 1): 0.54 % at scale
 * 6. Histograms of equal scale are merged by addition, exactly and in any order.
 * Halving every key gives the next lower scale, exactly.
 *
 * Values are integers (ns). Only merging allocates; any thread. */
#ifndef DEJANK_STATS_EXPONENTIAL_H
#define DEJANK_STATS_EXPONENTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DJ_EXPONENTIAL_SCALE = 6,       /* base 2^(1/64) */
    DJ_EXPONENTIAL_ZERO = INT32_MIN /* the key of values of 0 and below, at any scale */
};

struct dj_histogram_bucket {
    int32_t key;
    uint64_t count; /* > 0 */
};

/* All zero is an empty one. */
struct dj_histogram {
    struct dj_histogram_bucket *buckets; /* by increasing key, each key once; owned */
    size_t count;
};

/* Returns the key at scale 6, exact at every bound; returns the upper bound of a
 * bucket. */
int32_t dj_exponential_key(int64_t ns);
double dj_exponential_upper_ns(int32_t key);

/* Returns the representative value of a bucket: 2 base^(i+1) / (base + 1), with the
 * same relative distance from both bounds; 0 for DJ_EXPONENTIAL_ZERO. */
double dj_exponential_value(int32_t key, int scale);

/* Returns the quantile p (0 … 1, type 7) of an exponential histogram of that scale,
 * within (base − 1) / (base + 1) of the quantile of the numbers themselves. NaN if it
 * is empty. */
double dj_exponential_quantile(const struct dj_histogram *histogram, int scale, double p);

/* Reduces the scale by `steps` in place: the result equals counting at that scale. */
void dj_exponential_downscale(struct dj_histogram *histogram, int steps);

void dj_exponential_finish(struct dj_histogram *histogram);

/* into += other, of the same kind and scale; `into` may be `other`. Counts stop at
 * UINT64_MAX. Returns false without memory; then `into` is unchanged. */
bool dj_exponential_merge(struct dj_histogram *into, const struct dj_histogram *other);

#endif
