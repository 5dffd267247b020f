/*
 * Exponential histograms: buckets whose bounds are powers of one base, 2^(2^−scale), as
 * OpenTelemetry and, by other names, Prometheus have them. Bucket i holds (base^i,
 * base^(i+1)]. Any quantile is known to (base − 1) / (base + 1): 0.54 % at scale 6. Two
 * of a scale are merged by adding, exactly, in any order; halving every key gives that of
 * the next lower scale, exactly.
 *
 * Values here are whole numbers (ns). No allocation but in merge; any thread.
 */
#ifndef DEJANK_STATS_EXPONENTIAL_H
#define DEJANK_STATS_EXPONENTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DJ_EXPONENTIAL_SCALE = 6,       /* base 2^(1/64) */
    DJ_EXPONENTIAL_ZERO = INT32_MIN /* the key of values of 0 and below; at any scale */
};

struct dj_histogram_bucket {
    int32_t key;
    uint64_t count; /* > 0 */
};

/* All zero is an empty one. */
struct dj_histogram {
    struct dj_histogram_bucket *buckets; /* by rising key, each key once; owned */
    size_t count;
};

/* The key at scale 6, exact at every bound; and the upper bound of a bucket. */
int32_t dj_exponential_key(int64_t ns);
double dj_exponential_upper_ns(int32_t key);

/* What a bucket's values are told as: 2 base^(i+1) / (base + 1), off by the same share
 * from either bound; 0 for DJ_EXPONENTIAL_ZERO. */
double dj_exponential_value(int32_t key, int scale);

/* The quantile p (0 … 1, type 7) of an exponential histogram of that scale, within
 * (base − 1) / (base + 1) of that of the numbers themselves. NaN of an empty one. */
double dj_exponential_quantile(const struct dj_histogram *histogram, int scale, double p);

/* Makes it one of `steps` scales less, in place: the same as if it had been counted so.
 */
void dj_exponential_downscale(struct dj_histogram *histogram, int steps);

void dj_histogram_finish(struct dj_histogram *histogram);

/* into += other, of the same kind and scale; into may be other. Counts stop at
 * UINT64_MAX. False: out of memory, and into is as it was. */
bool dj_histogram_merge(struct dj_histogram *into, const struct dj_histogram *other);

#endif
