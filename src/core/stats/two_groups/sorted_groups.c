#include "stats/two_groups/sorted_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/order.h"

int dj_sorted_groups_create(const double *x, size_t n, const double *y, size_t m,
                            size_t least, struct dj_sorted_groups *groups)
{
    if (n < least || m < least) {
        return DJ_E_NO_DATA;
    }
    if (!dj_order_all_finite(x, n) || !dj_order_all_finite(y, m)) {
        return DJ_E_INVALID;
    }
    double *block = calloc(n + m, sizeof(*block));
    if (block == NULL) {
        return DJ_E_NO_MEMORY;
    }
    *groups = (struct dj_sorted_groups){.x = block, .y = block + n, .n = n, .m = m};
    memcpy(groups->x, x, n * sizeof(*x));
    memcpy(groups->y, y, m * sizeof(*y));
    dj_order_sort(groups->x, n);
    dj_order_sort(groups->y, m);
    return 0;
}

void dj_sorted_groups_finish(struct dj_sorted_groups *groups)
{
    free(groups->x);
    *groups = (struct dj_sorted_groups){0};
}
