/* Prepares a plan that was read from a file or made from options. Finds its programs,
 * files and devices, and creates the drivers of its flows. A driver is what causes frames
 * during a run, for example a gesture or a script. Changes nothing on a device. */
#ifndef DEJANK_PLAN_PREPARE_H
#define DEJANK_PLAN_PREPARE_H

#include "drive/instrument.h"
#include "plan/device_range.h"

/* The driver of a flow. The struct must not be moved, because `maker` refers to it. */
struct dj_plan_driver {
    struct dj_driver_maker maker;
    const struct dj_plan_flow *flow;
    /* The batch of the flow, which names the app. */
    const struct dj_batch_plan *batch;
    /* The tests to run, for the kind "instrument". */
    struct dj_instrument_request instrument;
    /* Storage of the strings to which maker.more points. */
    const char *more[2 * DJ_INSTRUMENT_ARGUMENTS + 2];
    char name[64]; /* Name of a flow without a name: "scroll-down" or "idle". */
};

/* Initialises the driver of a flow and checks everything that can be checked without a
 * device. The flow and the batch must outlive the driver, and the driver must not be
 * moved. Returns DJ_E_USAGE if the flow is invalid, for example its gesture. Returns
 * DJ_E_UNSUPPORTED if this build of dejank lacks a library. */
int dj_plan_init_driver(const struct dj_plan_flow *flow,
                        const struct dj_batch_plan *batch, struct dj_plan_driver *driver,
                        struct dj_error *err);

/* A prepared plan. Zero the struct before use. */
struct dj_plan_prepared {
    struct dj_plan_driver *drivers; /* One driver for each flow. */
    struct dj_flow_plan *flows;     /* Array to which batch.flows points. */
    const char **devices;           /* Array to which batch.devices points. */
    struct dj_plan_range range;
    char package[256];
};

/*
 * Completes plan->batch: sets the flows, the devices and, if only a command names it, the
 * package. Calls `report` with a sentence for each fault. If `dry_run` is true, reads the
 * facts of all devices, and a missing build or device is no error. `ready` and the plan
 * must not be moved while the batch is used. Call dj_plan_prepared_finish() in every
 * case.
 *
 * Returns DJ_E_USAGE if the plan is invalid, for example a gesture. Returns DJ_E_NO_DATA
 * if a build of a plan file is missing (DJ_E_USAGE if the build is from options),
 * DJ_E_NOT_FOUND if there is no device, and DJ_E_UNSUPPORTED if this build of dejank
 * lacks a library.
 */
int dj_plan_prepare(struct dj_plan *plan, bool dry_run, struct dj_plan_prepared *ready,
                    void (*report)(const char *sentence));
void dj_plan_prepared_finish(struct dj_plan_prepared *ready);

#endif
