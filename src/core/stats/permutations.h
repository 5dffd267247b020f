/* The ways to share numbers out on two groups: all of them where they are few, else so
 * many drawn by chance that is seeded by the input. For this room alone. */
#ifndef DEJANK_STATS_PERMUTATIONS_H
#define DEJANK_STATS_PERMUTATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DJ_PERMUTATIONS = 9999 };

/* Whether the groups, with these m of all numbers as the second one, lie at least as far
 * apart as they do in truth. */
typedef bool dj_as_far(void *context, const size_t *chosen, size_t m);

struct dj_permutations {
    size_t n, m; /* of either group */
    dj_as_far *as_far;
    void *context;
    size_t *chosen; /* room for n + m; m of them are handed on */
};

struct dj_permuted {
    size_t made;   /* ways that were looked at */
    size_t as_far; /* … and lie as far apart; of drawn ones the groups as they are count,
                      too, so that it is never 0 */
    bool enumerated;
};

/* One number into a hash that the next call continues: what the seed is made of. */
uint64_t dj_permutations_mix(uint64_t *hash);

struct dj_permuted dj_permutations_count(const struct dj_permutations *ways,
                                         uint64_t hash);

#endif
