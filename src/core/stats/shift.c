#include "stats/shift.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/mann_whitney.h"
#include "stats/two_groups/differences.h"
#include "stats/two_groups/sorted_groups.h"

static int compute_bounds(const double *x, size_t n, const double *y, size_t m,
                          double level, struct dj_bounds *bounds)
{
    if (!(level > 0 && level < 1)) {
        return DJ_E_USAGE;
    }
    long critical = dj_mann_whitney_critical(n, m, 1 - level);
    if (critical < 0) {
        *bounds = (struct dj_bounds){-(double)INFINITY, (double)INFINITY};
        return 0;
    }
    size_t ranks[2] = {(size_t)critical, n * m - 1 - (size_t)critical};
    double ends[2];
    int error = dj_differences_find(x, n, y, m, ranks, 2, ends);
    if (error == 0) {
        *bounds = (struct dj_bounds){ends[0], ends[1]};
    }
    return error;
}

int dj_shift_compute_sorted(const double *x, size_t n, const double *y, size_t m,
                            const double *levels, size_t level_count, double *shift,
                            struct dj_bounds *bounds)
{
    if (n == 0 || m == 0) {
        return DJ_E_NO_DATA;
    }
    int error = dj_differences_median(x, n, y, m, shift);
    for (size_t i = 0; error == 0 && i < level_count; i++) {
        error = compute_bounds(x, n, y, m, levels[i], &bounds[i]);
    }
    return error;
}

int dj_shift_compute_centre(const double *values, size_t count, double *centre)
{
    struct dj_sorted_groups groups;
    int error = dj_sorted_groups_create(values, count, values, count, 1, &groups);
    if (error != 0) {
        return error;
    }
    /* x + y is y − (−x), and the sorted −x is x in reverse order. */
    for (size_t i = 0; i < count; i++) {
        groups.x[i] = -groups.y[count - 1 - i];
    }
    error = dj_differences_median(groups.x, count, groups.y, count, centre);
    *centre /= 2;
    dj_sorted_groups_finish(&groups);
    return error;
}
