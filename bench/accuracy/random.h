/* Seeded random numbers for simulations: xoshiro256** (Blackman and Vigna 2018). Each
 * repetition has its own stream, so its numbers do not depend on how many repetitions
 * came before it. */
#ifndef DEJANK_ACCURACY_RANDOM_H
#define DEJANK_ACCURACY_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct dj_random {
    uint64_t state[4];
};

/* Returns stream `number` of a seed. */
struct dj_random dj_random_of(uint64_t seed, uint64_t number);

double dj_random_uniform(struct dj_random *random); /* 0 ≤ u < 1 */
size_t dj_random_below(struct dj_random *random, size_t bound);
double dj_random_normal(struct dj_random *random);
/* Student's t with 3 degrees of freedom, scaled to a standard deviation of 1. */
double dj_random_t3(struct dj_random *random);
/* Gamma with an integer shape, scaled to a mean of 1. Used for rates that vary between
 * runs. */
double dj_random_gamma(struct dj_random *random, int shape);
/* Geometric distribution on 1, 2, 3, … with this mean (≥ 1). */
size_t dj_random_geometric(struct dj_random *random, double mean);
double dj_random_poisson(struct dj_random *random, double mean);
void dj_random_shuffle(struct dj_random *random, double *values, size_t count);

#endif
