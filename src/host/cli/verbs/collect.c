#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "cli/verbs.h"
#include "device/quote.h"
#include "measure/collect.h"
#include "memory/memory.h"
#include "output/file.h"
#include "process/deadline.h"

struct collect {
    struct dj_collect_options wanted;
    const char *device, *output, *record;
};

#define AT(member) offsetof(struct collect, member)
static const struct dj_option options[] = {
    {"device", 'd', DJ_OPTION_STRING, AT(device), "DEVICE",
     "device: this machine (local:), the only device of adb (adb:), a serial or "
     "HOST:PORT (default: local:)"},
    {"package", 'p', DJ_OPTION_STRING, AT(wanted.package), "NAME",
     "process name or pid, as in 'dumpsys gfxinfo NAME' (required)"},
    {"for", 0, DJ_OPTION_DURATION, AT(wanted.duration_ns), "TIME",
     "how long to collect frames (default: 10s)"},
    {"every", 0, DJ_OPTION_DURATION, AT(wanted.every_ns), "TIME",
     "read and reset the counters at this interval, such as 1.5s, as Android's guide "
     "does (default: never reset)"},
    {"source", 0, DJ_OPTION_CHOICE, AT(wanted.source), "gfxinfo|surface|auto",
     "source of the frames on Android (default: auto, which is gfxinfo if it has the "
     "app, otherwise SurfaceFlinger)"},
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "write the dump to FILE (default: standard output)"},
    {"record-replay", 0, DJ_OPTION_STRING, AT(record), "DIR",
     "also save the device's answers in DIR; '--device replay:DIR' replays them"},
};

static void show_progress(void *user, const struct dj_collect_progress *progress)
{
    char what[32];
    snprintf(what, sizeof(what), "%zu frames", progress->rows);
    dj_progress_show(user, progress->elapsed_ns, progress->duration_ns, what);
}

static void show_event(void *user, const char *message)
{
    dj_progress_clear(user);
    dj_cli_print_event("%s", message);
}

/* Describes how the figures were measured, for readers who want to judge them. */
static void print_readings(const struct dj_collection *collection)
{
    const struct dj_recovery *recovery = &collection->recovery;
    dj_cli_print_message(
        "dejank read the frames %zu times, in %.1f ms each (longest %.1f ms); %zu frames "
        "were drawn during a reading",
        collection->readings,
        dj_units_ms(collection->cost_ns) /
            (double)(collection->readings > 0 ? collection->readings : 1),
        dj_units_ms(collection->cost_max_ns), collection->overlapped);
    if (collection->failed_readings > 0) {
        dj_cli_print_message("%zu readings failed", collection->failed_readings);
    }
    if (recovery->skipped > 0) {
        dj_cli_print_message("%" PRId64
                             " rows drew nothing (SkippedFrame) and are not counted",
                             recovery->skipped);
    }
    if (recovery->incomplete > 0) {
        dj_cli_print_message("%" PRId64 " frames had not completed by the last reading",
                             recovery->incomplete);
    }
    if (collection->foreign_resets > 0) {
        dj_cli_print_message(
            "another program reset the counters %zu times: frames between the "
            "previous reading and each reset are not counted",
            collection->foreign_resets);
    }
    if (collection->blind_ns > 0) {
        dj_cli_print_message(
            "%zu resets: frames between a reading and its reset, up to %.0f ms in total, "
            "are not counted",
            collection->resets, dj_units_ms(collection->blind_ns));
    }
    if (collection->is_cleared || collection->gaps > 0) {
        dj_cli_print_message(
            "%s%zu gaps: SurfaceFlinger overwrote frames before dejank read them",
            collection->is_cleared ? "another program cleared the counters; " : "",
            collection->gaps);
    }
    if (collection->interrupted) {
        dj_cli_print_message("ended early: interrupted");
    }
    if (collection->outcome != DJ_COLLECT_GONE && collection->error.code != 0) {
        dj_cli_print_message("ended early: %s", collection->error.message);
    }
}

/* Prints how the collection ended. The last line has the number of recovered frames.
 * Scripts read this line. */
static void print_outcome(const struct collect *values,
                          const struct dj_collection *collection)
{
    if (collection->outcome == DJ_COLLECT_NO_FRAMES) {
        dj_cli_print_message(
            "%s rendered no frames: the app was idle%s", values->wanted.package,
            collection->from_surface
                ? " or the screen was off"
                : ", the screen was off, or the app draws without "
                  "gfxinfo, like Flutter and SurfaceView (try --source surface)");
    } else if (collection->outcome == DJ_COLLECT_ENDED) {
        dj_cli_print_message("%s ended during the collection%s; dejank keeps the frames "
                             "until then",
                             values->wanted.package,
                             collection->restarts > 0 ? " and was started again" : "");
    } else if (collection->outcome == DJ_COLLECT_GONE) {
        dj_cli_print_message("the device %s (%s); dejank keeps the frames until then",
                             collection->error.code == DJ_E_GONE ? "was disconnected"
                                                                 : "stopped answering",
                             collection->error.message);
    }
    dj_cli_print_message("recovered %" PRId64 " of %" PRId64 " frames",
                         collection->recovery.recovered, collection->recovery.expected);
}

static int choose_exit_code(enum dj_collect_outcome outcome)
{
    return outcome == DJ_COLLECT_DONE   ? DJ_EXIT_OK
           : outcome == DJ_COLLECT_GONE ? DJ_EXIT_DEVICE
                                        : DJ_EXIT_DATA;
}

static int write_dump(const struct collect *values, struct dj_collection *collection,
                      struct dj_error *err)
{
    return values->output != NULL
               ? dj_output_produce_or_save(values->output, dj_measure_write_collection,
                                           collection, err)
               : dj_output_produce(NULL, dj_measure_write_collection, collection, err);
}

static int print_not_running(const struct collect *values, const struct dj_device *device,
                             const struct dj_collection *collection)
{
    bool local = strcmp(device->name, "local:") == 0;
    struct dj_text command = {0};
    if (collection->from_surface) {
        dj_cli_print_message("%s", collection->hint);
        return DJ_EXIT_DATA;
    }
    dj_cli_print_message("No process found for: %s (on %s)", values->wanted.package,
                         device->name);
    if (collection->hint[0] != '\0') {
        dj_cli_print_message("%s", collection->hint);
    }
    dj_device_quote_word(&command, values->wanted.package);
    dj_cli_print_hint(local ? "start the app with 'dejank record --name %s -- CMD'"
                            : "start the app on the device: on Linux with 'dejank record "
                              "--name %s -- CMD', on Android with 'am start' or its icon",
                      dj_xtext(&command));
    dj_text_finish(&command);
    return DJ_EXIT_DATA;
}

static int collect_from(struct dj_device *device, const struct collect *values)
{
    struct dj_progress progress;
    struct dj_collection collection = {.outcome = DJ_COLLECT_DONE};
    struct dj_error err = {0};
    struct dj_collect_callbacks world = {
        .progress = show_progress, .event = show_event, .user = &progress};
    dj_progress_start(&progress);
    int code = dj_measure_collect(device, &values->wanted, &world, &collection, &err);
    dj_progress_clear(&progress);
    int result =
        code != 0 ? dj_cli_exit_code(code) : choose_exit_code(collection.outcome);
    if (code == 0 && collection.outcome == DJ_COLLECT_NOT_RUNNING) {
        result = print_not_running(values, device, &collection);
    } else if (code == 0) {
        print_readings(&collection);
        code = write_dump(values, &collection, &err);
        result = result == DJ_EXIT_OK ? dj_cli_exit_code(code) : result;
        print_outcome(values, &collection);
    }
    dj_cli_finish(code, &err);
    dj_measure_collection_finish(&collection);
    return result;
}

static int run(void *given, int count, char **operands)
{
    struct collect *values = given;
    struct dj_device *device;
    struct dj_error err = {0};
    (void)count;
    (void)operands;
    values->device = values->device != NULL ? values->device : "local:";
    values->wanted.duration_ns =
        values->wanted.duration_ns > 0 ? values->wanted.duration_ns : 10 * DJ_SECOND_NS;
    if (values->wanted.package == NULL) {
        return dj_cli_print_usage_error("missing option --package NAME");
    }
    if (values->output != NULL && dj_output_check(values->output, &err) != 0) {
        return dj_cli_finish(err.code, &err);
    }
    int code = dj_device_open_recorded(values->device, values->record, &device, &err);
    if (code != 0) {
        return dj_cli_finish(code, &err);
    }
    device->interrupt = dj_stop_interrupt();
    dj_stop_handle_signals();
    int result = collect_from(device, values);
    dj_device_close(device);
    return result;
}

static const struct dj_example examples[] = {
    {"Collect ten seconds of an Android app to a file",
     "dejank collect -d adb: -p com.example.app -o dump.txt"},
    {"Collect five seconds of a recorded Linux app, and print its figures",
     "dejank collect -p neverball --for 5s | dejank parse -"},
};

const struct dj_verb dj_verb_collect = {
    .name = "collect",
    .synopsis = "[OPTION]… --package NAME",
    .summary = "collect an app's frames for some time, as gfxinfo text",
    .description =
        "dejank reads the counters of frames at the start and at the end. In between, "
        "dejank reads the frames only as often as needed to lose none. The last line on "
        "stderr compares the number of collected frames with the counters.\n"
        "Ctrl-C ends the collection early and keeps the collected frames. dejank then "
        "reads the device once more, for at most one second. A second Ctrl-C skips this "
        "reading. If dejank cannot write FILE, it writes the dump to a file in $TMPDIR "
        "or /tmp, and prints the name of that file.\n",
    .exit_codes = "3\tthe device was not found, or was disconnected; dejank writes its "
                  "frames\n"
                  "4\tthe process was not found, drew no frames or ended early, or "
                  "dejank could not write FILE\n",
    DJ_EXAMPLES(examples),
    DJ_OPTIONS(options, struct collect),
    .run = run,
};
