#include "histories.h"

#include <math.h>

const char *const dj_sim_noise_names[DJ_SIM_NOISES] = {
    "normal", "t3", "outliers", "rounded", "bimodal", "ar-0.3", "ar-0.5"};
const double dj_sim_noise_sd = 0.05;

static double outlying(struct dj_random *random)
{
    double z = dj_random_normal(random);
    if (dj_random_uniform(random) < 0.05) {
        double off = 4 + 4 * dj_random_uniform(random);
        z += dj_random_uniform(random) < 0.5 ? off : -off;
    }
    return z;
}

static double bimodal(struct dj_random *random)
{
    double mode = dj_random_uniform(random) < 0.5 ? -1 : 1;
    return (mode + 0.5 * dj_random_normal(random)) / sqrt(1.25);
}

void dj_sim_history_fill(struct dj_random *random, enum dj_sim_noise noise, double *logs,
                         size_t count)
{
    double memory = noise == DJ_SIM_AR3 ? 0.3 : noise == DJ_SIM_AR5 ? 0.5 : 0;
    double state = dj_random_normal(random);
    for (size_t i = 0; i < count; i++) {
        double z = noise == DJ_SIM_T3         ? dj_random_t3(random)
                   : noise == DJ_SIM_OUTLIERS ? outlying(random)
                   : noise == DJ_SIM_BIMODAL  ? bimodal(random)
                                              : dj_random_normal(random);
        state = memory * state + sqrt(1 - memory * memory) * z;
        logs[i] = dj_sim_noise_sd * state;
    }
}
