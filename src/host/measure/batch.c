#include "measure/batch.h"

#include <string.h>

struct dj_batch_plan dj_measure_batch_plan_default(void)
{
    return (struct dj_batch_plan){
        .runs = DJ_BATCH_RUNS,
        .warmups = DJ_BATCH_WARMUPS,
        .retries = DJ_BATCH_RETRIES,
        .settle_ns = DJ_SECOND_NS,
        .cool_down_ns = 20 * 60 * DJ_SECOND_NS,
        .busy_pct = 80,
        .seed = 1,
    };
}

static int create_idle_driver(const void *user, struct dj_device *device,
                              struct dj_driver *driver, struct dj_error *err)
{
    (void)user;
    (void)device;
    (void)err;
    *driver = (struct dj_driver){.kind = "idle"};
    return 0;
}

const struct dj_driver_maker dj_driver_idle = {
    .kind = "idle", .arguments = "", .make = create_idle_driver};

static const char *const selection_names[] = {
    [DJ_TRACE_NONE] = NULL, [DJ_TRACE_ALL] = "all", [DJ_TRACE_JANKY] = "janky"};

const char *dj_measure_trace_selection_name(enum dj_trace_selection selection)
{
    return selection_names[selection];
}

bool dj_measure_trace_selection_find(const char *word, enum dj_trace_selection *selection)
{
    for (int i = DJ_TRACE_ALL; i <= DJ_TRACE_JANKY; i++) {
        if (strcmp(word, selection_names[i]) == 0) {
            *selection = (enum dj_trace_selection)i;
            return true;
        }
    }
    return false;
}
