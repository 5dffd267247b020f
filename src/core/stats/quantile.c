#include "stats/quantile.h"

#include <math.h>
#include <stdbool.h>

/* Returns ⌊h⌋ of the formula for quantiles of type 7. Sets *rest to h − ⌊h⌋. If *rest is
 * not 0, the result is less than count − 1. */
static size_t compute_position(size_t count, double p, double *rest)
{
    double clamped = p > 0 ? (p < 1 ? p : 1) : 0;
    double h = (double)(count - 1) * clamped;
    size_t below = (size_t)h;
    if (below >= count - 1) {
        *rest = 0;
        return count - 1;
    }
    *rest = h - (double)below;
    return below;
}

static double interpolate(double low, double high, double rest)
{
    return rest > 0 ? low + rest * (high - low) : low;
}

double dj_quantile_compute(const double *sorted, size_t count, double p)
{
    if (count == 0) {
        return (double)NAN;
    }
    double rest;
    size_t k = compute_position(count, p, &rest);
    return interpolate(sorted[k], rest > 0 ? sorted[k + 1] : sorted[k], rest);
}

double dj_quantile_compute_int64(const int64_t *sorted, size_t count, double p)
{
    if (count == 0) {
        return (double)NAN;
    }
    double rest;
    size_t k = compute_position(count, p, &rest);
    return interpolate((double)sorted[k], (double)(rest > 0 ? sorted[k + 1] : sorted[k]),
                       rest);
}

static void swap(int64_t *a, int64_t *b)
{
    int64_t saved = *a;
    *a = *b;
    *b = saved;
}

static void insertion_sort(int64_t *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        int64_t value = values[i];
        size_t k = i;
        for (; k > 0 && values[k - 1] > value; k--) {
            values[k] = values[k - 1];
        }
        values[k] = value;
    }
}

static void sift_down(int64_t *values, size_t root, size_t count)
{
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        child += child + 1 < count && values[child] < values[child + 1];
        if (values[root] >= values[child]) {
            return;
        }
        swap(&values[root], &values[child]);
        root = child;
    }
}

static void heap_sort(int64_t *values, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        sift_down(values, i, count);
    }
    for (size_t last = count; last-- > 1;) {
        swap(&values[0], &values[last]);
        sift_down(values, 0, last);
    }
}

static int64_t median_of_three(const int64_t *values, size_t count)
{
    int64_t a = values[0];
    int64_t b = values[count / 2];
    int64_t c = values[count - 1];
    int64_t low = a < b ? a : b;
    int64_t high = a < b ? b : a;
    return c < low ? low : (c < high ? c : high);
}

/* Hoare's partition with the median of three as pivot. After it, no number of [0, result]
 * is larger than a number of [result + 1, count). */
static size_t partition(int64_t *values, size_t count)
{
    int64_t pivot = median_of_three(values, count);
    size_t i = 0;
    size_t k = count - 1;
    for (;;) {
        while (values[i] < pivot) {
            i++;
        }
        while (values[k] > pivot) {
            k--;
        }
        if (i >= k) {
            /* Does not return the last index, because the upper partition_below must not
             * be empty. */
            return k < count - 1 ? k : count - 2;
        }
        swap(&values[i++], &values[k--]);
    }
}

enum { SMALL = 16 }; /* Up to this count, numbers are sorted by insertion. */

void dj_quantile_sort_int64(int64_t *values, size_t count)
{
    enum { DEPTH = 64 };
    struct {
        int64_t *values;
        size_t count;
        int budget; /* Number of partitions that are allowed before heapsort is used. */
    } stack[DEPTH] = {{values, count, 2 * 64}};
    size_t used = 1;
    while (used > 0) {
        used--;
        int64_t *range = stack[used].values;
        size_t left = stack[used].count;
        int budget = stack[used].budget;
        while (left > SMALL && budget-- > 0) {
            size_t low = partition(range, left) + 1;
            size_t high = left - low;
            /* The larger range is pushed onto the stack and the smaller one is sorted
             * first, so that the stack never has more than log2(count) ranges. */
            bool low_waits = low > high;
            stack[used].values = low_waits ? range : range + low;
            stack[used].count = low_waits ? low : high;
            stack[used++].budget = budget;
            range = low_waits ? range + low : range;
            left = low_waits ? high : low;
        }
        if (left > SMALL) {
            heap_sort(range, left);
        } else {
            insertion_sort(range, left);
        }
    }
}

/* Moves all numbers below the pivot to the front and returns their count. With
 * `equal_too`, also moves numbers equal to the pivot. Swaps every number without a
 * branch, because the CPU would mispredict half of the branches, and that would take
 * longer than the swaps. */
__attribute__((always_inline)) static inline size_t
partition_below(int64_t *values, size_t count, int64_t pivot, bool equal_too)
{
    size_t below = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t value = values[i];
        values[i] = values[below];
        values[below] = value;
        below += equal_too ? value <= pivot : value < pivot;
    }
    return below;
}

/* Quickselect. Moves the number of the given rank to its place in ascending order. Some
 * numbers directly after it may also be in their places. Returns the index after the last
 * of these. */
static size_t select_rank(int64_t *values, size_t count, size_t rank)
{
    /* Only adversarial inputs need more rounds. The rest is then sorted. */
    enum { ROUNDS = 128 };
    size_t from = 0;
    size_t to = count;
    for (int round = 0; to - from > SMALL && round < ROUNDS; round++) {
        int64_t pivot = median_of_three(values + from, to - from);
        size_t parted = from + partition_below(values + from, to - from, pivot, false);
        if (rank < parted) {
            to = parted;
            continue;
        }
        /* The pivot is the minimum, so all numbers equal to it are now moved to their
         * places. */
        if (parted == from) {
            parted = from + partition_below(values + from, to - from, pivot, true);
            if (rank < parted) {
                return parted;
            }
        }
        from = parted;
    }
    dj_quantile_sort_int64(values + from, to - from);
    return to;
}

static void move_least_first(int64_t *values, size_t count)
{
    size_t least = 0;
    for (size_t i = 1; i < count; i++) {
        least = values[i] < values[least] ? i : least;
    }
    swap(&values[0], &values[least]);
}

void dj_quantile_arrange_int64(int64_t *values, size_t count, const double *p,
                               size_t p_count)
{
    /* All numbers before `placed` that a quantile needs are in their places, and no later
     * number is smaller than these. */
    size_t placed = 0;
    for (size_t i = 0; i < p_count && placed < count; i++) {
        double rest;
        size_t k = compute_position(count, p[i], &rest);
        if (k >= placed) {
            placed += select_rank(values + placed, count - placed, k - placed);
        }
        if (k + 1 == placed && placed < count) {
            move_least_first(values + placed, count - placed);
            placed++;
        }
    }
}
