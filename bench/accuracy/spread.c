/* spread [SIDES]: checks that simulated runs spread like real ones. Computes the standard
 * deviation between runs of the logarithm of percentiles, for runs of several lengths.
 * Writes rows to stdout: frames, metric, standard deviation, expected value. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "runs.h"

enum { SIDES = 400, RUNS = 30 };

/* Measured with a model that has these run effects and was fitted to captures. */
static const struct {
    size_t frames;
    enum dj_sim_metric metric;
    double sd;
} expected[] = {
    {600, DJ_SIM_P50, 0.064},  {120, DJ_SIM_P95, 0.134},  {300, DJ_SIM_P95, 0.095},
    {600, DJ_SIM_P95, 0.081},  {1200, DJ_SIM_P95, 0.073}, {3000, DJ_SIM_P95, 0.068},
    {120, DJ_SIM_P99, 0.325},  {300, DJ_SIM_P99, 0.284},  {600, DJ_SIM_P99, 0.242},
    {1200, DJ_SIM_P99, 0.199}, {3000, DJ_SIM_P99, 0.168},
};

static double sd_of(size_t frames, enum dj_sim_metric metric, size_t sides)
{
    double sum = 0;
    double squares = 0;
    double count = (double)(sides * RUNS);
    for (size_t i = 0; i < sides; i++) {
        struct dj_random random = dj_random_of(20, i);
        struct dj_sim_shape shape = {
            .frames = frames, .run_sd = 0.05, .slower = 1, .more_janky = 1};
        struct dj_sim_side side;
        dj_sim_side_fill(&random, &shape, RUNS, &side);
        for (size_t run = 0; run < RUNS; run++) {
            double x = log(side.value[metric][run] / 1e6);
            sum += x;
            squares += x * x;
        }
    }
    return sqrt(squares / count - sum / count * (sum / count));
}

int main(int argc, char **argv)
{
    size_t sides = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : SIDES;
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        printf("%zu\t%s\t%.4f\t%.3f\n", expected[i].frames,
               dj_sim_metric_names[expected[i].metric],
               sd_of(expected[i].frames, expected[i].metric, sides), expected[i].sd);
    }
    return 0;
}
