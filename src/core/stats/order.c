#include "stats/order.h"

#include <math.h>

static void sift_down(double *values, size_t root, size_t count)
{
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && values[child] < values[child + 1]) {
            child++;
        }
        if (values[root] >= values[child]) {
            return;
        }
        double larger = values[child];
        values[child] = values[root];
        values[root] = larger;
        root = child;
    }
}

static void insertion_sort(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        double value = values[i];
        size_t k = i;
        for (; k > 0 && values[k - 1] > value; k--) {
            values[k] = values[k - 1];
        }
        values[k] = value;
    }
}

/* Heapsort, because qsort() of libc may allocate memory. */
void dj_order_sort(double *values, size_t count)
{
    enum { SMALL = 12 };
    if (count <= SMALL) {
        insertion_sort(values, count);
        return;
    }
    for (size_t i = count / 2; i-- > 0;) {
        sift_down(values, i, count);
    }
    for (size_t i = count; i-- > 1;) {
        double largest = values[0];
        values[0] = values[i];
        values[i] = largest;
        sift_down(values, 0, i);
    }
}

bool dj_order_all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

double dj_order_median_sorted(const double *sorted, size_t count)
{
    if (count == 0) {
        return (double)NAN;
    }
    double upper = sorted[count / 2];
    return count % 2 == 1 ? upper : (sorted[count / 2 - 1] + upper) / 2;
}
