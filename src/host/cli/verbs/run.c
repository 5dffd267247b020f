#include <string.h>

#include "cli/parser.h"
#include "cli/run/play_plan.h"
#include "cli/verbs.h"
#include "drive/flows.h"
#include "output/file.h"
#include "plan/quick_plan.h"

struct run_options {
    struct dj_quick_options quick; /* Options of a plan without a file. */
    struct dj_option_list devices, arguments;
    /* Value of --trace. NULL without the option, "" for the whole window. */
    const char *trace;
    struct dj_play_options play;
};

#define AT(member) offsetof(struct run_options, member)
static const struct dj_option options[] = {
    {"device", 'd', DJ_OPTION_LIST, AT(devices), "DEVICE",
     "device to measure: this machine (local:), all devices of adb (adb:), a serial or "
     "HOST:PORT; repeatable (default: local:)"},
    {"package", 'p', DJ_OPTION_STRING, AT(quick.batch.package), "NAME",
     "process of the app; with CMD: name under which CMD is recorded"},
    {"activity", 0, DJ_OPTION_STRING, AT(quick.batch.activity), "ACTIVITY",
     "activity to start (default: the one that the app's icon starts)"},
    {"apk", 0, DJ_OPTION_STRING, AT(quick.batch.builds[0].apk), "FILE.apk",
     "install this build first"},
    {"attach", 0, DJ_OPTION_FLAG, AT(quick.batch.attach), NULL,
     "measure an app that already runs; do not start or stop the app"},
    {"gesture", 'g', DJ_OPTION_STRING, AT(quick.gesture), "GESTURES",
     "gestures or a named flow, such as 'fling up x5' or 'scroll-down times=5'; "
     "'--gesture list' prints all flows"},
    {"instrument", 0, DJ_OPTION_STRING, AT(quick.instrument), "TESTS",
     "run the Android instrumentation tests PACKAGE[/RUNNER]; measure each test"},
    {"class", 0, DJ_OPTION_STRING, AT(quick.flow.test_class), "CLASS[#METHOD]",
     "with --instrument: run only this class or method"},
    {"argument", 'e', DJ_OPTION_LIST, AT(arguments), "NAME=VALUE",
     "with --instrument: argument for the tests, as 'am instrument -e'; repeatable"},
    {"junit", 0, DJ_OPTION_STRING, AT(play.junit), "FILE",
     "with --instrument: write the tests of all runs as JUnit XML"},
    {"script", 0, DJ_OPTION_STRING, AT(quick.script), "FILE.lua",
     "drive the app with a MonkeyRunner-style script"},
    {"for", 0, DJ_OPTION_DURATION, AT(quick.flow.duration_ns), "TIME",
     "how long each run measures (default: 10s); with gestures, tests or a script: their "
     "time limit (default: 1h)"},
    {"runs", 'n', DJ_OPTION_COUNT, AT(quick.batch.runs), "N",
     "number of runs of each build (default: 10)"},
    {"warmup", 0, DJ_OPTION_NUMBER, AT(quick.batch.warmups), "N",
     "number of warm-up runs, which do not count (default: 1)"},
    {"ab", 0, DJ_OPTION_STRING, AT(quick.batch.builds[1].apk), "FILE.apk",
     "second build, B; the runs of --apk and --ab alternate"},
    {"seed", 0, DJ_OPTION_NUMBER, AT(quick.batch.seed), "N",
     "seed for the order of A and B (default: 1)"},
    {"aggregate-only", 0, DJ_OPTION_FLAG, AT(quick.batch.aggregate_only), NULL,
     "read only counters and histograms, before and after the measurement"},
    {"source", 0, DJ_OPTION_CHOICE, AT(quick.batch.frame_source), "gfxinfo|surface|auto",
     "source of the frames on Android (default: auto, which is gfxinfo if it has the "
     "app, otherwise SurfaceFlinger)"},
    {"profile", 0, DJ_OPTION_FLAG, AT(quick.batch.profile), NULL,
     "also collect the table of stage times (Android's Profile GPU rendering)"},
    {"trace", 0, DJ_OPTION_FORM_CHOICE, AT(trace), "all|janky",
     "capture a system trace of each run, or only the time around janky frames (janky)"},
    {"refresh-rate", 0, DJ_OPTION_RATE, AT(quick.batch.refresh_hz), "HZ",
     "set the display to this refresh rate; with CMD: assume this refresh rate"},
    {"settle", 0, DJ_OPTION_PAUSE, AT(quick.batch.settle_ns), "TIME",
     "wait between the app's first frame and the measurement (default: 1s)"},
    {"cool-down", 0, DJ_OPTION_PAUSE, AT(quick.batch.cool_down_ns), "TIME",
     "maximum wait for a hot device to cool down (default: 20m)"},
    {"max-load", 0, DJ_OPTION_COUNT, AT(quick.max_load), "PERCENT",
     "CPU load of other programs that makes dejank repeat a run (default: 80; 100: "
     "never)"},
    {"retries", 0, DJ_OPTION_NUMBER, AT(quick.batch.retries), "N",
     "how often dejank repeats a failed or disturbed run (default: 2)"},
    {"name", 0, DJ_OPTION_STRING, AT(quick.flow.name), "NAME",
     "name of the batch in the store (default: the gesture, tests or script)"},
    {"label", 0, DJ_OPTION_STRING, AT(quick.batch.builds[0].label), "LABEL",
     "name of the build"},
    {"app-version", 0, DJ_OPTION_STRING, AT(quick.batch.builds[0].version), "VERSION",
     "version of the build"},
    {"commit", 0, DJ_OPTION_STRING, AT(quick.batch.builds[0].commit), "COMMIT",
     "commit of the build"},
    {"store", 0, DJ_OPTION_STRING, AT(play.store), "FILE|URL",
     "store for the runs (default: $XDG_DATA_HOME/dejank/history.db)"},
    {"resume", 0, DJ_OPTION_FLAG, AT(play.resume), NULL,
     "continue the newest batch that was started with the same arguments"},
    {"record-replay", 0, DJ_OPTION_STRING, AT(quick.batch.record), "DIR",
     "also save the device's answers in DIR; '--device replay:DIR' replays them"},
    {"json-lines", 0, DJ_OPTION_FLAG, AT(play.json_lines), NULL,
     "print events on stdout as JSON, one per line (dejank.run-events/1)"},
    {"dry-run", 0, DJ_OPTION_FLAG, AT(play.dry_run), NULL,
     "measure nothing; print the planned runs, their duration, and missing devices"},
    {"json", 0, DJ_OPTION_FLAG, AT(play.json), NULL,
     "with --dry-run: print JSON (dejank.plan/1)"},
};

static const struct dj_option_group groups[] = {
    {"device", "Device and app"},   {"gesture", "How the app is driven"},
    {"runs", "Runs and builds"},    {"aggregate-only", "What is measured"},
    {"refresh-rate", "Conditions"}, {"name", "Names and store"},
    {"json-lines", "Output"},
};

/* Returns the first given option that a plan's file determines, or NULL. */
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
            "--%s cannot be used with a plan, because the plan sets this; with a plan, "
            "use only --store, --resume, --json-lines, --trace, --junit, --dry-run and "
            "--json",
            twice);
    }
    return dj_play_plan_file(file, &run->play);
}

static int run_quick_plan(struct run_options *run, char **command)
{
    struct dj_quick_plan quick = {.devices = NULL};
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
    if (trace != NULL) {
        dj_measure_trace_selection_find(trace, &values.play.trace);
    }
    if (values.quick.gesture != NULL && strcmp(values.quick.gesture, "list") == 0) {
        dj_drive_describe_flows(&flows);
        return dj_cli_finish_output(0, &flows, &err);
    }
    if (command && operands == 0) {
        return dj_cli_report_missing("CMD");
    }
    if (!command && operands == 1) {
        return run_plan(&values, argv[1]);
    }
    if (!command && operands > 1) {
        return dj_cli_print_usage_error(
            "unexpected operand '%s': expected one plan, or -- before a command",
            argv[2]);
    }
    argv[operands + 1] = NULL;
    return run_quick_plan(&values, command ? argv + 1 : NULL);
}

static const struct dj_example examples[] = {
    {"Measure ten runs of five flings in an Android app",
     "dejank run -d adb: -p com.example.app -g 'fling up x5' --label before"},
    {"Compare two builds in alternating runs",
     "dejank run -d adb: -p com.example.app --apk a.apk --ab b.apk -n 15"},
    {"Measure a Linux program", "dejank run -p gears --for 5s -- glxgears"},
    {"Print what a plan would run, and run it",
     "dejank run --dry-run plan.yaml && dejank run plan.yaml"},
};

const struct dj_verb dj_verb_run = {
    .name = "run",
    .synopsis = "--package NAME [OPTION]…\n"
                "[OPTION]… -- CMD [ARG]…\n"
                "[--resume] [--dry-run] [--trace[=janky]] [--store STORE] PLAN.yaml",
    .summary = "measure an app in repeated runs, on one device or many",
    .description =
        "A batch is the set of runs of one flow on one device with one build. Each run "
        "starts the app, measures its frames for a time (the window), and stores the "
        "result. A run counts if its outcome is ok. Other outcomes are: no frames, app "
        "gone, app crashed, not in gfxinfo, screen off, overheated, device gone, "
        "instrumentation failed, drive failed, rows lost, interrupted.\n"
        "dejank repeats a run that failed, up to --retries times. dejank also repeats a "
        "run if temperature, CPU load, CPU frequency or power supply differed from the "
        "other runs. If half of the runs differed, dejank repeats the whole batch once. "
        "The store keeps all runs, with the reason. dejank never repeats or excludes a "
        "run because of its frame times.\n"
        "Before the runs, dejank turns the screen on, unlocks it and sets animations to "
        "1x. Afterwards dejank restores all settings. If dejank was killed, the next run "
        "or 'dejank doctor --restore' restores the settings. Ctrl-C stores the current "
        "run as interrupted. A second Ctrl-C ends dejank but restores no settings.\n"
        "dejank starts CMD with its recorder, on this machine (local:) or on a Linux "
        "device that is connected with adb and has dejank in its PATH. dejank ends CMD, "
        "too.\n"
        "With --trace, dejank stores a system trace with each run, as 'dejank trace "
        "capture' writes it. A run counts even if dejank cannot capture its trace. The "
        "key 'trace:' of a plan has more settings. 'dejank show BATCH --save-traces DIR' "
        "writes the traces to files.\n"
        "Prints a summary with a row for each batch on stdout, and progress on stderr. A "
        "plan is a YAML file with all flows, devices, builds and objectives. "
        "docs/format/plan.md has an example and describes all keys.\n",
    .exit_codes =
        "0\tall planned runs count\n"
        "3\ta device is not connected, was disconnected, or is in use by another dejank\n"
        "4\tfewer runs count than planned (see --resume), or the store cannot be "
        "written\n",
    DJ_EXAMPLES(examples),
    .operands = {"FILE", 0, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct run_options),
    DJ_GROUPS(groups),
    .run_argv = run,
};
