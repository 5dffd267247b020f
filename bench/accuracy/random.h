/* Chance with a seed, for simulations: xoshiro256** (Blackman and Vigna 2018), a stream
 * of its own for each repetition, so that one does not hang on how many came before it.
 */
#ifndef DEJANK_ACCURACY_RANDOM_H
#define DEJANK_ACCURACY_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct dj_random {
    uint64_t state[4];
};

/* The stream `number` of a seed. */
struct dj_random dj_random_of(uint64_t seed, uint64_t number);

double dj_random_uniform(struct dj_random *random); /* 0 ≤ u < 1 */
size_t dj_random_below(struct dj_random *random, size_t bound);
double dj_random_normal(struct dj_random *random);
/* Student's t with 3 degrees of freedom, scaled to a standard deviation of 1. */
double dj_random_t3(struct dj_random *random);
/* Gamma of a whole shape, scaled to a mean of 1: what rates of runs vary by. */
double dj_random_gamma(struct dj_random *random, int shape);
/* How many in all come before the one that is the last: mean ≥ 1. */
size_t dj_random_geometric(struct dj_random *random, double mean);
double dj_random_poisson(struct dj_random *random, double mean);
void dj_random_shuffle(struct dj_random *random, double *values, size_t count);

#endif
