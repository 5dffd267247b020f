#include "stats/changes/pelt.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

enum { BLOCK = 16 };

struct pelt {
    size_t count, least;
    double penalty;
    double *sum,
        /* Sums of the first t numbers and of their squares. The mean of all numbers was
         * subtracted from each number, for precision. */
        *squares;
    double *best;       /* Cost of the best segmentation of the first t numbers. */
    double *block_best; /* Minimum of `best` in each block of BLOCK starts. */
    double *reciprocal; /* 1 / length of a segment. */
    /* Start of the last segment in the best segmentation of the first t numbers. */
    size_t *start;
    /* Index of the first start of a segment that is still tested. Earlier starts can
     * never be the best again. */
    size_t first;
};

static double compute_cost(const struct pelt *pelt, size_t from, size_t to)
{
    double sum = pelt->sum[to] - pelt->sum[from];
    double squares = pelt->squares[to] - pelt->squares[from];
    return squares - sum * sum * pelt->reciprocal[to - from];
}

/* Moves pelt->first past starts that can never be the best again. By PELT's rule, these
 * are starts whose best cost plus the cost of a segment from the start to t exceeds the
 * best cost at t. Stops at the first other start, because the starts before a change
 * become worse together. */
static void prune_starts(struct pelt *pelt, size_t t)
{
    while (
        pelt->first < t &&
        (isinf(pelt->best[pelt->first]) ||
         pelt->best[pelt->first] + compute_cost(pelt, pelt->first, t) > pelt->best[t])) {
        pelt->first++;
    }
}

/* Finds the best start of the segment that ends before t. Skips a block of starts that
 * cannot contain a better start. To test this, adds the best cost in the block to the
 * cost of the segment from the block's last start. A longer segment never costs less, so
 * the sum is a lower bound for all starts of the block. On pure noise, where PELT prunes
 * nothing, this skips nearly all blocks. */
static void find_best_start(struct pelt *pelt, size_t t)
{
    size_t end = t - pelt->least + 1;
    size_t start = pelt->start[t - 1] < pelt->first ? pelt->first : pelt->start[t - 1];
    double best = pelt->best[start] + compute_cost(pelt, start, t);
    for (size_t block = pelt->first / BLOCK; block * BLOCK < end; block++) {
        size_t from = block * BLOCK;
        size_t to = from + BLOCK < end ? from + BLOCK : end;
        if (pelt->block_best[block] + compute_cost(pelt, to - 1, t) >= best) {
            continue;
        }
        from = from < pelt->first ? pelt->first : from;
        for (size_t s = from; s < to; s++) {
            double value = pelt->best[s] + compute_cost(pelt, s, t);
            if (value < best) {
                best = value;
                start = s;
            }
        }
    }
    pelt->best[t] = best + pelt->penalty;
    pelt->start[t] = start;
}

static void find_best_segmentation(struct pelt *pelt)
{
    for (size_t i = 0; i <= pelt->count / BLOCK; i++) {
        pelt->block_best[i] = (double)INFINITY;
    }
    pelt->best[0] = -pelt->penalty;
    pelt->block_best[0] = pelt->best[0];
    pelt->start[0] = 0;
    for (size_t t = 1; t <= pelt->count; t++) {
        if (t < pelt->least) {
            pelt->best[t] = (double)INFINITY;
            pelt->start[t] = 0;
            continue;
        }
        if (t >= 2 * pelt->least) {
            prune_starts(pelt, t - pelt->least);
        }
        find_best_start(pelt, t);
        double *of_block = &pelt->block_best[t / BLOCK];
        *of_block = fmin(*of_block, pelt->best[t]);
    }
}

static void compute_sums(struct pelt *pelt, const double *values)
{
    double mean = 0;
    for (size_t i = 0; i < pelt->count; i++) {
        mean += values[i] / (double)pelt->count;
    }
    pelt->sum[0] = 0;
    pelt->squares[0] = 0;
    pelt->reciprocal[0] = 0;
    for (size_t i = 0; i < pelt->count; i++) {
        double value = values[i] - mean;
        pelt->sum[i + 1] = pelt->sum[i] + value;
        pelt->squares[i + 1] = pelt->squares[i] + value * value;
        pelt->reciprocal[i + 1] = 1 / (double)(i + 1);
    }
}

static void collect_begins(const struct pelt *pelt, size_t *begins, size_t *found)
{
    *found = 0;
    for (size_t t = pelt->start[pelt->count]; t > 0; t = pelt->start[t]) {
        begins[(*found)++] = t;
    }
    for (size_t i = 0; i < *found / 2; i++) {
        size_t saved = begins[i];
        begins[i] = begins[*found - 1 - i];
        begins[*found - 1 - i] = saved;
    }
}

int dj_pelt_find(const double *values, size_t count, double penalty, size_t least,
                 size_t *begins, size_t *found)
{
    *found = 0;
    if (count < 2 * least) {
        return 0;
    }
    size_t room = count + 1;
    double *numbers = calloc(4 * room + count / BLOCK + 1, sizeof(*numbers));
    size_t *start = calloc(room, sizeof(*start));
    int error = numbers == NULL || start == NULL ? DJ_E_NO_MEMORY : 0;
    if (error == 0) {
        struct pelt pelt = {.count = count,
                            .least = least,
                            .penalty = penalty,
                            .sum = numbers,
                            .squares = numbers + room,
                            .best = numbers + 2 * room,
                            .reciprocal = numbers + 3 * room,
                            .block_best = numbers + 4 * room,
                            .start = start};
        compute_sums(&pelt, values);
        find_best_segmentation(&pelt);
        collect_begins(&pelt, begins, found);
    }
    free(numbers);
    free(start);
    return error;
}
