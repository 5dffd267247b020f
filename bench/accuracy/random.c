#include "random.h"

#include <math.h>

static uint64_t rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

static uint64_t next(struct dj_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t kept = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= kept;
    s[3] = rotate(s[3], 45);
    return result;
}

/* SplitMix64, which the generator's authors use to fill its state. */
static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

struct dj_random dj_random_of(uint64_t seed, uint64_t number)
{
    uint64_t mix = seed;
    uint64_t state = split_mix(&mix) ^ (number * UINT64_C(0xd1342543de82ef95));
    struct dj_random random;
    for (size_t i = 0; i < 4; i++) {
        random.state[i] = split_mix(&state);
    }
    return random;
}

double dj_random_uniform(struct dj_random *random)
{
    return (double)(next(random) >> 11) * 0x1p-53;
}

size_t dj_random_below(struct dj_random *random, size_t bound)
{
    return (size_t)(dj_random_uniform(random) * (double)bound);
}

/* Marsaglia's polar method. Discards the second number of each pair, so that a stream has
 * no memory other than its state. */
double dj_random_normal(struct dj_random *random)
{
    for (;;) {
        double x = 2 * dj_random_uniform(random) - 1;
        double y = 2 * dj_random_uniform(random) - 1;
        double square = x * x + y * y;
        if (square < 1 && square > 0) {
            return x * sqrt(-2 * log(square) / square);
        }
    }
}

double dj_random_t3(struct dj_random *random)
{
    double z = dj_random_normal(random);
    double squares = 0;
    for (int i = 0; i < 3; i++) {
        double part = dj_random_normal(random);
        squares += part * part;
    }
    return z / sqrt(squares / 3) / sqrt(3); /* scales the variance from 3 to 1 */
}

double dj_random_gamma(struct dj_random *random, int shape)
{
    double product = 1;
    for (int i = 0; i < shape; i++) {
        product *= 1 - dj_random_uniform(random);
    }
    return -log(product) / shape;
}

size_t dj_random_geometric(struct dj_random *random, double mean)
{
    if (mean <= 1) {
        return 1;
    }
    double u = 1 - dj_random_uniform(random);
    return 1 + (size_t)(log(u) / log(1 - 1 / mean));
}

double dj_random_poisson(struct dj_random *random, double mean)
{
    double count = 0;
    for (double waited = -log(1 - dj_random_uniform(random)); waited < mean;
         waited -= log(1 - dj_random_uniform(random))) {
        count++;
    }
    return count;
}

void dj_random_shuffle(struct dj_random *random, double *values, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t k = dj_random_below(random, i);
        double kept = values[i - 1];
        values[i - 1] = values[k];
        values[k] = kept;
    }
}
