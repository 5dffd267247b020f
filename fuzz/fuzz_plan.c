/* Reads any text as a plan. An invalid plan must have at least one fault. A valid plan
 * must be within the limits, and each of its flows must be complete. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_flows(const struct dj_plan *plan)
{
    for (size_t i = 0; i < plan->flow_count; i++) {
        const struct dj_plan_flow *flow = &plan->flows[i];
        check(flow->name != NULL && flow->kind != NULL && flow->priority != NULL);
        check(strcmp(flow->kind, "idle") == 0 || flow->argument != NULL);
        check(flow->duration_ns >= 0 && flow->runs >= 0);
        check(dj_plan_run_ns(plan, flow) >= 0);
        size_t words = 0;
        while (flow->arguments != NULL && flow->arguments[words] != NULL) {
            words++;
        }
        check(words % 2 == 0);
    }
}

static void check_plan(const struct dj_plan *plan)
{
    check(plan->flow_count > 0 && plan->flow_count <= DJ_PLAN_FLOWS);
    check(plan->device_count > 0 && plan->device_count <= DJ_PLAN_DEVICES);
    check(plan->batch.runs > 0 && plan->batch.runs <= DJ_BATCH_RUNS_MAX);
    check(plan->batch.warmups >= 0 && plan->batch.retries >= 0);
    check(plan->batch.build_count <= DJ_BATCH_BUILDS_MAX);
    check_flows(plan);
    for (size_t i = 0; i < plan->device_count; i++) {
        check(plan->devices[i].most >= 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_plan plan = {0};
    struct dj_plan_faults faults = {0};
    struct dj_error err = {0};
    int code = dj_plan_read("plan.yaml", (const char *)data, size, &plan, &faults, &err);
    check(code == 0 || err.code == code);
    check((code == DJ_E_INVALID) == (faults.count > 0) || code == DJ_E_NO_MEMORY ||
          code == DJ_E_LIMIT || code == DJ_E_UNSUPPORTED);
    if (code == 0) {
        check_plan(&plan);
    }
    dj_plan_finish(&plan);
    dj_text_finish(&faults.lines);
    return 0;
}
