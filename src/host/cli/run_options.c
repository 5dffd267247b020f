#include "cli/run_options.h"

#include <string.h>

#include "cli/shell_words.h"
#include "drive/instrument.h"
#include "memory/memory.h"

/* The plan, and what it points to. */
struct made {
    struct dj_plan plan;
    struct dj_plan_flow flow;
    struct dj_plan_device devices[DJ_OPTION_LIST_MAX];
    char **ab_command;
    char *arguments[2 * DJ_INSTRUMENT_ARGUMENTS + 1]; /* name, value, …, NULL */
};

static void finish_made(struct made *made)
{
    dj_shell_words_free(made->ab_command);
    for (size_t i = 0; made->arguments[i] != NULL; i += 2) {
        free(made->arguments[i]); /* its value is a part of it */
    }
}

static int check_options(const struct dj_run_options *run, bool command)
{
    const struct dj_misuse misuses[] = {
        {!command && run->package == NULL,
         "expected --package P, or -- CMD ARG… (see dejank run --help)"},
        {command && (run->apk != NULL || run->ab_apk != NULL),
         "--apk and --ab are of Android apps; of CMD there is --ab-cmd"},
        {command && run->attach, "--attach: CMD is started by dejank"},
        {run->test != NULL && run->instrument == NULL, "--class is of --instrument"},
        {run->arguments.count > 0 && run->instrument == NULL,
         "--argument is of --instrument"},
        {run->ab_apk != NULL && run->apk == NULL, "--ab needs the build A: --apk F"},
        {run->ab_command != NULL && !command, "--ab-cmd needs the build A: -- CMD ARG…"},
        {run->attach && (run->apk != NULL || run->ab_apk != NULL),
         "--attach: what runs already is not installed"},
        {run->record != NULL && run->devices.count > 1,
         "--record-replay keeps the answers of one device: one --device"},
        {run->runs > DJ_BATCH_RUNS_MAX || run->warmups > DJ_BATCH_RUNS_MAX,
         "-n and --warmup: 100000 at most"},
    };
    return dj_refuse_first(misuses, COUNT_OF(misuses));
}

static int make_builds(const struct dj_run_options *run, char **command,
                       struct made *made, struct dj_error *err)
{
    struct dj_batch_plan *batch = &made->plan.batch;
    bool two = run->ab_apk != NULL || run->ab_command != NULL;
    batch->build_count = two ? 2 : 1;
    batch->builds[0] = (struct dj_build_plan){
        .label = run->label != NULL ? run->label
                 : two              ? "A"
                                    : NULL,
        .version = run->version,
        .commit = run->commit,
        .apk = run->apk,
        .command = command,
    };
    if (run->ab_command != NULL &&
        dj_shell_words(run->ab_command, &made->ab_command, err) != 0) {
        dj_error_prepend(err, "--ab-cmd");
        return err->code;
    }
    if (two) {
        batch->builds[1] = (struct dj_build_plan){
            .label = "B", .apk = run->ab_apk, .command = made->ab_command};
    }
    return 0;
}

/* "NAME=VALUE" each. */
static int make_arguments(const struct dj_option_list *given, struct made *made,
                          struct dj_error *err)
{
    if (given->count > DJ_INSTRUMENT_ARGUMENTS) {
        return dj_error_set(err, DJ_E_USAGE, "--argument: %d at most",
                            DJ_INSTRUMENT_ARGUMENTS);
    }
    for (size_t i = 0; i < given->count; i++) {
        char *name = dj_xstrdup(given->values[i]);
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

static int make_flow(const struct dj_run_options *run, struct made *made,
                     struct dj_error *err)
{
    const struct {
        const char *kind, *argument;
    } drivers[] = {{"gesture", run->gesture},
                   {"instrument", run->instrument},
                   {"script", run->script}};
    struct dj_plan_flow *flow = &made->flow;
    *flow = (struct dj_plan_flow){.name = run->name,
                                  .kind = "idle",
                                  .test_class = run->test,
                                  .priority = "normal",
                                  .duration_ns = run->duration_ns};
    for (size_t i = 0; i < COUNT_OF(drivers); i++) {
        if (drivers[i].argument != NULL && flow->argument != NULL) {
            return dj_error_set(err, DJ_E_USAGE, "--%s and --%s: a run is driven by one",
                                flow->kind, drivers[i].kind);
        }
        if (drivers[i].argument != NULL) {
            flow->kind = drivers[i].kind;
            flow->argument = drivers[i].argument;
        }
    }
    if (run->arguments.count > 0) {
        flow->arguments = (const char *const *)made->arguments;
    }
    made->plan.flows = flow;
    made->plan.flow_count = 1;
    return make_arguments(&run->arguments, made, err);
}

static void make_devices(const struct dj_run_options *run, struct made *made)
{
    made->devices[0].selector = "local:";
    for (size_t i = 0; i < run->devices.count; i++) {
        made->devices[i].selector = run->devices.values[i];
    }
    made->plan.devices = made->devices;
    made->plan.device_count = run->devices.count > 0 ? run->devices.count : 1;
}

static int64_t given_or(int64_t value, int64_t otherwise)
{
    return value > 0 ? value : value == DJ_OPTION_NONE ? 0 : otherwise;
}

static int make(const struct dj_run_options *run, char **command, struct made *made,
                struct dj_error *err)
{
    struct dj_batch_plan *plan = &made->plan.batch;
    *plan = dj_batch_plan_default();
    plan->package = run->package;
    plan->activity = run->activity;
    plan->runs = run->runs > 0 ? run->runs : plan->runs;
    plan->warmups = given_or(run->warmups, plan->warmups);
    plan->retries = given_or(run->retries, plan->retries);
    plan->settle_ns = given_or(run->settle_ns, plan->settle_ns);
    plan->cool_down_ns = given_or(run->cool_down_ns, plan->cool_down_ns);
    plan->busy_pct = run->max_load > 0 ? (double)run->max_load : plan->busy_pct;
    plan->seed = (uint64_t)given_or(run->seed, (int64_t)plan->seed);
    plan->refresh_hz = run->refresh_hz;
    plan->attach = run->attach;
    plan->aggregate_only = run->aggregate_only;
    plan->profile = run->profile;
    plan->record = run->record;
    make_devices(run, made);
    int code = make_builds(run, command, made, err);
    return code == 0 ? make_flow(run, made, err) : code;
}

int dj_run_options_play(const struct dj_run_options *run, char **command)
{
    struct made made = {.ab_command = NULL};
    struct dj_error err = {0};
    int result = check_options(run, command != NULL);
    if (result != DJ_EXIT_OK) {
        return result;
    }
    result = dj_verb_end(make(run, command, &made, &err), &err);
    if (result == DJ_EXIT_OK) {
        result = dj_run_plan(&made.plan, &run->play);
    }
    finish_made(&made);
    return result;
}
