#include "stats/two_groups/differences.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/order.h"

/* Up to this many candidates are sorted, because another round costs as much as
 * sorting about 100 candidates. */
enum { SORT_MAX = 64 };

/* Row i contains the differences y[k] − x[i], which increase with k. In row i, the result
 * can only be at k from from[i] to to[i] − 1. (Subtraction rounds, but never reverses an
 * order.) */
struct search {
    const double *x, *y;
    size_t n, m;
    /* Per row. from[i] is also the number of differences known to be smaller than the
     * result. */
    size_t *from, *to;
    /* Per row: number of differences below the pivot, and number not above the pivot. */
    size_t *below, *up_to;
    double sorted[SORT_MAX];
    uint64_t state;
};

static size_t count_candidates(const struct search *search, size_t *smaller)
{
    size_t count = 0;
    *smaller = 0;
    for (size_t i = 0; i < search->n; i++) {
        count += search->to[i] - search->from[i];
        *smaller += search->from[i];
    }
    return count;
}

/* Returns one of the differences that may still be the result, as the next pivot. Its
 * position is pseudo-random, so that no input always leads to bad pivots. The choice does
 * not affect the result. */
static double choose_pivot(struct search *search, size_t count)
{
    search->state = search->state * UINT64_C(6364136223846793005) + 1442695040888963407U;
    size_t number = (size_t)((search->state >> 32) % count);
    size_t i = 0;
    for (; number >= search->to[i] - search->from[i]; i++) {
        number -= search->to[i] - search->from[i];
    }
    return search->y[search->from[i] + number] - search->x[i];
}

/* Counts the differences below `value` and those not above it, in each row and in total.
 * The counts increase from row to row, because x is ascending. */
static void count_below(struct search *search, double value, size_t *smaller,
                        size_t *not_larger)
{
    size_t below = 0;
    size_t up_to = 0;
    *smaller = 0;
    *not_larger = 0;
    for (size_t i = 0; i < search->n; i++) {
        while (below < search->m && search->y[below] - search->x[i] < value) {
            below++;
        }
        up_to = up_to < below ? below : up_to;
        while (up_to < search->m && search->y[up_to] - search->x[i] <= value) {
            up_to++;
        }
        search->below[i] = below;
        search->up_to[i] = up_to;
        *smaller += below;
        *not_larger += up_to;
    }
}

static void swap_rows(size_t **a, size_t **b)
{
    size_t *saved = *a;
    *a = *b;
    *b = saved;
}

static double find_at_rank(struct search *search, size_t rank)
{
    for (size_t i = 0; i < search->n; i++) {
        search->from[i] = 0;
        search->to[i] = search->m;
    }
    for (;;) {
        size_t known;
        size_t count = count_candidates(search, &known);
        if (count <= SORT_MAX) {
            size_t used = 0;
            for (size_t i = 0; i < search->n; i++) {
                for (size_t k = search->from[i]; k < search->to[i]; k++) {
                    search->sorted[used++] = search->y[k] - search->x[i];
                }
            }
            dj_order_sort(search->sorted, used);
            return search->sorted[rank - known];
        }
        size_t smaller;
        size_t not_larger;
        double value = choose_pivot(search, count);
        count_below(search, value, &smaller, &not_larger);
        if (rank < smaller) {
            swap_rows(&search->to, &search->below);
        } else if (rank >= not_larger) {
            swap_rows(&search->from, &search->up_to);
        } else {
            return value;
        }
    }
}

int dj_differences_find(const double *x, size_t n, const double *y, size_t m,
                        const size_t *ranks, size_t rank_count, double *result)
{
    size_t *rows = calloc(4 * n, sizeof(*rows));
    if (rows == NULL) {
        return DJ_E_NO_MEMORY;
    }
    struct search search = {.x = x,
                            .y = y,
                            .n = n,
                            .m = m,
                            .from = rows,
                            .to = rows + n,
                            .below = rows + 2 * n,
                            .up_to = rows + 3 * n};
    for (size_t i = 0; i < rank_count; i++) {
        result[i] = find_at_rank(&search, ranks[i]);
    }
    free(rows);
    return 0;
}

int dj_differences_median(const double *x, size_t n, const double *y, size_t m,
                          double *median)
{
    size_t ranks[2] = {(n * m - 1) / 2, n * m / 2};
    double middle[2];
    int error = dj_differences_find(x, n, y, m, ranks, 1 + (n * m % 2 == 0), middle);
    if (error == 0) {
        *median = n * m % 2 == 0 ? (middle[0] + middle[1]) / 2 : middle[0];
    }
    return error;
}
