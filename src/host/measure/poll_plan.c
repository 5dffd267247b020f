#include "measure/poll_plan.h"

/* Fraction of the ring that may fill between two readings. The rest is a reserve for a
 * higher frame rate and for a late reading. */
#define RING_SHARE 0.75
#define DISPLAY_HZ 60.0

#define LEAST_NS INT64_C(50000000)
/* Maximum delay, even if the ring is large. At any time an app may end, which discards
 * its rows, or start to draw thousands of frames per second. */
#define MOST_NS INT64_C(2000000000)
/* Maximum delay while the frame rate of the app is unknown. */
#define MOST_UNSEEN_NS INT64_C(500000000)

/* The delay is at least this many times the duration of a reading. So readings take at
 * most a fifth of the time. */
enum { REST_PER_COST = 4 };

void dj_measure_poll_plan_observe(struct dj_poll_plan *plan, uint64_t frames,
                                  int64_t span_ns)
{
    if (span_ns <= 0) {
        return;
    }
    plan->observed = true;
    double rate_hz = (double)frames * 1e9 / (double)span_ns;
    plan->rate_hz = rate_hz > plan->rate_hz / 2 ? rate_hz : plan->rate_hz / 2;
}

static double estimate_hz(const struct dj_poll_plan *plan)
{
    double display_hz =
        plan->interval_ns > 0 ? 1e9 / (double)plan->interval_ns : DISPLAY_HZ;
    return plan->rate_hz > display_hz ? plan->rate_hz : display_hz;
}

int64_t dj_measure_poll_plan_delay_ns(const struct dj_poll_plan *plan)
{
    int64_t most_ns = plan->observed ? MOST_NS : MOST_UNSEEN_NS;
    int64_t least_ns = plan->cost_ns * REST_PER_COST > LEAST_NS
                           ? plan->cost_ns * REST_PER_COST
                           : LEAST_NS;
    /* The ring also fills during the next reading, so its duration is subtracted. */
    double delay_ns =
        RING_SHARE * plan->ring_rows / estimate_hz(plan) * 1e9 - (double)plan->cost_ns;
    if (delay_ns > (double)most_ns) {
        return most_ns;
    }
    return delay_ns > (double)least_ns ? (int64_t)delay_ns : least_ns;
}
