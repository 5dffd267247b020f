/* Finds the connected devices that a plan selects, and the kinds of devices that are
 * missing. */
#ifndef DEJANK_PLAN_DEVICE_RANGE_H
#define DEJANK_PLAN_DEVICE_RANGE_H

#include "plan/plan.h"

struct dj_plan_range_device {
    char *name;
    const char *of; /* The selector or class of the plan that selected the device. */
    bool reachable;
    char why[240]; /* The reason if the device is not reachable. */
    /* Reason why the app of the plan cannot be measured on the device, or "". */
    char obstacle[240];
    struct dj_device_facts facts;
};

struct dj_plan_range {
    struct dj_plan_range_device *device;
    size_t count;
    /* Classes of the plan to which no connected device belongs. */
    const struct dj_plan_device **unmatched;
    size_t unmatched_count;
};

/* Finds the devices of a plan. The selector "adb:" selects all devices that adb can use.
 * A class selects the usable devices that belong to the class. If the plan has a class,
 * reads the facts of the usable devices. If `read_all` is true, reads the facts of all
 * devices, and checks whether they have the app of the plan. Each device is in the range
 * once. A device that cannot be reached stays in the range. If adb has no device for
 * "adb:", returns DJ_E_NOT_FOUND, or with `read_all` adds "adb:" as a device that cannot
 * be reached. Call dj_plan_range_finish() in every case. */
int dj_plan_range_find(const struct dj_plan *plan, bool read_all,
                       struct dj_plan_range *range, struct dj_error *err);
void dj_plan_range_finish(struct dj_plan_range *range);

enum { DJ_GAPS_MAX = 12, DJ_GAP_BYTES = 160 };

/* Writes one sentence for each kind of device that the guide recommends and that is
 * missing in the range. Returns the number of sentences. */
size_t dj_plan_range_find_gaps(const struct dj_plan_range *range,
                               char gaps[DJ_GAPS_MAX][DJ_GAP_BYTES]);

#endif
