/* Permutation tests: divides numbers into two groups in all possible permutations, or in
 * a random sample of them if there are more than DJ_PERMUTATIONS. The caller computes the
 * seed from the input. */
#ifndef DEJANK_STATS_TWO_GROUPS_PERMUTATIONS_H
#define DEJANK_STATS_TWO_GROUPS_PERMUTATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DJ_PERMUTATIONS = 9999 };

/* Returns whether a division into two groups is at least as extreme as the observed one.
 * `chosen` has the indices of the m numbers in the second group. */
typedef bool dj_permutations_test(void *context, const size_t *chosen, size_t m);

struct dj_permutations {
    size_t n, m; /* Sizes of the groups. */
    dj_permutations_test *is_as_extreme;
    void *context;
    size_t *chosen; /* Space for n + m indices. */
};

struct dj_permuted {
    size_t tested_count; /* Number of tested divisions. */
    /* Number of tested divisions that are at least as extreme as the observed one. A
     * sample includes the observed division, so the number is never 0. */
    size_t extreme_count;
    bool enumerated;
};

/* Returns the next pseudo-random number and updates *hash. Used to compute seeds. */
uint64_t dj_permutations_mix_seed(uint64_t *hash);

struct dj_permuted dj_permutations_count(const struct dj_permutations *permutations,
                                         uint64_t hash);

#endif
