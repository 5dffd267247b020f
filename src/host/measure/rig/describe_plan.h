/* Describes a plan for the store: the device, how it is measured, and the order of the
 * runs. */
#ifndef DEJANK_MEASURE_RIG_DESCRIBE_PLAN_H
#define DEJANK_MEASURE_RIG_DESCRIBE_PLAN_H

#include "facts/device.h"
#include "measure/batch.h"
#include "store/store.h"

/* A device as a row of the store. The strings of the row belong to this struct and to the
 * facts of the device. */
struct dj_device_row {
    struct dj_store_device device;
    struct dj_fact_list list;
    char model[200];
};

void dj_describe_plan_device(struct dj_device_row *row, const char *name,
                             const struct dj_device_facts *facts);

/* Appends a JSON object that describes how runs are made: the plan, the flow and the
 * build. */
void dj_describe_plan_options(struct dj_text *text, const struct dj_batch_plan *plan,
                              const struct dj_flow_plan *flow,
                              const struct dj_build_plan *build);

/* Appends a JSON object that describes the order of the runs: its rule and its seed. */
void dj_describe_plan_order(struct dj_text *text, const struct dj_batch_plan *plan);

#endif
