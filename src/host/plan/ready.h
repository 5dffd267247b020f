/*
 * Makes a plan ready to be played, whether a file or options made it: finds its programs,
 * files and devices, and makes what drives its flows. Nothing is changed on a device.
 */
#ifndef DEJANK_PLAN_READY_H
#define DEJANK_PLAN_READY_H

#include "drive/instrument.h"
#include "plan/range.h"

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

/* Zero it. */
struct dj_plan_ready {
    struct dj_plan_driver *drivers; /* one for each flow */
    struct dj_flow_plan *flows;     /* batch.flows */
    const char **devices;           /* batch.devices */
    struct dj_plan_range range;
    char package[256];
};

/*
 * Completes plan->batch: flows, devices, and the package where only a command names it.
 * Calls `say` for each fault, with one sentence. With `dry_run` all devices are asked for
 * their facts, a build that is not there is no error, and none of its devices has to be
 * there. `ready` and the plan stay where they are while the batch is used; finish `ready`
 * in every case.
 *
 * DJ_E_USAGE also for a gesture that cannot be read, DJ_E_NO_DATA for a build of a plan's
 * file that is not there (of options: DJ_E_USAGE), DJ_E_NOT_FOUND without a device,
 * DJ_E_UNSUPPORTED where this build of dejank lacks a library.
 */
int dj_plan_make_ready(struct dj_plan *plan, bool dry_run, struct dj_plan_ready *ready,
                       void (*say)(const char *sentence));
void dj_plan_ready_finish(struct dj_plan_ready *ready);

#endif
