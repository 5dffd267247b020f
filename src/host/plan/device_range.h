/* The devices of a plan: which of them are connected, and which kinds are missing. */
#ifndef DEJANK_PLAN_DEVICE_RANGE_H
#define DEJANK_PLAN_DEVICE_RANGE_H

#include "plan/plan.h"

struct dj_plan_range_device {
    char *name;
    const char *of; /* selector or class of the plan that selected it */
    bool reachable;
    char why[240]; /* reason, if it is not reachable */
    struct dj_device_facts facts;
};

struct dj_plan_range {
    struct dj_plan_range_device *device;
    size_t count;
    const struct dj_plan_device **unmatched; /* classes without a device */
    size_t unmatched_count;
};

/* Finds the devices. "adb:" selects all devices that adb can use. A class selects
 * those of them that belong to it, for which their facts are read. With `read_all`, reads
 * the facts of all devices. Each device is listed once. A device that cannot be
 * reached stays in the list. Returns DJ_E_NOT_FOUND if adb has no device for "adb:".
 * Finish the range in any case. */
int dj_plan_range_find(const struct dj_plan *plan, bool read_all,
                       struct dj_plan_range *range, struct dj_error *err);
void dj_plan_range_finish(struct dj_plan_range *range);

enum { DJ_GAPS_MAX = 12, DJ_GAP_BYTES = 160 };

/* Writes what the guide recommends for a range of devices and this range does not
 * have, one sentence each. Returns their number. */
size_t dj_plan_range_find_gaps(const struct dj_plan_range *range,
                               char gaps[DJ_GAPS_MAX][DJ_GAP_BYTES]);

#endif
