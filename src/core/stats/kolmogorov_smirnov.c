#include "stats/kolmogorov_smirnov.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/groups.h"

/* n m times the largest distance: whole. */
static int64_t largest_distance(const struct dj_groups *groups)
{
    int64_t largest = 0;
    size_t i = 0;
    size_t k = 0;
    while (i < groups->n && k < groups->m) {
        double value = groups->x[i] < groups->y[k] ? groups->x[i] : groups->y[k];
        while (i < groups->n && groups->x[i] == value) {
            i++;
        }
        while (k < groups->m && groups->y[k] == value) {
            k++;
        }
        int64_t distance = llabs((int64_t)(i * groups->m) - (int64_t)(k * groups->n));
        largest = distance > largest ? distance : largest;
    }
    return largest;
}

/* Of all orders in which the numbers of both groups may come, the share in which the
 * distance gets as far somewhere: the paths from (0, 0) to (n, m) that touch a border.
 * Each step's chance is that of which group the next number is of. */
static double share_as_far(size_t n, size_t m, int64_t far, double *chance)
{
    double touched = 0;
    chance[0] = 1;
    for (size_t k = 1; k <= m; k++) {
        chance[k] = 0;
    }
    for (size_t i = 0; i <= n; i++) {
        for (size_t k = 0; k <= m; k++) {
            /* From (i − 1, k), which chance[k] still is, and from (i, k − 1). */
            double left = (double)(n + m - i - k + 1);
            double here = i == 0 && k == 0 ? 1 : 0;
            here += i > 0 ? chance[k] * (double)(n - i + 1) / left : 0;
            here += k > 0 ? chance[k - 1] * (double)(m - k + 1) / left : 0;
            bool at_border = llabs((int64_t)(i * m) - (int64_t)(k * n)) >= far;
            touched += at_border ? here : 0;
            chance[k] = at_border ? 0 : here;
        }
    }
    return fmin(1, touched);
}

int dj_kolmogorov_smirnov(const double *x, size_t n, const double *y, size_t m,
                          struct dj_kolmogorov_smirnov *result)
{
    struct dj_groups groups;
    int error = dj_groups_make(x, n, y, m, 1, &groups);
    if (error != 0) {
        return error;
    }
    /* The smaller group in the rows, whichever it is: a swap keeps p to the bit. */
    size_t few = n < m ? n : m;
    size_t many = n < m ? m : n;
    double *chance = calloc(many + 1, sizeof(*chance));
    if (chance == NULL) {
        dj_groups_finish(&groups);
        return DJ_E_NO_MEMORY;
    }
    int64_t far = largest_distance(&groups);
    result->distance = (double)far / ((double)n * (double)m);
    result->p = share_as_far(few, many, far, chance);
    free(chance);
    dj_groups_finish(&groups);
    return 0;
}
