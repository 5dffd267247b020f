#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/hooks_object.h"
#include "cli/parser.h"
#include "cli/progress.h"
#include "cli/record/outside.h"
#include "cli/verbs.h"
#include "device/container_launcher.h"
#include "device/flatpak.h"
#include "device/program.h"
#include "frame/dialect.h"
#include "memory/memory.h"
#include "output/file.h"
#include "process/process.h"
#include "process/recorder_environment.h"
#include "process/tied.h"
#include "report/file_format.h"
#include "report/picture.h"
#include "report/recording.h"
#include "segment/directory.h"
#include "segment/sections_layout.h"

struct record {
    const char *name, *report; /* Values of --name and --report, or NULL. */
    struct dj_recorder_settings settings;
    bool tied, temporary;
    struct dj_record_outside outside;
};

#define AT(member) offsetof(struct record, member)
static const struct dj_option options[] = {
    {"name", 0, DJ_OPTION_STRING, AT(name), "NAME",
     "name of the app in dumpsys (default: the id of its Flatpak or desktop file, or "
     "CMD)"},
    {"release", 0, DJ_OPTION_RELEASE, AT(settings.release), "RELEASE",
     "Android release that defines which frames are janky (default: 11)"},
    {"app-version", 0, DJ_OPTION_STRING, AT(settings.app_version), "N",
     "version of the app for dumpsys graphicsstats, a whole number (default: 0)"},
    {"refresh", 0, DJ_OPTION_RATE, AT(settings.refresh_hz), "HZ",
     "refresh rate of the display (default: the reported rate, otherwise 60)"},
    {"keep", 0, DJ_OPTION_COUNT, AT(settings.keep), "N",
     "number of newest frames to keep for each window, 120 to 65536 (default: 4096)"},
    {"profile", 0, DJ_OPTION_FLAG, AT(settings.profile), NULL,
     "add a table of stage times to dumpsys gfxinfo (Android's Profile GPU rendering)"},
    {"sections", 0, DJ_OPTION_STRING, AT(settings.sections), "N|off",
     "number of newest trace sections to keep per thread, from 1024 (default: 32768)"},
    {"trace-marker", 0, DJ_OPTION_FORM, AT(settings.trace_marker), "FILE",
     "also write trace sections to the kernel's trace (default: tracefs/trace_marker)"},
    {"tied", 0, DJ_OPTION_FLAG, AT(tied), NULL,
     "end CMD and its child processes when dejank ends or its standard input closes"},
    {"temporary", 0, DJ_OPTION_FLAG, AT(temporary), NULL,
     "with --name: do not keep the recording longer than one without --name"},
    {"report", 0, DJ_OPTION_STRING, AT(report), "FILE",
     "when the recording ends, write a report to FILE (.html, .svg, .png or .md)"},
    {"pid", 0, DJ_OPTION_COUNT, AT(outside.pid), "N",
     "record the running X11 program with process id N, and its child processes"},
    {"window", 0, DJ_OPTION_STRING, AT(outside.window), "NAME",
     "record the X11 windows with NAME in their title, or with the id NAME (0x…)"},
    {"all", 0, DJ_OPTION_FLAG, AT(outside.all), NULL,
     "record all X11 programs, also those that start later"},
    {"for", 0, DJ_OPTION_DURATION, AT(outside.for_ns), "TIME",
     "end the recording after TIME (default: at Ctrl-C, or when the program ends)"},
};

static const struct dj_option_group groups[] = {
    {"name", "Recording"},
    {"pid", "Recording from outside, without CMD"},
};

/* Returns how long to keep the recording. A recording that the user has named is kept
 * longer. */
static enum dj_retention choose_retention(const struct record *record)
{
    return record->temporary      ? DJ_RETAIN_TEMPORARY
           : record->name != NULL ? DJ_RETAIN_NAMED
                                  : DJ_RETAIN_NEWEST;
}

static void prepare_child(void *user)
{
    dj_process_set_recorder_environment(user);
}

static int check_report(const char *report)
{
    struct dj_error err = {0};
    const struct dj_report_format *format = dj_report_format_find(report);
    if (format == NULL || !dj_report_format_is_drawn(format)) {
        dj_report_format_reject(report, true, &dj_cli_messages);
        return DJ_EXIT_USAGE;
    }
    if ((format->draw != NULL && dj_report_load_cairo(&err) != 0) ||
        dj_output_check(report, &err) != 0) {
        return dj_cli_finish(err.code, &err);
    }
    return DJ_EXIT_OK;
}

/* Returns whether the text is a whole number like Android's versionCode. Readers of
 * graphicsstats accept no other versions. */
static bool is_version(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= 18 && text[digits] == '\0';
}

/* Returns whether the text is "off" or a permitted number of sections. */
static bool is_sections(const char *text)
{
    char *end;
    long slots = strtol(text, &end, 10);
    return strcmp(text, "off") == 0 ||
           (end != text && *end == '\0' && slots >= DJ_SECTIONS_KEEP_MIN &&
            slots <= DJ_SECTIONS_KEEP_MAX);
}

/* Warns if the trace marker cannot be written. This is no error, because the program can
 * be recorded without it. */
static void check_trace_marker(const char *path)
{
    if (path[0] != '\0' && path[0] != '/') {
        dj_cli_print_message("--trace-marker: expected an absolute path, found '%s'",
                             path);
    } else if (path[0] != '\0'
                   ? access(path, W_OK) != 0
                   : access("/sys/kernel/tracing/trace_marker", W_OK) != 0 &&
                         access("/sys/kernel/debug/tracing/trace_marker", W_OK) != 0) {
        dj_cli_print_message("cannot write to %s: dejank writes sections only to the "
                             "recording",
                             path[0] != '\0' ? path : "trace_marker");
    }
}

static int check_options(const struct record *record)
{
    size_t name_bytes = record->name != NULL ? strlen(record->name) : 1;
    if (name_bytes == 0 || name_bytes >= DJ_SEGMENT_NAME) {
        return dj_cli_print_usage_error("--name: expected 1 to %d bytes, found %zu",
                                        DJ_SEGMENT_NAME - 1, name_bytes);
    }
    if (record->settings.app_version != NULL &&
        !is_version(record->settings.app_version)) {
        return dj_cli_print_usage_error(
            "--app-version: expected a whole number, found '%s'",
            record->settings.app_version);
    }
    if (record->settings.sections != NULL && !is_sections(record->settings.sections)) {
        return dj_cli_print_usage_error(
            "--sections: expected off, or %d to %d, found '%s'", DJ_SECTIONS_KEEP_MIN,
            DJ_SECTIONS_KEEP_MAX, record->settings.sections);
    }
    if (record->settings.trace_marker != NULL) {
        check_trace_marker(record->settings.trace_marker);
    }
    if (record->settings.keep < DJ_SEGMENT_KEEP_MIN ||
        record->settings.keep > DJ_SEGMENT_KEEP_MAX) {
        return dj_cli_print_usage_error("--keep: expected %d to %d frames, found %lld",
                                        DJ_SEGMENT_KEEP_MIN, DJ_SEGMENT_KEEP_MAX,
                                        (long long)record->settings.keep);
    }
    return record->report != NULL ? check_report(record->report) : DJ_EXIT_OK;
}

/* Returns why nothing will be recorded, or NULL if recording can begin. The program runs
 * in either case. */
static const char *find_obstacle(const struct record *record, const char *path,
                                 char object[PATH_MAX],
                                 struct dj_segment_directory *place, struct dj_error *err)
{
    const char *obstacle = dj_device_program_preload_obstacle(path);
    if (obstacle == NULL && !dj_hooks_object_find(object)) {
        obstacle = DJ_HOOKS_OBJECT_MISSING;
    }
    if (obstacle == NULL &&
        (dj_segment_ensure_directory(place, err) != 0 ||
         dj_segment_check_space(place, (size_t)record->settings.keep, err) != 0)) {
        obstacle = err->message;
    }
    return obstacle;
}

/* Prints the options that a launcher of containers needs, or adds them to the command if
 * the launcher is flatpak. Returns the words of the command to run. */
static char **pass_to_container(const char *object, const char *path, char **argv,
                                const struct dj_segment_directory *place,
                                struct dj_flatpak_command *flatpak)
{
    char passed[4 * PATH_MAX];
    struct dj_error err = {0};
    if (dj_device_flatpak_is_run(path, argv) &&
        dj_device_flatpak_add_options(argv, object, place->path, flatpak, &err) == 0) {
        dj_cli_print_message("added to the options of flatpak: %s %s %s %s",
                             flatpak->options[0], flatpak->options[1],
                             flatpak->options[2], flatpak->options[3]);
        return flatpak->argv;
    }
    if (dj_device_container_launcher_options(path, argv, object, place->path, passed,
                                             sizeof(passed))) {
        dj_cli_print_message(
            "%s starts programs in a container, and dejank cannot record them there; run "
            "it with %s",
            argv[0], passed);
    }
    return argv;
}

/* Returns whether another dejank runs this one for its own purpose, such as 'dejank run'.
 */
static bool is_run_by_dejank(void)
{
    char path[32];
    struct stat parent, self;
    snprintf(path, sizeof(path), "/proc/%d/exe", (int)getppid());
    return stat(path, &parent) == 0 && stat("/proc/self/exe", &self) == 0 &&
           parent.st_dev == self.st_dev && parent.st_ino == self.st_ino;
}

/* Prints what the recording of a program that has ended contains, and draws its report.
 */
static bool report_recording(const struct record *record, const char *program,
                             const char *path, const struct dj_segment_directory *place)
{
    const struct dj_recording recording = {
        .place = place,
        .program = program,
        .path = path,
        .name = record->settings.name,
        .run_ns = record->settings.run_ns,
        .report = record->report,
        .hints = isatty(STDERR_FILENO) && !is_run_by_dejank(),
        .messages = &dj_cli_messages,
    };
    struct dj_progress_job progress;
    dj_progress_begin_job(&progress, "reading the recording");
    bool is_reported = dj_report_recording(&recording);
    dj_progress_end_job(&progress);
    return is_reported;
}

static int record_program(struct record *record, char **argv)
{
    struct dj_recorder_settings *settings = &record->settings;
    char path[PATH_MAX], object[PATH_MAX], name[DJ_SEGMENT_NAME];
    struct dj_error err = {0};
    if (dj_device_program_find(argv[0], path, &err) != 0) {
        dj_cli_print_message("%s", err.message);
        return err.code == DJ_E_NOT_FOUND ? 127 : 126;
    }
    dj_device_program_default_name(path, argv, name, sizeof(name));
    settings->name = record->name != NULL ? record->name : name;
    settings->retention = choose_retention(record);
    struct dj_segment_directory place;
    struct dj_flatpak_command flatpak = {0};
    char **words = argv;
    const char *obstacle = find_obstacle(record, path, object, &place, &err);
    if (obstacle != NULL) {
        dj_cli_print_message("%s cannot be recorded: %s", argv[0], obstacle);
    } else {
        settings->object = object;
        dj_segment_prune(&place);
        words = pass_to_container(object, path, argv, &place, &flatpak);
    }
    settings->run_ns = dj_host_now_ns();
    int status;
    const struct dj_process_options program = {.path = path,
                                               .argv = (const char *const *)words,
                                               .prepare = prepare_child,
                                               .user = settings};
    int code = dj_process_run_in_place(&program, &status, &err);
    free(flatpak.argv);
    if (code != 0) {
        dj_cli_print_message("%s", err.message);
        return 126;
    }
    if (obstacle == NULL && !report_recording(record, argv[0], path, &place) &&
        WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return DJ_EXIT_DATA;
    }
    dj_process_end_like(status);
}

/* Ends this process as the command ended, or returns an exit code. */
static int run_tied(char **argv)
{
    struct dj_text output = {0};
    struct dj_error err = {0};
    bool ended;
    int status = 0;
    if (dj_process_run_tied(argv, &output, &ended, &status, &err) != 0) {
        dj_cli_print_message("%s", err.message);
        return DJ_EXIT_INTERNAL;
    }
    /* The reader of the output may have ended, so errors are ignored. */
    dj_output_print(&output, NULL);
    dj_text_finish(&output);
    if (ended) {
        dj_process_end_like(status);
    }
    return DJ_EXIT_INTERNAL;
}

/* Copies the command line without --tied, for the command under a guardian. Call this
 * function before the options are parsed, which reorders words. */
static char **copy_untied_argv(int argc, char **argv)
{
    static char self[] = "dejank";
    char **words = dj_xcalloc((size_t)argc + 2, sizeof(*words));
    size_t used = 0;
    bool command = false;
    words[used++] = self;
    for (int i = 0; i < argc; i++) {
        command = command || strcmp(argv[i], "--") == 0;
        if (command || strcmp(argv[i], "--tied") != 0) {
            words[used++] = argv[i];
        }
    }
    return words;
}

/* Parses and checks the options. Returns an exit code, or a negative number after --help.
 */
static int read_options(struct record *record, int argc, char **argv, int *operands)
{
    int result = dj_options_parse(&dj_verb_record, argc, argv, record, true, operands);
    const struct dj_record_outside *outside = &record->outside;
    bool is_outside = dj_record_is_outside(outside);
    if (result == DJ_EXIT_OK && *operands == 0 && !is_outside) {
        return dj_cli_report_missing("CMD");
    }
    const struct dj_cli_rule rules[] = {
        {is_outside && *operands > 0,
         "--pid, --window and --all record running programs: expected no CMD"},
        {!is_outside && outside->for_ns > 0,
         "--for: expected --pid, --window or --all; CMD is recorded until it ends"},
        {is_outside && (record->settings.profile || record->tied || record->temporary ||
                        record->settings.sections != NULL ||
                        record->settings.trace_marker != NULL ||
                        record->settings.app_version != NULL),
         "--pid, --window and --all: only --name, --release, --refresh, --keep, --report "
         "and --for apply to a recording from outside"},
    };
    result = result == DJ_EXIT_OK ? dj_cli_check_rules(rules, COUNT_OF(rules)) : result;
    return result == DJ_EXIT_OK ? check_options(record) : result;
}

static int run(int argc, char **argv)
{
    struct record record = {.settings = {.keep = DJ_SEGMENT_KEEP}};
    int operands = 0;
    char **again = copy_untied_argv(argc, argv);
    int result = read_options(&record, argc, argv, &operands);
    bool tied = result == DJ_EXIT_OK && record.tied;
    if (tied) {
        result = run_tied(again);
    }
    free(again);
    if (tied || result != DJ_EXIT_OK) {
        return result;
    }
    if (dj_record_is_outside(&record.outside)) {
        const struct dj_record_shared shared = {record.name, record.settings.release,
                                                record.report, record.settings.refresh_hz,
                                                record.settings.keep};
        return dj_record_run_outside(&record.outside, &shared);
    }
    argv[operands + 1] = NULL;
    return record_program(&record, argv + 1);
}

static const struct dj_example examples[] = {
    {"Record a game, and draw its frames when it ends",
     "dejank record --report frames.html -- neverball"},
    {"Record under a name of your own; read the frames while it runs or later",
     "dejank record --name shop -- ./shop --demo"},
    {"Judge the frames by the rules of Android 16 on a 120 Hz display",
     "dejank record --release 16 --refresh 120 -- glxgears"},
    {"Record a running X11 program for 10 s, such as a game of Steam",
     "dejank record --window Factorio --for 10s"},
};

const struct dj_verb dj_verb_record = {
    .name = "record",
    .synopsis = "[OPTION]… -- CMD [ARG]… | --pid N | --window NAME | --all",
    .summary = "run an unmodified Linux app and record its frames",
    .description =
        "'dumpsys gfxinfo NAME' prints the frames at any time, also after CMD has ended. "
        "When CMD ends, dejank prints a summary in one line on stderr.\n"
        "A recording with --name is kept until the next boot, or until 'dejank store "
        "prune --recordings' deletes it. dejank deletes a recording without --name after "
        "3 days, or when 64 newer ones exist.\n"
        "\n"
        "With --pid, --window or --all, dejank starts no program. dejank asks the X "
        "server when the display showed each frame of a running program. This also works "
        "for sandboxed and setuid programs. Frame times and stages stay unknown. dejank "
        "sees only frames that a GPU driver presents with the X11 extension Present. "
        "dejank does not see software OpenGL, images that the CPU draws, or Wayland.\n",
    .exit_codes = "4\tCMD succeeded, but dejank could not write the report; or dejank "
                  "saw no frame with --pid, --window or --all\n"
                  "126\tCMD cannot be started\n"
                  "127\tCMD was not found\n"
                  "other\texit status of CMD; dejank also ends by CMD's signal\n",
    DJ_EXAMPLES(examples),
    /* There is no command with --pid and similar options. */
    .operands = {"CMD", 0, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct record),
    DJ_GROUPS(groups),
    .run_argv = run,
};
