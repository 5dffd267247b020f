#include "runs.h"

#include <math.h>

#include "stats/quantile.h"

const char *const dj_sim_metric_names[DJ_SIM_METRICS] = {"p50", "p95", "p99", "jank"};
const double dj_sim_quantiles[DJ_SIM_METRICS] = {0.50, 0.95, 0.99, 0};

/* Chosen once so that runs spread like real ones (spread.c compares them), and not
 * changed since. */
static const double FRAME_NS = 10e6;
static const double BUDGET_NS = 1e9 / 60;
static const double BAD_SHARE = 0.05, BAD_TIMES = 1.15;
static const double FRAME_SD = 0.14, MEMORY = 0.9;
static const double BURSTS = 1 / 130.0, BURST_FRAMES = 2.5; /* per frame; mean length */
static const double BURST_LOG = 0.5, BURST_LOG_SD = 0.4;
enum { RATE_SHAPE = 4 }; /* of the gamma factor of a run's burst rate */

static double run_effect(struct dj_random *random, const struct dj_sim_shape *shape)
{
    double z = shape->heavy ? dj_random_t3(random) : dj_random_normal(random);
    bool bad = dj_random_uniform(random) < BAD_SHARE;
    return shape->run_sd * z + (bad ? log(BAD_TIMES) : 0) + log(shape->slower);
}

static void fill_frames(struct dj_random *random, const struct dj_sim_shape *shape,
                        int64_t *frame_ns)
{
    double base = log(FRAME_NS) + run_effect(random, shape);
    double rate = BURSTS * shape->more_janky * dj_random_gamma(random, RATE_SHAPE);
    double state = FRAME_SD * dj_random_normal(random);
    double innovation = FRAME_SD * sqrt(1 - MEMORY * MEMORY);
    double height = 0;
    size_t left = 0;
    for (size_t i = 0; i < shape->frames; i++) {
        state = MEMORY * state + innovation * dj_random_normal(random);
        if (left == 0 && dj_random_uniform(random) < rate) {
            left = dj_random_geometric(random, BURST_FRAMES);
            height = fabs(BURST_LOG + BURST_LOG_SD * dj_random_normal(random));
        }
        frame_ns[i] = (int64_t)exp(base + state + (left > 0 ? height : 0));
        left -= left > 0;
    }
}

static double count_over(const int64_t *values, size_t count, double limit)
{
    double over = 0;
    for (size_t i = 0; i < count; i++) {
        over += (double)values[i] > limit;
    }
    return over;
}

void dj_sim_side_fill(struct dj_random *random, const struct dj_sim_shape *shape,
                      size_t runs, struct dj_sim_side *side)
{
    int64_t frame_ns[DJ_SIM_FRAMES_MAX];
    side->count = runs;
    for (size_t run = 0; run < runs; run++) {
        fill_frames(random, shape, frame_ns);
        side->frames[run] = (double)shape->frames;
        side->value[DJ_SIM_JANK][run] = count_over(frame_ns, shape->frames, BUDGET_NS);
        dj_quantile_arrange_int64(frame_ns, shape->frames, dj_sim_quantiles, DJ_SIM_JANK);
        for (int metric = 0; metric < DJ_SIM_JANK; metric++) {
            side->value[metric][run] = dj_quantile_compute_int64(
                frame_ns, shape->frames, dj_sim_quantiles[metric]);
        }
    }
}
