/*
 * Makes a plan ready to be played, whether a file or options made it: finds its programs,
 * files and devices, and makes what drives its flows. Nothing is changed on a device.
 */
#ifndef DEJANK_PLAN_READY_H
#define DEJANK_PLAN_READY_H

#include "plan/drivers.h"
#include "plan/range.h"

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
