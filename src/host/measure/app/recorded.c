#include "measure/app/recorded.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "measure/record_command.h"

#define DISCARD_NS (10 * DJ_SECOND_NS)

static int check_alone(const struct dj_app *app, struct dj_error *err)
{
    struct dj_device_gfxinfo reading;
    int code = dj_app_read_gfxinfo(app, &reading, err);
    for (size_t i = 0; code == 0 && i < reading.dump.process_count; i++) {
        const struct dj_dump_process *process = &reading.dump.processes[i];
        if (!process->ended) {
            code = dj_error_set(err, DJ_E_USAGE,
                                "%s is already running (process %lld): stop it, or use "
                                "another name with --package",
                                app->plan->package, (long long)process->pid);
        }
    }
    dj_device_gfxinfo_finish(&reading);
    return code;
}

int dj_app_record_command(const struct dj_app *app, const char *option,
                          const char ***argv, struct dj_error *err)
{
    int code = check_alone(app, err);
    if (code != 0) {
        return code;
    }
    *argv = dj_measure_record_command(
        &(struct dj_measure_record_command){.option = option,
                                            .name = app->plan->package,
                                            .temporary = true,
                                            .profile = app->plan->profile,
                                            .refresh_hz = app->plan->refresh_hz,
                                            .command = app->build->command});
    return *argv != NULL ? 0 : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
}

void dj_app_discard_recordings(struct dj_app *app)
{
    bool is_here = strcmp(app->device->name, "local:") == 0;
    const char *const argv[] = {is_here ? app->self : "dejank",
                                "store",
                                "prune",
                                "--recordings",
                                "--temporary",
                                "--name",
                                app->plan->package,
                                "--yes",
                                NULL};
    struct dj_device_result result = {0};
    struct dj_error ignored = {0};
    dj_device_run(app->device, argv, DISCARD_NS, &result, &ignored);
    dj_device_result_finish(&result);
}

static bool is_crash(int exit_code)
{
    const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < COUNT_OF(crashes); i++) {
        if (exit_code == 128 + crashes[i]) {
            return true;
        }
    }
    return false;
}

/* Returns true if `dejank record` wrote the line, not the program. */
static bool is_of_recorder(const char *line)
{
    return dj_str_begins(dj_str_of(line), "dejank record: ") ||
           dj_str_begins(dj_str_of(line), "hint: ");
}

static void append_last_line(struct dj_app_end *end, const char *words)
{
    const char *last = NULL;
    for (const char *line = words; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length > 0 && !is_of_recorder(line)) {
            last = line;
        }
        line += length + (line[length] == '\n');
    }
    if (last != NULL) {
        size_t used = strlen(end->cause);
        snprintf(end->cause + used, sizeof(end->cause) - used,
                 "; its last output was: %.*s", (int)strcspn(last, "\n"), last);
    }
}

void dj_app_describe_exit(struct dj_app_end *end, int exit_code, const char *words)
{
    end->state = is_crash(exit_code) ? DJ_APP_CRASHED : DJ_APP_ENDED;
    if (exit_code > 128 && exit_code < 128 + NSIG) {
        snprintf(end->cause, sizeof(end->cause), "it was ended by signal %d (%s)",
                 exit_code - 128, strsignal(exit_code - 128));
    } else {
        snprintf(end->cause, sizeof(end->cause), "it ended with exit code %d", exit_code);
    }
    append_last_line(end, words);
}
