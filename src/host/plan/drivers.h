/* What drives the flows of a plan. */
#ifndef DEJANK_PLAN_DRIVERS_H
#define DEJANK_PLAN_DRIVERS_H

#include "drive/instrument.h"
#include "plan/plan.h"

/* What drives a flow. `maker` points to it. */
struct dj_plan_driver {
    struct dj_driver_maker maker;
    const struct dj_plan_flow *flow;
    const struct dj_batch_plan *batch;                 /* of the flow: names the app */
    struct dj_instrument_request instrument;           /* of the kind "instrument" */
    const char *more[2 * DJ_INSTRUMENT_ARGUMENTS + 2]; /* maker.more */
    char name[64]; /* for a flow without one: "scroll-down", "idle" */
};

/* Makes what drives a flow of a batch, and checks that it can be made for a device at
 * all. The flow and the batch outlive it, and it stays where it is. DJ_E_USAGE, also for
 * a gesture that cannot be read; DJ_E_UNSUPPORTED where this build of dejank lacks a
 * library. */
int dj_plan_make_driver(const struct dj_plan_flow *flow,
                        const struct dj_batch_plan *batch, struct dj_plan_driver *driver,
                        struct dj_error *err);

#endif
