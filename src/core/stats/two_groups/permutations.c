#include "stats/two_groups/permutations.h"

static uint64_t rotate(uint64_t value, int by)
{
    return value << by | value >> (64 - by);
}

/* Returns the next random number of xoshiro256**. */
static uint64_t draw_number(uint64_t state[4])
{
    uint64_t result = rotate(state[1] * 5, 7) * 9;
    uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate(state[3], 45);
    return result;
}

/* Implements SplitMix64. The authors of xoshiro256** recommend it to initialize the
 * state. */
uint64_t dj_permutations_mix_seed(uint64_t *hash)
{
    uint64_t value = *hash += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

static struct dj_permuted enumerate(const struct dj_permutations *permutations)
{
    struct dj_permuted counted = {.enumerated = true};
    size_t total = permutations->n + permutations->m;
    size_t *chosen = permutations->chosen;
    for (size_t i = 0; i < permutations->m; i++) {
        chosen[i] = i;
    }
    for (;;) {
        counted.extreme_count +=
            permutations->is_as_extreme(permutations->context, chosen, permutations->m);
        counted.tested_count++;
        size_t last = permutations->m;
        while (last > 0 && chosen[last - 1] == total - permutations->m + last - 1) {
            last--;
        }
        if (last == 0) {
            return counted;
        }
        chosen[last - 1]++;
        for (size_t i = last; i < permutations->m; i++) {
            chosen[i] = chosen[i - 1] + 1;
        }
    }
}

static struct dj_permuted sample(const struct dj_permutations *permutations,
                                 uint64_t hash)
{
    struct dj_permuted counted = {.tested_count = DJ_PERMUTATIONS + 1,
                                  .extreme_count = 1};
    size_t total = permutations->n + permutations->m;
    size_t *chosen = permutations->chosen;
    uint64_t state[4];
    for (size_t i = 0; i < 4; i++) {
        state[i] = dj_permutations_mix_seed(&hash);
    }
    for (size_t i = 0; i < total; i++) {
        chosen[i] = i;
    }
    for (size_t round = 0; round < DJ_PERMUTATIONS; round++) {
        for (size_t i = 0; i < permutations->m; i++) {
            size_t other = i + (size_t)((draw_number(state) >> 32) * (total - i) >> 32);
            size_t saved = chosen[i];
            chosen[i] = chosen[other];
            chosen[other] = saved;
        }
        counted.extreme_count +=
            permutations->is_as_extreme(permutations->context, chosen, permutations->m);
    }
    return counted;
}

/* Returns whether there are at most DJ_PERMUTATIONS permutations. */
static bool can_enumerate(size_t n, size_t m)
{
    double all = 1;
    for (size_t i = 1; i <= m && all <= DJ_PERMUTATIONS; i++) {
        all = all * (double)(n + i) / (double)i;
    }
    return all <= DJ_PERMUTATIONS;
}

struct dj_permuted dj_permutations_count(const struct dj_permutations *permutations,
                                         uint64_t hash)
{
    return can_enumerate(permutations->n, permutations->m) ? enumerate(permutations)
                                                           : sample(permutations, hash);
}
