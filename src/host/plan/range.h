/* The devices of a plan: which of them are there, and what they lack. */
#ifndef DEJANK_PLAN_RANGE_H
#define DEJANK_PLAN_RANGE_H

#include "plan/plan.h"

struct dj_plan_range_device {
    char *name;
    const char *of; /* the selector or class of the plan that it is there for */
    bool reachable;
    char why[240]; /* it is not */
    struct dj_device_facts facts;
};

struct dj_plan_range {
    struct dj_plan_range_device *device;
    size_t count;
    const struct dj_plan_device **unmatched; /* classes that no device is of */
    size_t unmatched_count;
};

/*
 * Finds the devices: "adb:" becomes all that adb can use, a class those of them that are
 * of it, which are asked for their facts; with `ask` all devices are asked. A device is
 * in the range once. One that cannot be reached stays in it. DJ_E_NOT_FOUND where adb
 * knows none for "adb:". Finish it in every case.
 */
int dj_plan_range_find(const struct dj_plan *plan, bool ask, struct dj_plan_range *range,
                       struct dj_error *err);
void dj_plan_range_finish(struct dj_plan_range *range);

enum { DJ_LACKS_MOST = 12, DJ_LACK_TEXT = 160 };

/* What a range of devices lacks of what the guide asks for, as sentences; how many. */
size_t dj_plan_range_lacks(const struct dj_plan_range *range,
                           char lacks[DJ_LACKS_MOST][DJ_LACK_TEXT]);

#endif
