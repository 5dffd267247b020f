#include "stats/exponential.h"

#include <math.h>
#include <stdlib.h>

#include "base/compare.h"

enum { STEPS = 1 << DJ_EXPONENTIAL_SCALE };

/* 2^(k/64) · 2^63, rounded down. Comparing an integer with the rounded bound gives the
 * same result as with the exact bound, because only the first exact bound is an
 * integer. */
static const uint64_t bounds[STEPS] = {
    UINT64_C(0x8000000000000000), UINT64_C(0x8164D1F3BC030773),
    UINT64_C(0x82CD8698AC2BA1D7), UINT64_C(0x843A28C3ACDE4046),
    UINT64_C(0x85AAC367CC487B14), UINT64_C(0x871F61969E8D1010),
    UINT64_C(0x88980E8092DA8527), UINT64_C(0x8A14D575496EFD9A),
    UINT64_C(0x8B95C1E3EA8BD6E6), UINT64_C(0x8D1ADF5B7E5BA9E5),
    UINT64_C(0x8EA4398B45CD53C0), UINT64_C(0x9031DC431466B1DC),
    UINT64_C(0x91C3D373AB11C336), UINT64_C(0x935A2B2F13E6E92B),
    UINT64_C(0x94F4EFA8FEF70961), UINT64_C(0x96942D3720185A00),
    UINT64_C(0x9837F0518DB8A96F), UINT64_C(0x99E0459320B7FA64),
    UINT64_C(0x9B8D39B9D54E5538), UINT64_C(0x9D3ED9A72CFFB750),
    UINT64_C(0x9EF5326091A111AD), UINT64_C(0xA0B0510FB9714FC2),
    UINT64_C(0xA27043030C496818), UINT64_C(0xA43515AE09E6809E),
    UINT64_C(0xA5FED6A9B15138EA), UINT64_C(0xA7CD93B4E9653569),
    UINT64_C(0xA9A15AB4EA7C0EF8), UINT64_C(0xAB7A39B5A93ED337),
    UINT64_C(0xAD583EEA42A14AC6), UINT64_C(0xAF3B78AD690A4374),
    UINT64_C(0xB123F581D2AC258F), UINT64_C(0xB311C412A9112489),
    UINT64_C(0xB504F333F9DE6484), UINT64_C(0xB6FD91E328D17791),
    UINT64_C(0xB8FBAF4762FB9EE9), UINT64_C(0xBAFF5AB2133E45FB),
    UINT64_C(0xBD08A39F580C36BE), UINT64_C(0xBF1799B67A731082),
    UINT64_C(0xC12C4CCA66709456), UINT64_C(0xC346CCDA24976407),
    UINT64_C(0xC5672A115506DADD), UINT64_C(0xC78D74C8ABB9B15C),
    UINT64_C(0xC9B9BD866E2F27A2), UINT64_C(0xCBEC14FEF2727C5C),
    UINT64_C(0xCE248C151F8480E3), UINT64_C(0xD06333DAEF2B2594),
    UINT64_C(0xD2A81D91F12AE45A), UINT64_C(0xD4F35AABCFEDFA1F),
    UINT64_C(0xD744FCCAD69D6AF4), UINT64_C(0xD99D15C278AFD7B5),
    UINT64_C(0xDBFBB797DAF23755), UINT64_C(0xDE60F4825E0E9123),
    UINT64_C(0xE0CCDEEC2A94E111), UINT64_C(0xE33F8972BE8A5A51),
    UINT64_C(0xE5B906E77C8348A8), UINT64_C(0xE8396A503C4BDC68),
    UINT64_C(0xEAC0C6E7DD24392E), UINT64_C(0xED4F301ED9942B84),
    UINT64_C(0xEFE4B99BDCDAF5CB), UINT64_C(0xF281773C59FFB139),
    UINT64_C(0xF5257D152486CC2C), UINT64_C(0xF7D0DF730AD13BB8),
    UINT64_C(0xFA83B2DB722A033A), UINT64_C(0xFD3E0C0CF486C174),
};

int32_t dj_exponential_key(int64_t ns)
{
    if (ns <= 0) {
        return INT32_MIN;
    }
    int zeros = __builtin_clzll((unsigned long long)ns);
    uint64_t mantissa = (uint64_t)ns << zeros;
    size_t low = 0, high = STEPS;
    DJ_SEARCH(low, high, middle, bounds[middle] < mantissa)
    return (63 - zeros) * STEPS + (int32_t)low - 1;
}

/* Returns the base of the scale, 2^(2^−scale), raised to the exponent. */
static double compute_bound(double exponent, int scale)
{
    return exp2(ldexp(exponent, -scale));
}

double dj_exponential_upper_ns(int32_t key)
{
    return key == DJ_EXPONENTIAL_ZERO
               ? 0
               : compute_bound((double)key + 1, DJ_EXPONENTIAL_SCALE);
}

double dj_exponential_value(int32_t key, int scale)
{
    if (key == DJ_EXPONENTIAL_ZERO) {
        return 0;
    }
    return 2 * compute_bound((double)key + 1, scale) / (compute_bound(1, scale) + 1);
}

/* Returns the value with a rank, counted from 0. Ranks are doubles, because the total may
 * exceed any integer type, and no real histogram has more than 2^53 values. */
static double find_value_at(const struct dj_histogram *histogram, int scale, double rank)
{
    size_t i = 0;
    double up_to = (double)histogram->buckets[0].count;
    while (up_to <= rank && i + 1 < histogram->count) {
        up_to += (double)histogram->buckets[++i].count;
    }
    return dj_exponential_value(histogram->buckets[i].key, scale);
}

double dj_exponential_quantile(const struct dj_histogram *histogram, int scale, double p)
{
    double total = 0;
    for (size_t i = 0; i < histogram->count; i++) {
        total += (double)histogram->buckets[i].count;
    }
    if (!(total > 0) || isnan(p)) {
        return (double)NAN;
    }
    double h = (total - 1) * fmin(1, fmax(0, p));
    double low = find_value_at(histogram, scale, floor(h));
    double high = find_value_at(histogram, scale, ceil(h));
    return low + (h - floor(h)) * (high - low);
}

static uint64_t add_counts(uint64_t a, uint64_t b)
{
    return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}

static int32_t coarsen_key(int32_t key, int steps)
{
    if (key == DJ_EXPONENTIAL_ZERO) {
        return key;
    }
    /* Rounds down. Does not use >>, because the result for negative numbers is
     * implementation-defined. */
    int64_t width = INT64_C(1) << (steps < 32 ? steps : 32);
    int64_t offset = key % width < 0;
    return (int32_t)(key / width - offset);
}

void dj_exponential_downscale(struct dj_histogram *histogram, int steps)
{
    size_t used = 0;
    for (size_t i = 0; steps > 0 && i < histogram->count; i++) {
        struct dj_histogram_bucket next = histogram->buckets[i];
        next.key = coarsen_key(next.key, steps);
        struct dj_histogram_bucket *last = &histogram->buckets[used > 0 ? used - 1 : 0];
        if (used > 0 && last->key == next.key) {
            last->count = add_counts(last->count, next.count);
        } else {
            histogram->buckets[used++] = next;
        }
    }
    histogram->count = steps > 0 ? used : histogram->count;
}

void dj_exponential_finish(struct dj_histogram *histogram)
{
    free(histogram->buckets);
    *histogram = (struct dj_histogram){0};
}

bool dj_exponential_merge(struct dj_histogram *into, const struct dj_histogram *other)
{
    if (other->count == 0) {
        return true;
    }
    struct dj_histogram_bucket *merged =
        calloc(into->count + other->count, sizeof(*merged));
    if (merged == NULL) {
        return false;
    }
    size_t a = 0;
    size_t b = 0;
    size_t count = 0;
    while (a < into->count || b < other->count) {
        bool from_a = b == other->count ||
                      (a < into->count && into->buckets[a].key <= other->buckets[b].key);
        struct dj_histogram_bucket next =
            from_a ? into->buckets[a++] : other->buckets[b++];
        if (count > 0 && merged[count - 1].key == next.key) {
            merged[count - 1].count = add_counts(merged[count - 1].count, next.count);
        } else {
            merged[count++] = next;
        }
    }
    free(into->buckets);
    *into = (struct dj_histogram){merged, count};
    return true;
}
