#include "cli/run_options.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/output_file.h"
#include "cli/run_batch.h"
#include "cli/run_junit.h"
#include "cli/shell_words.h"
#include "device/program.h"

#define WINDOW_NS (10 * DJ_SECOND_NS)
#define DRIVEN_NS                                                                        \
    (3600 * DJ_SECOND_NS) /* a driver that ends the window takes no longer */

/* What a plan is made of, and owns. */
struct made {
    struct dj_batch_plan plan;
    struct dj_flow_plan flow;
    struct dj_driver_choice driver;
    char **devices;
    char **ab_command, **arguments;
    char package[256];
    struct dj_run_junit junit;
};

static void finish_made(struct made *made)
{
    dj_run_junit_finish(&made->junit);
    dj_run_devices_free(made->devices, made->plan.device_count);
    dj_shell_words_free(made->ab_command);
    dj_driver_arguments_free(made->arguments);
}

/* What cannot go together. NULL: nothing. */
static const char *contradiction(const struct dj_run_options *run, bool command)
{
    const struct {
        bool holds;
        const char *says;
    } rules[] = {
        {!command && run->package == NULL,
         "expected --package P, or -- CMD ARG… (see dejank run --help)"},
        {command && (run->apk != NULL || run->ab_apk != NULL),
         "--apk and --ab are of Android apps; of CMD there is --ab-cmd"},
        {command && run->attach, "--attach: CMD is started by dejank"},
        {run->drive.test != NULL && run->drive.instrument == NULL,
         "--class is of --instrument"},
        {run->arguments.count > 0 && run->drive.instrument == NULL,
         "--argument is of --instrument"},
        {run->junit != NULL && run->drive.instrument == NULL,
         "--junit is of --instrument"},
        {run->ab_apk != NULL && run->apk == NULL, "--ab needs the build A: --apk F"},
        {run->ab_command != NULL && !command, "--ab-cmd needs the build A: -- CMD ARG…"},
        {run->attach && (run->apk != NULL || run->ab_apk != NULL),
         "--attach: what runs already is not installed"},
        {run->record != NULL && run->devices.count > 1,
         "--record-replay keeps the answers of one device: one --device"},
        {run->runs > DJ_BATCH_RUNS_MAX || run->warmups > DJ_BATCH_RUNS_MAX,
         "-n and --warmup: 100000 at most"},
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].holds) {
            return rules[i].says;
        }
    }
    return NULL;
}

/* Whether a program of this machine is meant: of others nothing can be looked up here. */
static bool is_here(const struct dj_run_options *run)
{
    bool here = run->devices.count == 0;
    for (size_t i = 0; i < run->devices.count; i++) {
        here = here || strcmp(run->devices.values[i], "local:") == 0;
    }
    return here;
}

/* A program that is not there is said before anything is begun. */
static int check_command(char *const *command, const struct dj_run_options *run,
                         struct made *made, struct dj_error *err)
{
    char path[PATH_MAX];
    if (!is_here(run)) {
        const char *slash = strrchr(command[0], '/');
        made->plan.package = run->package != NULL ? run->package
                             : slash != NULL      ? slash + 1
                                                  : command[0];
        return 0;
    }
    int code = dj_program_find(command[0], path, err);
    if (code == DJ_E_NOT_FOUND) {
        code = err->code = DJ_E_USAGE; /* no device is missing */
    }
    if (code == 0 && made->plan.package == NULL) {
        dj_program_default_name(path, made->package, sizeof(made->package));
        made->plan.package = run->package != NULL ? run->package : made->package;
    }
    const char *obstacle = code == 0 ? dj_program_obstacle(path) : NULL;
    return obstacle != NULL ? dj_error_set(err, DJ_E_NO_DATA, "%s cannot be recorded: %s",
                                           command[0], obstacle)
                            : code;
}

/* What is to be installed lies here; no device is needed to see that it does not. */
static int check_file(const char *path, struct dj_error *err)
{
    return path == NULL || access(path, R_OK) == 0
               ? 0
               : dj_error_set(err, DJ_E_USAGE, "cannot read %s: %s", path,
                              strerror(errno));
}

static int make_builds(const struct dj_run_options *run, char **command,
                       struct made *made, struct dj_error *err)
{
    struct dj_batch_plan *plan = &made->plan;
    bool two = run->ab_apk != NULL || run->ab_command != NULL;
    int code = check_file(run->apk, err);
    code = code == 0 ? check_file(run->ab_apk, err) : code;
    if (code != 0) {
        return code;
    }
    plan->build_count = two ? 2 : 1;
    plan->builds[0] = (struct dj_build_plan){
        .label = run->label != NULL ? run->label
                 : two              ? "A"
                                    : NULL,
        .version = run->version,
        .commit = run->commit,
        .apk = run->apk,
        .command = command,
    };
    if (command != NULL) {
        code = check_command(command, run, made, err);
    }
    if (code == 0 && run->ab_command != NULL) {
        code = dj_shell_words(run->ab_command, &made->ab_command, err);
        if (code != 0) {
            dj_error_prepend(err, "--ab-cmd");
            return code;
        }
        code = check_command(made->ab_command, run, made, err);
    }
    if (two) {
        plan->builds[1] = (struct dj_build_plan){
            .label = "B", .apk = run->ab_apk, .command = made->ab_command};
    }
    return code;
}

static int make_driver(const struct dj_run_options *run, struct made *made,
                       struct dj_error *err)
{
    struct dj_driver_words words = run->drive;
    words.package = made->plan.package;
    words.activity = run->activity;
    int code = 0;
    if (run->arguments.count > 0) {
        code = dj_driver_arguments(run->arguments.values, run->arguments.count,
                                   &made->arguments, err);
        words.arguments = (const char *const *)made->arguments;
    }
    code = code == 0 ? dj_driver_choose(&words, &made->driver, err) : code;
    if (run->junit != NULL) {
        made->driver.instrument.done = dj_run_junit_take;
        made->driver.instrument.user = &made->junit;
    }
    made->flow = (struct dj_flow_plan){
        .name = run->name != NULL ? run->name : made->driver.name,
        .maker = &made->driver.maker,
        .duration_ns = run->duration_ns > 0       ? run->duration_ns
                       : made->driver.ends_window ? DRIVEN_NS
                                                  : WINDOW_NS,
    };
    made->plan.flows = &made->flow;
    made->plan.flow_count = 1;
    return code;
}

static int make_devices(const struct dj_run_options *run, struct made *made,
                        struct dj_error *err)
{
    static const char *const usual[] = {"local:"};
    bool told = run->devices.count > 0;
    int code =
        dj_run_devices(told ? run->devices.values : usual, told ? run->devices.count : 1,
                       &made->devices, &made->plan.device_count, err);
    made->plan.devices = (const char *const *)made->devices;
    for (size_t i = 0; code == 0 && i < made->plan.device_count; i++) {
        if (made->plan.builds[0].command != NULL &&
            strncmp(made->devices[i], "replay:", 7) == 0) {
            code = dj_error_set(err, DJ_E_USAGE,
                                "-- CMD: a recorded device starts nothing, as %s would "
                                "have to",
                                made->devices[i]);
        }
    }
    return code;
}

static int64_t told(int64_t value, int64_t otherwise)
{
    return value > 0 ? value : value == DJ_OPTION_NONE ? 0 : otherwise;
}

static int make(const struct dj_run_options *run, char **command, struct made *made,
                struct dj_error *err)
{
    struct dj_batch_plan *plan = &made->plan;
    *plan = dj_batch_plan_default();
    plan->package = run->package;
    plan->activity = run->activity;
    plan->runs = run->runs > 0 ? run->runs : plan->runs;
    plan->warmups = told(run->warmups, plan->warmups);
    plan->retries = told(run->retries, plan->retries);
    plan->settle_ns = told(run->settle_ns, plan->settle_ns);
    plan->cool_down_ns = told(run->cool_down_ns, plan->cool_down_ns);
    plan->busy_pct = run->max_load > 0 ? (double)run->max_load : plan->busy_pct;
    plan->seed = (uint64_t)told(run->seed, (int64_t)plan->seed);
    plan->refresh_hz = run->refresh_hz;
    plan->attach = run->attach;
    plan->aggregate_only = run->aggregate_only;
    plan->profile = run->profile;
    plan->resume = run->resume;
    plan->record = run->record;
    plan->trace.what = run->trace_wish;
    int code = make_builds(run, command, made, err);
    code = code == 0 ? make_driver(run, made, err) : code;
    return code == 0 ? make_devices(run, made, err) : code;
}

int dj_run_options_play(const struct dj_run_options *run, char **command)
{
    struct made made = {.ab_command = NULL};
    struct dj_error err = {0};
    const char *wrong = contradiction(run, command != NULL);
    if (wrong != NULL) {
        dj_complain("run", "%s", wrong);
        return DJ_EXIT_USAGE;
    }
    const struct dj_run_show show = {.store = run->store, .json_lines = run->json_lines};
    dj_run_junit_init(&made.junit);
    int code = run->junit != NULL ? dj_output_check(run->junit, &err) : 0;
    code = code == 0 ? make(run, command, &made, &err) : code;
    int result = code == 0 ? dj_run_batch(&made.plan, 1, &show) : (int)dj_exit_for(code);
    if (code == 0 && run->junit != NULL) {
        code = dj_run_junit_write(&made.junit, run->junit, &err);
        result = code == 0 ? result : (int)dj_exit_for(code);
    }
    if (code != 0) {
        dj_complain("run", "%s", err.message);
    }
    finish_made(&made);
    return result;
}
