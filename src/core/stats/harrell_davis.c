#include "stats/harrell_davis.h"

#include <math.h>

#include "stats/special.h"

double dj_harrell_davis(const double *sorted, size_t count, double p)
{
    if (count == 0 || isnan(p)) {
        return (double)NAN;
    }
    if (p <= 0 || p >= 1) {
        return p <= 0 ? sorted[0] : sorted[count - 1];
    }
    double a = (double)(count + 1) * p;
    double b = (double)(count + 1) * (1 - p);
    double sum = 0;
    double below = 0;
    for (size_t i = 1; i <= count; i++) {
        double up_to = dj_incomplete_beta(a, b, (double)i / (double)count);
        sum += (up_to - below) * sorted[i - 1];
        below = up_to;
    }
    return sum;
}
