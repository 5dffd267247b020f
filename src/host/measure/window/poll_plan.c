#include "measure/window/poll_plan.h"

/* A quarter of the ring is reserved for a rate that rises between two readings, and
 * for a late reading. */
#define RING_SHARE 0.75
#define DISPLAY_HZ 60.0

#define LEAST_NS INT64_C(50000000)
/* Maximum delay for any size of the ring: an app may die with its rows at any time, or
 * start to draw thousands of frames per second. */
#define MOST_NS INT64_C(2000000000)
#define MOST_UNSEEN_NS INT64_C(500000000) /* before the first observation */

enum { REST_PER_COST = 4 }; /* reading takes at most a fifth of the time */

void dj_poll_plan_observe(struct dj_poll_plan *plan, uint64_t frames, int64_t span_ns)
{
    if (span_ns <= 0) {
        return;
    }
    plan->observed = true;
    double rate_hz = (double)frames * 1e9 / (double)span_ns;
    plan->rate_hz = rate_hz > plan->rate_hz / 2 ? rate_hz : plan->rate_hz / 2;
}

static double expected_hz(const struct dj_poll_plan *plan)
{
    double display_hz =
        plan->interval_ns > 0 ? 1e9 / (double)plan->interval_ns : DISPLAY_HZ;
    return plan->rate_hz > display_hz ? plan->rate_hz : display_hz;
}

int64_t dj_poll_plan_delay_ns(const struct dj_poll_plan *plan)
{
    int64_t most_ns = plan->observed ? MOST_NS : MOST_UNSEEN_NS;
    int64_t least_ns = plan->cost_ns * REST_PER_COST > LEAST_NS
                           ? plan->cost_ns * REST_PER_COST
                           : LEAST_NS;
    /* The ring fills further during the reading. */
    double delay_ns =
        RING_SHARE * plan->ring_rows / expected_hz(plan) * 1e9 - (double)plan->cost_ns;
    if (delay_ns > (double)most_ns) {
        return most_ns;
    }
    return delay_ns > (double)least_ns ? (int64_t)delay_ns : least_ns;
}
