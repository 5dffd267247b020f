/* Prepares a plan from a file or from options: finds its programs, files and devices,
 * and creates the drivers of its flows. Changes nothing on a device. */
#ifndef DEJANK_PLAN_PREPARE_H
#define DEJANK_PLAN_PREPARE_H

#include "drive/instrument.h"
#include "plan/device_range.h"

/* The driver of a flow. `maker` refers to this struct. */
struct dj_plan_driver {
    struct dj_driver_maker maker;
    const struct dj_plan_flow *flow;
    const struct dj_batch_plan *batch;                 /* the flow's batch, which names
                                                        * the app */
    struct dj_instrument_request instrument;           /* for the kind "instrument" */
    const char *more[2 * DJ_INSTRUMENT_ARGUMENTS + 2]; /* maker.more */
    char name[64]; /* name for a flow without one: "scroll-down", "idle" */
};

/* Initializes the driver of a flow, and checks that it can work on any device. The
 * flow and the batch must outlive the driver. The driver must not move. Returns
 * DJ_E_USAGE, also for an invalid gesture, or DJ_E_UNSUPPORTED if this build of dejank
 * lacks a library. */
int dj_plan_init_driver(const struct dj_plan_flow *flow,
                        const struct dj_batch_plan *batch, struct dj_plan_driver *driver,
                        struct dj_error *err);

/* Initialize it with zero. */
struct dj_plan_prepared {
    struct dj_plan_driver *drivers; /* one per flow */
    struct dj_flow_plan *flows;     /* used as batch.flows */
    const char **devices;           /* used as batch.devices */
    struct dj_plan_range range;
    char package[256];
};

/* Completes plan->batch: flows, devices, and the package if only a command names it.
 * Calls `say` with one sentence for each fault. With `dry_run` it reads the facts of
 * all devices, and neither a missing build nor a missing device is an error. `ready`
 * and the plan must not move while the batch is used. Finish `ready` in any case.
 *
 * Returns DJ_E_USAGE, also for an invalid gesture; DJ_E_NO_DATA if a build of a plan
 * file is missing (from options: DJ_E_USAGE); DJ_E_NOT_FOUND without a device;
 * DJ_E_UNSUPPORTED if this build of dejank lacks a library. */
int dj_plan_prepare(struct dj_plan *plan, bool dry_run, struct dj_plan_prepared *ready,
                    void (*say)(const char *sentence));
void dj_plan_prepared_finish(struct dj_plan_prepared *ready);

#endif
