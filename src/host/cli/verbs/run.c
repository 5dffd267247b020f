#include <string.h>

#include "cli/run/play_plan.h"
#include "cli/verbs.h"
#include "drive/flows.h"
#include "output/file.h"
#include "plan/quick_plan.h"

struct run_options {
    struct dj_quick_options quick; /* for a plan without a file */
    struct dj_option_list devices, arguments;
    const char *trace; /* NULL: not given; "": the whole window */
    struct dj_play_options play;
};

#define AT(member) offsetof(struct run_options, member)
static const struct dj_option options[] = {
    {"device", 'd', DJ_OPTION_LIST, AT(devices), "D",
     "local: (the default), a serial, HOST:PORT, adb: for all; more than once"},
    {"package", 'p', DJ_OPTION_STRING, AT(quick.batch.package), "P",
     "the app's process (of CMD: the name it gets)"},
    {"activity", 0, DJ_OPTION_STRING, AT(quick.batch.activity), "A",
     "what is started of it (default: what its icon starts)"},
    {"apk", 0, DJ_OPTION_STRING, AT(quick.batch.builds[0].apk), "F",
     "install this first"},
    {"attach", 0, DJ_OPTION_FLAG, AT(quick.batch.attach), NULL,
     "the app runs already: neither start nor stop it"},
    {"gesture", 'g', DJ_OPTION_STRING, AT(quick.gesture), "G",
     "gestures or a flow: 'fling up x5', 'scroll-down times=5'; list: the flows"},
    {"instrument", 0, DJ_OPTION_STRING, AT(quick.instrument), "TESTS",
     "run the instrumentation tests PACKAGE[/RUNNER]; each is a window"},
    {"class", 0, DJ_OPTION_STRING, AT(quick.flow.test_class), "C#M",
     "of them this class or method only"},
    {"argument", 'e', DJ_OPTION_LIST, AT(arguments), "NAME=VALUE",
     "a further argument of their runner, as am instrument -e; more than once"},
    {"junit", 0, DJ_OPTION_STRING, AT(play.junit), "FILE",
     "write the tests of all runs as JUnit XML, too"},
    {"script", 0, DJ_OPTION_STRING, AT(quick.script), "F.lua",
     "a MonkeyRunner-style script"},
    {"for", 0, DJ_OPTION_DURATION, AT(quick.flow.duration_ns), "TIME",
     "length of the window (default 10s), or the driver's most (1h)"},
    {"runs", 'n', DJ_OPTION_COUNT, AT(quick.batch.runs), "N",
     "runs that count, of each build (default 10)"},
    {"warmup", 0, DJ_OPTION_NUMBER, AT(quick.batch.warmups), "N",
     "runs before that do not count (default 1)"},
    {"ab", 0, DJ_OPTION_STRING, AT(quick.batch.builds[1].apk), "APK",
     "a build B, its runs interleaved with those of --apk"},
    {"ab-cmd", 0, DJ_OPTION_STRING, AT(quick.ab_command), "'CMD'",
     "a build B as one shell-quoted command, interleaved with CMD"},
    {"seed", 0, DJ_OPTION_NUMBER, AT(quick.batch.seed), "N",
     "of the order of A and B (default 1)"},
    {"aggregate-only", 0, DJ_OPTION_FLAG, AT(quick.batch.aggregate_only), NULL,
     "counters and histograms only: nothing is read in the window"},
    {"profile", 0, DJ_OPTION_FLAG, AT(quick.batch.profile), NULL,
     "the simple per-stage dump, too (Profile GPU rendering)"},
    {"trace", 0, DJ_OPTION_FORM, AT(trace), "janky",
     "capture the system, too, as evidence of each run (janky: around such frames)"},
    {"refresh-rate", 0, DJ_OPTION_RATE, AT(quick.batch.refresh_hz), "HZ",
     "hold the display at it; of CMD: what its display has"},
    {"settle", 0, DJ_OPTION_PAUSE, AT(quick.batch.settle_ns), "TIME",
     "from the app's first frame to the window (default 1s)"},
    {"cool-down", 0, DJ_OPTION_PAUSE, AT(quick.batch.cool_down_ns), "TIME",
     "longest wait for a hot device (default 20m)"},
    {"max-load", 0, DJ_OPTION_COUNT, AT(quick.max_load), "PERCENT",
     "load of other programs that makes a run anomalous (default 80; 100: none does)"},
    {"retries", 0, DJ_OPTION_NUMBER, AT(quick.batch.retries), "K",
     "repetitions of an anomalous run (default 2; at most two starts per run in all)"},
    {"name", 0, DJ_OPTION_STRING, AT(quick.flow.name), "NAME",
     "the batch's name in the store (default: how it is driven)"},
    {"label", 0, DJ_OPTION_STRING, AT(quick.batch.builds[0].label), "L",
     "the build's name"},
    {"app-version", 0, DJ_OPTION_STRING, AT(quick.batch.builds[0].version), "V",
     "the build's version"},
    {"commit", 0, DJ_OPTION_STRING, AT(quick.batch.builds[0].commit), "C",
     "the build's commit"},
    {"store", 0, DJ_OPTION_STRING, AT(play.store), "PATH|URL",
     "where runs are kept (default $XDG_DATA_HOME/dejank/history.db)"},
    {"resume", 0, DJ_OPTION_FLAG, AT(play.resume), NULL,
     "go on with the newest batch of the same arguments"},
    {"record-replay", 0, DJ_OPTION_STRING, AT(quick.batch.record), "DIR",
     "keep what the device answers, for --device replay:DIR"},
    {"json-lines", 0, DJ_OPTION_FLAG, AT(play.json_lines), NULL,
     "events on stdout as JSON, one a line (dejank.run-events/1)"},
    {"dry-run", 0, DJ_OPTION_FLAG, AT(play.dry_run), NULL,
     "only print what would be run, how long it takes, and what the devices lack"},
    {"json", 0, DJ_OPTION_FLAG, AT(play.json), NULL,
     "with --dry-run: as JSON (dejank.plan/1)"},
};

/* Returns the first given option that a plan's file determines; NULL: none. */
static const char *find_plan_option(const struct run_options *run)
{
    static const char *const of_all[] = {"store",   "resume", "json-lines", "trace",
                                         "dry-run", "json",   "junit"};
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        bool is_of_all = false;
        for (size_t k = 0; k < COUNT_OF(of_all); k++) {
            is_of_all = is_of_all || strcmp(options[i].name, of_all[k]) == 0;
        }
        if (!is_of_all && dj_option_is_set(&options[i], run)) {
            return options[i].name;
        }
    }
    return NULL;
}

static int run_plan(const struct run_options *run, const char *file)
{
    const char *twice = find_plan_option(run);
    if (twice != NULL) {
        return dj_cli_print_usage_error(
            "--%s: the plan says it; only --store, --resume, --json-lines, "
            "--trace, --junit, --dry-run and --json go with one",
            twice);
    }
    return dj_play_plan_file(file, &run->play);
}

static int run_quick_plan(struct run_options *run, char **command)
{
    struct dj_quick_plan quick = {.ab_command = NULL};
    struct dj_error err = {0};
    run->quick.devices = run->devices.values;
    run->quick.device_count = run->devices.count;
    run->quick.arguments = run->arguments.values;
    run->quick.argument_count = run->arguments.count;
    int result =
        dj_cli_finish(dj_plan_quick_plan_init(&run->quick, command, &quick, &err), &err);
    if (result == DJ_EXIT_OK) {
        result = dj_play_plan(&quick.plan, &run->play);
    }
    dj_plan_quick_plan_finish(&quick);
    return result;
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

static int run(int argc, char **argv)
{
    struct run_options values = {.trace = NULL};
    struct dj_text flows = {0};
    struct dj_error err = {0};
    bool command = has_command(argc, argv);
    int operands = 0;
    int result = dj_options_parse(&dj_verb_run, argc, argv, &values, command, &operands);
    if (result != DJ_EXIT_OK) {
        return result;
    }
    const char *trace =
        values.trace != NULL && values.trace[0] == '\0' ? "all" : values.trace;
    if (trace != NULL && !dj_measure_trace_selection_find(trace, &values.play.trace)) {
        return dj_cli_print_usage_error(
            "--trace: expected nothing behind it, =all or =janky, got '%s'",
            values.trace);
    }
    if (values.quick.gesture != NULL && strcmp(values.quick.gesture, "list") == 0) {
        dj_drive_describe_flows(&flows);
        return dj_cli_finish_output(0, &flows, &err);
    }
    if (command && operands == 0) {
        return dj_cli_print_usage_error(
            "what shall run? usage: dejank run [options] -- CMD ARG…");
    }
    if (!command && operands == 1) {
        return run_plan(&values, argv[1]);
    }
    if (!command && operands > 1) {
        return dj_cli_print_usage_error(
            "'%s': expected one plan; a command stands behind --", argv[2]);
    }
    argv[operands + 1] = NULL;
    return run_quick_plan(&values, command ? argv + 1 : NULL);
}

const struct dj_verb dj_verb_run = {
    .name = "run",
    .synopsis = "--device D… --package P [--apk F] [options] [-- CMD ARG…] | PLAN.yaml",
    .summary = "measure an app in repeated runs, on one device or many",
    .details = "Each run starts the app anew, counts from there, and is in the store "
               "before the next begins. A run is ok, or\n"
               "no-frames, app-gone, app-crashed, not-in-gfxinfo, screen-off, "
               "overheated, device-gone,\n"
               "instrumentation-failed, drive-failed, rows-lost, interrupted: only ok "
               "ones count. One that is not ok, or\n"
               "was made under other conditions (temperature, load, frequency, power), "
               "is made again, K times at most; where\n"
               "half a batch was, the batch is, once. All are kept, with the reason. "
               "Figures of frames choose nothing.\n"
               "Before: screen on and unlocked, animations at 1x; all that is changed is "
               "put back, at the next start or by\n"
               "`dejank doctor --restore` where dejank was killed. Ctrl-C keeps the run "
               "in flight as interrupted; a second\n"
               "one leaves the devices as they are, to be put back later.\n"
               "\n"
               "CMD is started under the recorder for each run, and dies with dejank, on "
               "local: and on Linux devices behind adb\n"
               "(by the dejank in the PATH of their adbd).\n"
               "\n"
               "--trace: a capture of the system in each window (as dejank trace capture "
               "makes them) is kept with its run, as\n"
               "evidence of the kind trace; where none can be made, that is said and the "
               "run counts. The trace: of a plan says\n"
               "how. dejank show BATCH --save-traces DIR writes them to files.\n"
               "\n"
               "A line on stdout for each batch; the talk on stderr. Exit codes: 0 every "
               "planned run is clean; 3 a device\n"
               "is not there, taken by another dejank, or did not come back; 4 clean "
               "runs are missing (--resume makes\n"
               "them), or the store cannot be written.",
    DJ_OPTIONS(options, struct run_options),
    .run_argv = run,
};
