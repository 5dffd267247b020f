#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/capture.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "cli/verbs.h"
#include "device/program.h"
#include "device/quote.h"
#include "measure/exclusive_device.h"
#include "measure/record_command.h"
#include "memory/memory.h"
#include "output/file.h"
#include "process/process.h"
#include "report/capture.h"
#include "segment/layout.h"

#define POLL_NS (100 * DJ_MILLISECOND_NS)
#define GRACE_NS (5 * DJ_SECOND_NS) /* Time between SIGTERM and SIGKILL for CMD. */

enum {
    MEGABYTE = 1 << 20,
    SIZE_MB = 512, /* Default of --size in MB. */
    SIZE_MOST_MB = 1 << 20
};

struct capture_values {
    struct dj_capture_plan plan;
    const char *device, *name, *around, *level, *stacks;
    int64_t buffer_mb, size_mb;
    struct dj_option_list categories;
    bool json;
};

#define AT(member) offsetof(struct capture_values, member)
static const struct dj_option options[] = {
    {"output", 'o', DJ_OPTION_STRING, AT(plan.output), "FILE",
     "trace to write, for Perfetto: .pftrace or .perfetto-trace (required)"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL,
     "print a summary as JSON (schema dejank.capture/1)"},
    {"device", 'd', DJ_OPTION_STRING, AT(device), "DEVICE",
     "this machine (local:), a serial of adb or HOST:PORT (default: local:)"},
    {"package", 'p', DJ_OPTION_STRING, AT(plan.app), "NAME",
     "name of the app to include with its sections and frames; on this machine also a "
     "pid; the app may start later"},
    {"name", 0, DJ_OPTION_STRING, AT(name), "NAME",
     "with CMD: name of the app in dumpsys (default: as for dejank record)"},
    {"duration", 0, DJ_OPTION_DURATION, AT(plan.duration_ns), "TIME",
     "end the capture after TIME (default: when CMD ends, or at Ctrl-C)"},
    {"around", 0, DJ_OPTION_CHOICE, AT(around), "janky",
     "keep only events around janky frames"},
    {"before", 0, DJ_OPTION_DURATION, AT(plan.before_ns), "TIME",
     "with --around: time to keep before each frame (default: 250ms)"},
    {"after", 0, DJ_OPTION_DURATION, AT(plan.after_ns), "TIME",
     "with --around: time to keep after each frame (default: 250ms)"},
    {"level", 0, DJ_OPTION_CHOICE, AT(level), "tracefs|perf|own-threads",
     "source of events on this machine (default: the first permitted one)"},
    {"buffer", 0, DJ_OPTION_COUNT, AT(buffer_mb), "MB",
     "total size of the buffers for events, at most 1024 (default: 16)"},
    {"size", 0, DJ_OPTION_COUNT, AT(size_mb), "MB",
     "end the capture when FILE has this size (default: 512)"},
    {"category", 0, DJ_OPTION_LIST, AT(categories), "NAME",
     "category of events to capture; repeatable (default: the common ones)"},
    {"stacks", 0, DJ_OPTION_FORM_CHOICE, AT(stacks), "cpu|waits|cpu,waits",
     "sample which functions of the app run (cpu) or wait (waits, needs root), on this "
     "machine (default: cpu)"},
    {"stack-rate", 0, DJ_OPTION_COUNT, AT(plan.stacks.rate_hz), "HZ",
     "with --stacks: samples per second and CPU, at most 10000 (default: 1000)"},
    {"stack-size", 0, DJ_OPTION_COUNT, AT(plan.stacks.stack_bytes), "BYTES",
     "with --stacks: size of the part of each stack to examine (default: 16384)"},
};

static const struct dj_option_group groups[] = {
    {"output", "Output and app"},
    {"duration", "Time"},
    {"level", "Events"},
    {"stacks", "Call stacks"},
};

static bool is_local(const char *device)
{
    return device == NULL || strcmp(device, "local:") == 0;
}

static int check_options(const struct capture_values *values, bool command)
{
    const struct dj_cli_rule misuses[] = {
        {values->plan.output == NULL || values->plan.output[0] == '\0',
         "missing option --output FILE"},
        {values->around != NULL && values->plan.output != NULL &&
             dj_capture_is_text_file(values->plan.output),
         "--around janky cannot write text: expected -o FILE.pftrace"},
        {values->around == NULL &&
             (values->plan.before_ns > 0 || values->plan.after_ns > 0),
         "--before and --after require --around janky"},
        {command && values->plan.app != NULL,
         "--package does not apply to CMD: use --name"},
        {values->plan.app != NULL && values->plan.app[0] == '\0',
         "--package: expected an app's name or pid"},
        {!command && values->name != NULL, "--name requires CMD"},
        {values->name != NULL &&
             (values->name[0] == '\0' || strlen(values->name) >= DJ_SEGMENT_NAME),
         "--name: expected 1 to 255 bytes"},
        {command && !is_local(values->device),
         "CMD runs only on this machine: remove --device"},
        {!is_local(values->device) && values->level != NULL,
         "--level applies only to this machine: remove --device"},
        {values->stacks == NULL &&
             (values->plan.stacks.rate_hz > 0 || values->plan.stacks.stack_bytes > 0),
         "--stack-rate and --stack-size require --stacks"},
        {!is_local(values->device) && values->stacks != NULL,
         "--stacks applies only to this machine: remove --device"},
        {values->plan.stacks.rate_hz > DJ_CAPTURE_STACK_RATE_MOST_HZ,
         "--stack-rate: expected at most 10000"},
        {values->plan.stacks.stack_bytes > 0 &&
             (values->plan.stacks.stack_bytes < DJ_CAPTURE_STACK_BYTES_LEAST ||
              values->plan.stacks.stack_bytes > DJ_CAPTURE_STACK_BYTES_MOST),
         "--stack-size: expected 1024 to 65000"},
        {values->buffer_mb > DJ_CAPTURE_BUFFER_MOST_MB,
         "--buffer: expected at most 1024 MB"},
        {values->size_mb > SIZE_MOST_MB, "--size: expected at most 1048576 MB"},
    };
    return dj_cli_check_rules(misuses, COUNT_OF(misuses));
}

/* Prints a message. `user` is a struct dj_progress to clear first, or NULL. */
static void show_message(void *user, const char *sentence)
{
    if (user != NULL) {
        dj_progress_clear(user);
    }
    dj_cli_print_message("%s", sentence);
}

/* Completes the plan with the values that no option fills directly. */
static void complete_plan(struct capture_values *values)
{
    struct dj_capture_plan *plan = &values->plan;
    plan->categories = values->categories.count > 0 ? values->categories.values : NULL;
    plan->category_count = values->categories.count;
    plan->buffer_bytes = values->buffer_mb * MEGABYTE;
    plan->size_max_bytes =
        (values->size_mb > 0 ? values->size_mb : SIZE_MB) * (int64_t)MEGABYTE;
    plan->around_janky = values->around != NULL;
    plan->level_required =
        values->level != NULL && dj_capture_level_find(values->level, &plan->level);
    if (values->stacks != NULL) {
        dj_capture_stacks_parse(values->stacks, &plan->stacks);
    }
    plan->say = show_message;
}

/* Returns DJ_E_USAGE if the name has the suffix of a format that captures cannot have. */
static int check_output(const char *name, bool local, struct dj_error *err)
{
    static const char *const endings[] = {".html", ".csv", ".dat", ".json"};
    size_t length = strlen(name);
    bool other = local && dj_capture_is_text_file(name);
    if (strcmp(name, "-") == 0) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--output: expected the name of a file, found '-' "
                            "(/dev/stdout is permitted)");
    }
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        size_t ending = strlen(endings[i]);
        other =
            other || (length > ending && strcmp(name + length - ending, endings[i]) == 0);
    }
    return other ? dj_error_set(err, DJ_E_USAGE,
                                "--output: expected a name that ends in .pftrace or "
                                ".perfetto-trace, found '%.200s'",
                                name)
                 : 0;
}

struct capture_job {
    struct capture_values *values;
    struct dj_progress *shown;
};

/* Shows the size of the capture, while no other program writes to the terminal. */
static void show_captured(struct dj_progress *shown, const struct dj_capture_plan *plan,
                          const struct dj_capture_progress *progress, int64_t elapsed_ns)
{
    struct dj_text what = {0};
    dj_text_add(&what, "captured");
    if (progress->bytes > 0) {
        dj_text_format(&what, ", %.1f MB", (double)progress->bytes / (1 << 20));
    }
    if (plan->around_janky) {
        dj_text_format(&what, ", %zu janky frames", progress->janky);
    }
    dj_text_add(&what, "; Ctrl-C ends the capture");
    dj_progress_show(shown, elapsed_ns, plan->duration_ns, dj_xtext(&what));
    dj_text_finish(&what);
}

/* Captures until the duration is over, CMD has ended, or the user ends the capture. If
 * the capture fails or its file is full, CMD continues. Prints the error of a failed
 * capture, and returns its code. `command` is NULL if there is no CMD. */
static int attend(const struct capture_job *job, struct dj_capture *capture,
                  struct dj_process *command)
{
    const struct dj_capture_plan *plan = &job->values->plan;
    struct dj_error err = {0};
    bool alone = command == NULL, over = false;
    int code = 0, status;
    int64_t begun_ns = dj_host_now_ns();
    int64_t until_ns = plan->duration_ns > 0 ? begun_ns + plan->duration_ns : INT64_MAX;
    while (!dj_stop_is_requested() && (alone ? !over
                                             : !dj_process_status(command, &status) &&
                                                   dj_host_now_ns() < until_ns)) {
        struct dj_capture_progress progress = {.ended = true};
        if (!over) {
            code = dj_capture_poll(capture, &progress, &err);
            over = code != 0 || progress.ended;
            if (code != 0) {
                dj_progress_clear(job->shown);
                dj_cli_print_message("the capture ended early: %s", err.message);
            } else if (progress.cut && !alone) {
                dj_cli_print_message(
                    "the trace has reached its size limit of %lld MB: the "
                    "capture has ended, the program continues",
                    (long long)(plan->size_max_bytes / MEGABYTE));
            } else if (!over) {
                show_captured(job->shown, plan, &progress, dj_host_now_ns() - begun_ns);
            }
        }
        dj_host_sleep_ns(POLL_NS);
    }
    dj_progress_clear(job->shown);
    return code;
}

/* Prints the command that explains the janky frames. A capture on a device does not count
 * its frames. */
static void hint_at_triage(const struct capture_values *values,
                           const struct dj_capture_result *result)
{
    struct dj_text file = {0};
    bool maybe_frames = result->frames > 0 ||
                        (!is_local(values->device) && result->app != DJ_APP_UNRECORDED &&
                         result->app != DJ_APP_ABSENT);
    if (maybe_frames && strncmp(values->plan.output, "/dev/", 5) != 0) {
        dj_device_quote_word(&file, values->plan.output);
        dj_cli_print_hint("'dejank trace triage %s' explains the janky frames",
                          dj_xtext(&file));
    }
    dj_text_finish(&file);
}

static int capture_it(const struct capture_job *job, struct dj_device *device,
                      struct dj_process *command)
{
    const struct capture_values *values = job->values;
    const struct dj_capture_plan *plan = &job->values->plan;
    struct dj_capture_result result = {.source = NULL};
    struct dj_capture *capture;
    struct dj_error err = {0};
    signal(SIGPIPE, SIG_IGN); /* A closed stderr must not end the capture. */
    int code = dj_capture_start(plan, device, &capture, &err);
    if (code != 0) {
        return dj_cli_finish(code, &err);
    }
    int status = 0, ended_like = DJ_EXIT_OK;
    if (command != NULL) {
        dj_process_release(command);
    }
    code = attend(job, capture, command);
    /* Ends with CMD's exit status, unless dejank ended CMD. */
    if (command != NULL && dj_process_status(command, &status)) {
        ended_like = dj_process_exit_code(status);
    }
    dj_capture_end(capture);
    if (command != NULL) {
        dj_process_stop(command, GRACE_NS); /* All frames of CMD are recorded now. */
    }
    int stopped = dj_capture_stop(capture, &result, &err);
    if (stopped != 0 && (code == 0 || result.bytes == 0)) {
        dj_cli_print_message("%s", err.message);
    }
    dj_capture_destroy(capture);
    code = code != 0 ? code : stopped;
    if (result.bytes > 0) {
        dj_report_capture(values->plan.output, &result, &dj_cli_messages);
        if (result.cut) {
            dj_cli_print_hint("--size MB permits a larger file");
        }
        dj_report_capture_limits(&result, &dj_cli_messages);
        hint_at_triage(values, &result);
    }
    if (code == 0 && values->json) {
        struct dj_text text = {0};
        dj_report_capture_json(&text, values->plan.output, &result);
        code = dj_output_print(&text, &err);
        dj_text_finish(&text);
    }
    return code != 0 ? dj_cli_exit_code(code)
           : result.app == DJ_APP_UNRECORDED || result.app == DJ_APP_ABSENT ? DJ_EXIT_DATA
                                                                            : ended_like;
}

/* Creates the process in which `dejank record -- argv…` will run once the process is
 * released. The new process ends when this process ends for any reason. If `name` is
 * NULL, `dejank record` derives a name and does not keep the recording. */
static int hold_command(const char *name, char *const *argv, struct dj_process **command,
                        struct dj_error *err)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[length > 0 ? length : 0] = '\0';
    const char **words = dj_measure_record_command(
        &(struct dj_measure_record_command){.name = name, .command = argv});
    dj_xcheck(words != NULL);
    const struct dj_process_options held = {.path = self,
                                            .argv = words,
                                            .scope = DJ_SCOPE_FOREGROUND,
                                            .waits_for_release = true,
                                            .grace_ns = GRACE_NS};
    int code = dj_process_start(&held, command, err);
    free(words);
    return code;
}

static int with_command(const struct capture_job *job, char *const *argv)
{
    const struct capture_values *values = job->values;
    struct dj_capture_plan *plan = &job->values->plan;
    char path[PATH_MAX], name[256];
    struct dj_process *command;
    struct dj_error err = {0};
    int code = dj_device_program_find(argv[0], path, &err);
    if (code != 0) {
        dj_cli_print_message("%s", err.message);
        return code == DJ_E_NOT_FOUND ? 127 : 126;
    }
    dj_device_program_default_name(path, argv, name, sizeof(name));
    plan->app = values->name != NULL ? values->name : name;
    code = hold_command(values->name, argv, &command, &err);
    if (code != 0) {
        return dj_cli_finish(code, &err);
    }
    pid_t pid = dj_process_pid(command);
    plan->pids = &pid;
    plan->pid_count = 1;
    int result = capture_it(job, NULL, command);
    dj_process_close(command);
    return result;
}

/* Holds the device's lease during the capture, and restores the device in every case. */
static int with_device(const struct capture_job *job)
{
    const struct capture_values *values = job->values;
    struct dj_capture_plan *plan = &job->values->plan;
    const struct dj_settings_listener talk = {show_message, NULL};
    struct dj_exclusive_device held = {.device = NULL};
    struct dj_error err = {0};
    if (is_local(values->device)) {
        return capture_it(job, NULL, NULL);
    }
    int result = dj_cli_finish(
        dj_measure_exclusive_open(&held, values->device, &talk, &err), &err);
    if (result == DJ_EXIT_OK) {
        dj_measure_note_capture(&held.journal, plan);
        result = capture_it(job, held.device, NULL);
    }
    dj_measure_exclusive_close(&held, &talk);
    return result;
}

/* Captures `command`, or a running app if `command` is NULL. */
static int to_output(struct capture_values *values, char *const *command)
{
    struct dj_progress shown;
    struct dj_error err = {0};
    const struct capture_job job = {values, &shown};
    int code = check_output(values->plan.output, is_local(values->device), &err);
    if (code != 0) {
        return dj_cli_finish(code, &err);
    }
    dj_progress_start(&shown);
    /* CMD writes to the same terminal; occasional lines disturb it less than a bar. */
    shown.terminal = shown.terminal && command == NULL;
    values->plan.user = &shown;
    dj_stop_handle_signals();
    return command != NULL ? with_command(&job, command) : with_device(&job);
}

static int run(void *given, int count, char **operands)
{
    struct capture_values *values = given;
    int result = check_options(values, count > 0);
    if (result != DJ_EXIT_OK) {
        return result;
    }
    complete_plan(values);
    return to_output(values, count > 0 ? operands : NULL);
}

static const struct dj_example examples[] = {
    {"Capture this machine while a program runs, then explain its janky frames",
     "dejank trace capture -o t.pftrace -- glxgears; dejank trace triage t.pftrace"},
    {"Also sample which functions run",
     "dejank trace capture -o t.pftrace --stacks -- ./myapp"},
    {"Capture ten seconds of an Android app",
     "dejank trace capture -o t.pftrace -d adb: -p com.example.app --duration 10s"},
    {"Wait for janky frames, and keep only what happened around them",
     "dejank trace capture -o jank.pftrace -p neverball --around janky"},
};

const struct dj_verb dj_verb_trace_capture = {
    .name = "trace capture",
    .synopsis = "-o FILE [OPTION]…\n-o FILE [OPTION]… -- CMD [ARG]…",
    .summary = "capture a system trace with an app's sections and frames",
    .description =
        "On this machine, the events come from one of three levels. As root, dejank "
        "records all events of the kernel (tracefs), without disturbing other tools. "
        "With permission for perf events, dejank records when each thread runs (perf). "
        "Otherwise dejank records only the threads of the app (own-threads). dejank "
        "prints what a trace cannot show, and also writes this into the trace. 'dejank "
        "doctor' describes how to permit the next level. On Android, dejank uses "
        "perfetto, or atrace before Android 9.\n"
        "With --stacks, dejank samples call stacks, so that 'dejank trace triage' can "
        "name the functions of janky frames. The app needs no change and no frame "
        "pointers. Without root, sampling slows the app down more. A function without a "
        "symbol appears as FILE!0xSTART; 'dejank trace symbolize' can name it later.\n"
        "dejank starts CMD with its recorder. The capture ends when CMD ends, and dejank "
        "returns the exit status of CMD. If --duration or Ctrl-C ends the capture "
        "earlier, dejank also ends CMD and its child processes.\n"
        "dejank writes FILE when the capture has ended. If dejank cannot write FILE, it "
        "writes another file and prints the name of that file. 'dejank trace read', "
        "'dejank trace triage' and ui.perfetto.dev can read FILE.\n",
    .exit_codes = "4\tthe app of --package did not run, or ran without dejank's "
                  "recorder; FILE lacks its frames and sections\n"
                  "other\texit status of CMD\n",
    DJ_EXAMPLES(examples),
    .operands = {"CMD", 0, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct capture_values),
    DJ_GROUPS(groups),
    .stops_at_operand = true,
    .run = run,
};
