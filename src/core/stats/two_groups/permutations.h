/* The ways to divide numbers into two groups: all of them if they are few, else a
 * random sample seeded by the input. */
#ifndef DEJANK_STATS_TWO_GROUPS_PERMUTATIONS_H
#define DEJANK_STATS_TWO_GROUPS_PERMUTATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DJ_PERMUTATIONS = 9999 };

/* Returns whether the groups, with these m of all numbers as the second one, are at
 * least as far apart as the observed groups. */
typedef bool dj_permutations_test(void *context, const size_t *chosen, size_t m);

struct dj_permutations {
    size_t n, m; /* sizes of the groups */
    dj_permutations_test *as_far;
    void *context;
    size_t *chosen; /* space for n + m; m of them are passed to as_far */
};

struct dj_permuted {
    size_t made;   /* ways that were tested */
    size_t as_far; /* … that are at least as far apart; in a sample the observed groups
                      count too, so it is never 0 */
    bool enumerated;
};

/* Mixes the state of a hash; the seed consists of such numbers. */
uint64_t dj_permutations_mix_seed(uint64_t *hash);

struct dj_permuted dj_permutations_count(const struct dj_permutations *ways,
                                         uint64_t hash);

#endif
