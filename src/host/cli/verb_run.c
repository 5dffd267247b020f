#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output_file.h"
#include "cli/run_batch.h"
#include "cli/run_drivers.h"
#include "cli/run_junit.h"
#include "cli/run_plan.h"
#include "cli/shell_words.h"
#include "cli/verbs.h"
#include "device/program.h"
#include "drive/flows.h"

#define WINDOW_NS (10 * DJ_SECOND_NS)
#define DRIVEN_NS                                                                        \
    (3600 * DJ_SECOND_NS) /* a driver that ends the window takes no longer */

struct run {
    struct dj_option_list devices, arguments;
    const char *package, *activity, *apk, *name;
    const char *version, *commit, *label;
    bool no_install, attach;
    struct dj_driver_words drive;
    int64_t duration_ns, runs, warmups, retries, seed, max_load;
    int64_t settle_ns, cool_down_ns;
    bool no_warmup, no_retries;
    const char *ab_apk, *ab_command;
    const char *record;
    const char *trace; /* NULL: none; "": all of the window */
    bool aggregate_only, profile, resume, json_lines, dry_run, json;
    double refresh_hz;
    const char *store, *junit;
};

static const struct dj_option options[] = {
    {"device", 'd', DJ_OPTION_LIST, offsetof(struct run, devices), "D",
     "local: (the default), a serial, HOST:PORT, adb: for all; more than once"},
    {"package", 'p', DJ_OPTION_STRING, offsetof(struct run, package), "P",
     "the app's process (of CMD: the name it gets)"},
    {"activity", 0, DJ_OPTION_STRING, offsetof(struct run, activity), "A",
     "what is started of it (default: what its icon starts)"},
    {"apk", 0, DJ_OPTION_STRING, offsetof(struct run, apk), "F", "install this first"},
    {"no-install", 0, DJ_OPTION_FLAG, offsetof(struct run, no_install), NULL,
     "measure what is installed (the default without --apk)"},
    {"attach", 0, DJ_OPTION_FLAG, offsetof(struct run, attach), NULL,
     "the app runs already: neither start nor stop it"},
    {"gesture", 'g', DJ_OPTION_STRING, offsetof(struct run, drive.gesture), "G",
     "gestures or a flow: 'fling up x5', 'scroll-down times=5'; list: the flows"},
    {"instrument", 0, DJ_OPTION_STRING, offsetof(struct run, drive.instrument), "TESTS",
     "run the instrumentation tests PACKAGE[/RUNNER]; each is a window"},
    {"class", 0, DJ_OPTION_STRING, offsetof(struct run, drive.test), "C#M",
     "of them this class or method only"},
    {"argument", 'e', DJ_OPTION_LIST, offsetof(struct run, arguments), "NAME=VALUE",
     "a further argument of their runner, as am instrument -e; more than once"},
    {"junit", 0, DJ_OPTION_STRING, offsetof(struct run, junit), "FILE",
     "write the tests of all runs as JUnit XML, too"},
    {"script", 0, DJ_OPTION_STRING, offsetof(struct run, drive.script), "F.lua",
     "a MonkeyRunner-style script"},
    {"idle", 0, DJ_OPTION_FLAG, offsetof(struct run, drive.idle), NULL,
     "do nothing with it (the default)"},
    {"for", 0, DJ_OPTION_DURATION, offsetof(struct run, duration_ns), "TIME",
     "length of the window (default 10s), or the driver's most (1h)"},
    {"runs", 'n', DJ_OPTION_COUNT, offsetof(struct run, runs), "N",
     "runs that count, of each build (default 10)"},
    {"warmup", 0, DJ_OPTION_NUMBER, offsetof(struct run, warmups), "N",
     "runs before that do not count (default 1)"},
    {"no-warmup", 0, DJ_OPTION_FLAG, offsetof(struct run, no_warmup), NULL, "none"},
    {"ab", 0, DJ_OPTION_STRING, offsetof(struct run, ab_apk), "APK",
     "a build B, its runs interleaved with those of --apk"},
    {"ab-cmd", 0, DJ_OPTION_STRING, offsetof(struct run, ab_command), "'CMD'",
     "a build B as one shell-quoted command, interleaved with CMD"},
    {"seed", 0, DJ_OPTION_NUMBER, offsetof(struct run, seed), "N",
     "of the order of A and B (default 1)"},
    {"aggregate-only", 0, DJ_OPTION_FLAG, offsetof(struct run, aggregate_only), NULL,
     "counters and histograms only: nothing is read in the window"},
    {"profile", 0, DJ_OPTION_FLAG, offsetof(struct run, profile), NULL,
     "the simple per-stage dump, too (Profile GPU rendering)"},
    {"trace", 0, DJ_OPTION_FORM, offsetof(struct run, trace), "janky",
     "capture the system, too, as evidence of each run (janky: around such frames)"},
    {"refresh-rate", 0, DJ_OPTION_RATE, offsetof(struct run, refresh_hz), "HZ",
     "hold the display at it; of CMD: what its display has"},
    {"settle", 0, DJ_OPTION_PAUSE, offsetof(struct run, settle_ns), "TIME",
     "from the app's first frame to the window (default 1s)"},
    {"cool-down", 0, DJ_OPTION_PAUSE, offsetof(struct run, cool_down_ns), "TIME",
     "longest wait for a hot device (default 20m)"},
    {"max-load", 0, DJ_OPTION_COUNT, offsetof(struct run, max_load), "PERCENT",
     "other load from which a run is anomalous (default 80)"},
    {"retries", 0, DJ_OPTION_NUMBER, offsetof(struct run, retries), "K",
     "repetitions of an anomalous run (default 2)"},
    {"no-retries", 0, DJ_OPTION_FLAG, offsetof(struct run, no_retries), NULL, "none"},
    {"name", 0, DJ_OPTION_STRING, offsetof(struct run, name), "NAME",
     "the batch's name in the store (default: how it is driven)"},
    {"label", 0, DJ_OPTION_STRING, offsetof(struct run, label), "L", "the build's name"},
    {"app-version", 0, DJ_OPTION_STRING, offsetof(struct run, version), "V",
     "the build's version"},
    {"commit", 0, DJ_OPTION_STRING, offsetof(struct run, commit), "C",
     "the build's commit"},
    {"store", 0, DJ_OPTION_STRING, offsetof(struct run, store), "PATH|URL",
     "where runs are kept (default $XDG_DATA_HOME/dejank/history.db)"},
    {"resume", 0, DJ_OPTION_FLAG, offsetof(struct run, resume), NULL,
     "go on with the newest batch of the same arguments"},
    {"record-replay", 0, DJ_OPTION_STRING, offsetof(struct run, record), "DIR",
     "keep what the device answers, for --device replay:DIR"},
    {"json-lines", 0, DJ_OPTION_FLAG, offsetof(struct run, json_lines), NULL,
     "events on stdout as JSON, one a line (dejank.run-events/1)"},
    {"dry-run", 0, DJ_OPTION_FLAG, offsetof(struct run, dry_run), NULL,
     "of PLAN.yaml: say what would be run, how long, and what the devices lack"},
    {"json", 0, DJ_OPTION_FLAG, offsetof(struct run, json), NULL,
     "with --dry-run: as JSON (dejank.plan/1)"},
};

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
static const char *contradiction(const struct run *run, bool command)
{
    const struct {
        bool holds;
        const char *says;
    } rules[] = {
        {!command && run->package == NULL,
         "expected --package P, or -- CMD ARG… (see dejank run --help)"},
        {run->apk != NULL && run->no_install,
         "--apk and --no-install exclude each other"},
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
static bool is_here(const struct run *run)
{
    bool here = run->devices.count == 0;
    for (size_t i = 0; i < run->devices.count; i++) {
        here = here || strcmp(run->devices.values[i], "local:") == 0;
    }
    return here;
}

/* A program that is not there is said before anything is begun. */
static int check_command(char *const *command, const struct run *run, struct made *made,
                         struct dj_error *err)
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

static int make_builds(const struct run *run, char **command, struct made *made,
                       struct dj_error *err)
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

static int make_driver(const struct run *run, struct made *made, struct dj_error *err)
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

static int make_devices(const struct run *run, struct made *made, struct dj_error *err)
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

static enum dj_trace_wish trace_wish(const struct run *run)
{
    return run->trace == NULL      ? DJ_TRACE_NONE
           : run->trace[0] == '\0' ? DJ_TRACE_ALL
                                   : DJ_TRACE_JANKY;
}

static int make(const struct run *run, char **command, struct made *made,
                struct dj_error *err)
{
    struct dj_batch_plan *plan = &made->plan;
    *plan = dj_batch_plan_default();
    plan->package = run->package;
    plan->activity = run->activity;
    plan->runs = run->runs > 0 ? run->runs : plan->runs;
    plan->warmups = run->no_warmup ? 0 : told(run->warmups, plan->warmups);
    plan->retries = run->no_retries ? 0 : told(run->retries, plan->retries);
    plan->settle_ns = told(run->settle_ns, plan->settle_ns);
    plan->cool_down_ns = told(run->cool_down_ns, plan->cool_down_ns);
    plan->busy_pct = run->max_load > 0 ? (double)run->max_load : plan->busy_pct;
    plan->seed = (uint64_t)told(run->seed, (int64_t)plan->seed);
    plan->refresh_hz = run->refresh_hz;
    plan->attach = run->attach;
    plan->aggregate_only = run->aggregate_only;
    plan->profile = run->profile;
    plan->trace.what = trace_wish(run);
    plan->resume = run->resume;
    plan->record = run->record;
    int code = make_builds(run, command, made, err);
    code = code == 0 ? make_driver(run, made, err) : code;
    return code == 0 ? make_devices(run, made, err) : code;
}

static int run_options(const struct run *run, char **command)
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

/* What a plan says, options may not: the first that does, NULL: none. */
static const char *said_twice(const struct run *run)
{
    static const char *const of_all[] = {"store", "resume", "json-lines", "dry-run",
                                         "json",  "junit",  "trace"};
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        bool is_of_all = false;
        for (size_t k = 0; k < sizeof(of_all) / sizeof(of_all[0]); k++) {
            is_of_all = is_of_all || strcmp(options[i].name, of_all[k]) == 0;
        }
        if (!is_of_all && dj_option_is_set(&options[i], run)) {
            return options[i].name;
        }
    }
    return NULL;
}

static int run_plan(const struct run *run, const char *file)
{
    const char *twice = said_twice(run);
    if (twice != NULL) {
        dj_complain("run",
                    "--%s: the plan says it; only --store, --resume, --json-lines, "
                    "--trace, --junit, --dry-run and --json go with one",
                    twice);
        return DJ_EXIT_USAGE;
    }
    return dj_run_plan(&(struct dj_plan_run){.file = file,
                                             .store = run->store,
                                             .junit = run->junit,
                                             .resume = run->resume,
                                             .trace = trace_wish(run),
                                             .json_lines = run->json_lines,
                                             .dry_run = run->dry_run,
                                             .json = run->json});
}

static bool has_command(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            return true;
        }
    }
    return false;
}

static int list_flows(void)
{
    struct dj_text table = {0};
    struct dj_error err = {0};
    dj_flow_describe(&table);
    int code = dj_output_print(&table, &err);
    if (code != 0) {
        dj_complain("run", "%s", err.message);
    }
    dj_text_finish(&table);
    return (int)dj_exit_for(code);
}

static int run(int argc, char **argv)
{
    struct run values = {.duration_ns = 0};
    bool command = has_command(argc, argv);
    int operands = 0;
    int result = dj_options_parse(&dj_verb_run, argc, argv, &values, command, &operands);
    if (result != DJ_EXIT_OK) {
        return result < 0 ? DJ_EXIT_OK : result;
    }
    if (values.trace != NULL && values.trace[0] != '\0' &&
        strcmp(values.trace, "janky") != 0) {
        dj_complain("run", "--trace: expected nothing behind it, or =janky, got '%s'",
                    values.trace);
        return DJ_EXIT_USAGE;
    }
    if (values.drive.gesture != NULL && strcmp(values.drive.gesture, "list") == 0) {
        return list_flows();
    }
    if (command && operands == 0) {
        dj_complain("run", "what shall run? usage: dejank run [options] -- CMD ARG…");
        return DJ_EXIT_USAGE;
    }
    if (!command && operands == 1) {
        return run_plan(&values, argv[1]);
    }
    if (!command && operands > 1) {
        dj_complain("run", "'%s': expected one plan; a command stands behind --",
                    argv[2]);
        return DJ_EXIT_USAGE;
    }
    argv[operands + 1] = NULL;
    return run_options(&values, command ? argv + 1 : NULL);
}

const struct dj_verb dj_verb_run = {
    .name = "run",
    .synopsis = "--device D… --package P [--apk F] [options] [-- CMD ARG…] | PLAN.yaml",
    .summary = "measure an app in repeated runs, on one device or many",
    .details =
        "Each run starts the app anew, counts from there, and is in the store before the "
        "next begins. A run is ok, or\n"
        "no-frames, app-gone, app-crashed, not-in-gfxinfo, screen-off, overheated, "
        "device-gone,\n"
        "instrumentation-failed, drive-failed, rows-lost, interrupted: only ok ones "
        "count. One that is not ok, or\n"
        "was made under other conditions (temperature, load, frequency, power), is made "
        "again, K times at most; where\n"
        "half a batch was, the batch is, once. All are kept, with the reason. Figures of "
        "frames choose nothing.\n"
        "Before: screen on and unlocked, animations at 1x; all that is changed is put "
        "back, at the next start or by\n"
        "`dejank doctor --restore` where dejank was killed. Ctrl-C keeps the run in "
        "flight as interrupted; a second\n"
        "one leaves the devices as they are, to be put back later.\n"
        "\n"
        "CMD is started under the recorder for each run, and dies with dejank, on local: "
        "and on "
        "Linux devices behind adb\n"
        "(by the dejank in the PATH of their adbd).\n"
        "\n"
        "--trace: a capture of the system in each window (as dejank trace capture makes "
        "them) is kept with its run, as\n"
        "evidence of the kind trace; where none can be made, that is said and the run "
        "counts. dejank show BATCH\n"
        "--save-traces DIR writes them to files.\n"
        "\n"
        "A line on stdout for each batch; the talk on stderr. Exit codes: 0 every "
        "planned "
        "run is clean; 3 a device\n"
        "is not there, taken by another dejank, or did not come back; 4 clean runs are "
        "missing (--resume makes\n"
        "them), or the store cannot be written.",
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
