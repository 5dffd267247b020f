#include "stats/center.h"

#include <math.h>

#include "stats/order.h"
#include "stats/quantile.h"

static size_t move_unknown_last(double *values, size_t count)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(values[i])) {
            double value = values[i];
            values[i] = values[known];
            values[known++] = value;
        }
    }
    return known;
}

void dj_center_compute(double *values, size_t count, struct dj_center *center)
{
    size_t known = move_unknown_last(values, count);
    double sum = 0;
    double squares = 0;
    *center = (struct dj_center){.count = known};
    if (known == 0) {
        return;
    }
    dj_order_sort(values, known);
    for (size_t i = 0; i < known; i++) {
        sum += values[i];
    }
    center->min = values[0];
    center->max = values[known - 1];
    center->mean = sum / (double)known;
    center->median = dj_quantile_compute(values, known, 0.5);
    center->q1 = dj_quantile_compute(values, known, 0.25);
    center->q3 = dj_quantile_compute(values, known, 0.75);
    for (size_t i = 0; i < known; i++) {
        squares += (values[i] - center->mean) * (values[i] - center->mean);
    }
    center->sd = known > 1 ? sqrt(squares / (double)(known - 1)) : (double)NAN;
}
