#include "plan/quick_plan.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

static int check_options(const struct dj_quick_options *run, bool command,
                         struct dj_error *err)
{
    const struct dj_batch_plan *batch = &run->batch;
    const char *apk = batch->builds[0].apk, *ab_apk = batch->builds[1].apk;
    const struct {
        bool holds;
        const char *says;
    } misuses[] = {
        {!command && batch->package == NULL,
         "expected --package P, or -- CMD ARG… (see dejank run --help)"},
        {command && (apk != NULL || ab_apk != NULL),
         "--apk and --ab are for Android apps; compare two commands with 'dejank compare "
         "--run A B'"},
        {command && batch->attach,
         "--attach cannot be used with CMD, because dejank starts CMD"},
        {run->flow.test_class != NULL && run->instrument == NULL,
         "--class needs --instrument"},
        {run->argument_count > 0 && run->instrument == NULL,
         "--argument needs --instrument"},
        {ab_apk != NULL && apk == NULL, "--ab needs the build A: --apk F"},
        {batch->attach && (apk != NULL || ab_apk != NULL),
         "--attach cannot be used with --apk or --ab: a running app is not installed"},
        {batch->record != NULL && run->device_count > 1,
         "--record-replay records one device: expected one --device"},
        {batch->runs > DJ_BATCH_RUNS_MAX || batch->warmups > DJ_BATCH_RUNS_MAX,
         "-n and --warmup: at most 100000"},
    };
    for (size_t i = 0; i < COUNT_OF(misuses); i++) {
        if (misuses[i].holds) {
            return dj_error_set(err, DJ_E_USAGE, "%s", misuses[i].says);
        }
    }
    return 0;
}

static void make_builds(const struct dj_quick_options *run, char **command,
                        struct dj_quick_plan *made)
{
    struct dj_batch_plan *batch = &made->plan.batch;
    bool two = batch->builds[1].apk != NULL || run->second_command != NULL;
    batch->build_count = two ? 2 : 1;
    batch->builds[0].command = command;
    if (two) {
        batch->builds[0].label =
            batch->builds[0].label != NULL ? batch->builds[0].label : "A";
        batch->builds[1].label = "B";
        batch->builds[1].command = run->second_command;
    }
}

/* Reads the options --argument NAME=VALUE. */
static int make_arguments(const struct dj_quick_options *run, struct dj_quick_plan *made,
                          struct dj_error *err)
{
    if (run->argument_count > DJ_INSTRUMENT_ARGUMENTS) {
        return dj_error_set(
            err, DJ_E_USAGE,
            "--argument: expected at most %d arguments for the test runner",
            DJ_INSTRUMENT_ARGUMENTS);
    }
    for (size_t i = 0; i < run->argument_count; i++) {
        char *name = dj_xstrdup(run->arguments[i]);
        char *equals = strchr(name, '=');
        made->arguments[2 * i] = name;
        if (equals == NULL || equals == name) {
            return dj_error_set(err, DJ_E_USAGE,
                                "--argument: expected NAME=VALUE, got '%.80s'", name);
        }
        *equals = '\0';
        made->arguments[2 * i + 1] = equals + 1;
    }
    return 0;
}

static int make_flow(const struct dj_quick_options *run, struct dj_quick_plan *made,
                     struct dj_error *err)
{
    const struct {
        const char *kind, *argument;
    } drivers[] = {{"gesture", run->gesture},
                   {"instrument", run->instrument},
                   {"script", run->script}};
    struct dj_plan_flow *flow = &made->flow;
    *flow = run->flow;
    flow->kind = "idle";
    flow->priority = "normal";
    for (size_t i = 0; i < COUNT_OF(drivers); i++) {
        if (drivers[i].argument != NULL && flow->argument != NULL) {
            return dj_error_set(err, DJ_E_USAGE, "expected only one of --%s and --%s",
                                flow->kind, drivers[i].kind);
        }
        if (drivers[i].argument != NULL) {
            flow->kind = drivers[i].kind;
            flow->argument = drivers[i].argument;
        }
    }
    if (run->argument_count > 0) {
        flow->arguments = (const char *const *)made->arguments;
    }
    made->plan.flows = flow;
    made->plan.flow_count = 1;
    return make_arguments(run, made, err);
}

static void make_devices(const struct dj_quick_options *run, struct dj_quick_plan *made)
{
    made->devices = dj_xcalloc(run->device_count + 1, sizeof(*made->devices));
    made->devices[0].selector = "local:";
    for (size_t i = 0; i < run->device_count; i++) {
        made->devices[i].selector = run->devices[i];
    }
    made->plan.devices = made->devices;
    made->plan.device_count = run->device_count > 0 ? run->device_count : 1;
}

static int64_t get_or_default(int64_t value, int64_t fallback)
{
    return value > 0 ? value : value == DJ_QUICK_ZERO ? 0 : fallback;
}

int dj_plan_quick_plan_init(const struct dj_quick_options *run, char **command,
                            struct dj_quick_plan *made, struct dj_error *err)
{
    int code = check_options(run, command != NULL, err);
    if (code != 0) {
        return code;
    }
    struct dj_batch_plan *plan = &made->plan.batch;
    const struct dj_batch_plan usual = dj_measure_batch_plan_default();
    *plan = run->batch;
    plan->runs = get_or_default(plan->runs, usual.runs);
    plan->warmups = get_or_default(plan->warmups, usual.warmups);
    plan->retries = get_or_default(plan->retries, usual.retries);
    plan->settle_ns = get_or_default(plan->settle_ns, usual.settle_ns);
    plan->cool_down_ns = get_or_default(plan->cool_down_ns, usual.cool_down_ns);
    plan->seed = (uint64_t)get_or_default((int64_t)plan->seed, (int64_t)usual.seed);
    plan->busy_pct = run->max_load > 0 ? (double)run->max_load : usual.busy_pct;
    make_devices(run, made);
    make_builds(run, command, made);
    return make_flow(run, made, err);
}

void dj_plan_quick_plan_finish(struct dj_quick_plan *made)
{
    for (size_t i = 0; made->arguments[i] != NULL; i += 2) {
        /* Frees the name and the value of the argument, because both are in one memory
         * block. */
        free(made->arguments[i]);
    }
    free(made->devices);
}
