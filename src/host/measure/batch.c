#include "measure/batch.h"

struct dj_batch_plan dj_batch_plan_default(void)
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

static int make_idle(const void *user, struct dj_device *device, struct dj_driver *driver,
                     struct dj_error *err)
{
    (void)user;
    (void)device;
    (void)err;
    *driver = (struct dj_driver){.kind = "idle"};
    return 0;
}

const struct dj_driver_maker dj_driver_idle = {
    .kind = "idle", .arguments = "", .make = make_idle};

const char *dj_trace_word(enum dj_trace_wish wish)
{
    static const char *const words[] = {
        [DJ_TRACE_NONE] = NULL, [DJ_TRACE_ALL] = "all", [DJ_TRACE_JANKY] = "janky"};
    return words[wish];
}
