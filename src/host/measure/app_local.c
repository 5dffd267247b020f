/* A program of this machine, run by `dejank record`: the recorder's settings are that
 * verb's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "device/kept.h"
#include "measure/app.h"

#define END_NS (3 * DJ_SECOND_NS)

enum { OWN_WORDS = 12 };

/* Frames of somebody else's process of that name would be taken for ours. */
static int check_alone(struct dj_app *app, struct dj_error *err)
{
    const struct dj_gfxinfo_request request = {.package = app->plan->package,
                                               .since_ns = -1};
    struct dj_gfxinfo reading = {.dev_ns = -1};
    int code = dj_device_gfxinfo(app->device, &request, &reading, err);
    for (size_t i = 0; code == 0 && i < reading.dump.process_count; i++) {
        const struct dj_dump_process *process = &reading.dump.processes[i];
        if (!process->ended) {
            code = dj_error_set(err, DJ_E_USAGE,
                                "%s runs already (process %lld): end it, or give this "
                                "one another name with --package",
                                app->plan->package, (long long)process->pid);
        }
    }
    dj_gfxinfo_finish(&reading);
    return code;
}

static size_t count_words(char *const *words)
{
    size_t count = 0;
    while (words[count] != NULL) {
        count++;
    }
    return count;
}

/* Only pointers are copied: execv() changes no word. */
static char **recorded_command(const struct dj_app *app, const char *rate)
{
    size_t count = count_words(app->build->command), used = 0;
    const char **argv = calloc(count + OWN_WORDS, sizeof(*argv));
    if (argv == NULL) {
        return NULL;
    }
    argv[used++] = "dejank";
    argv[used++] = "record";
    argv[used++] = "--name";
    argv[used++] = app->plan->package;
    if (rate[0] != '\0') {
        argv[used++] = "--refresh";
        argv[used++] = rate;
    }
    if (app->plan->profile) {
        argv[used++] = "--profile";
    }
    argv[used++] = "--";
    memcpy(argv + used, app->build->command, (count + 1) * sizeof(*argv));
    return (char **)argv;
}

static int start(struct dj_app *app, struct dj_error *err)
{
    char rate[32] = "";
    int code = check_alone(app, err);
    if (code != 0) {
        return code;
    }
    if (app->plan->refresh_hz > 0) {
        snprintf(rate, sizeof(rate), "%.17g", app->plan->refresh_hz);
    }
    char **argv = recorded_command(app, rate);
    if (argv == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    code = dj_kept_start(app->self, argv, &app->kept, err);
    free(argv);
    return code;
}

static void stop(struct dj_app *app)
{
    if (app->kept != NULL) {
        dj_kept_end(app->kept, END_NS);
        dj_kept_close(app->kept);
        app->kept = NULL;
    }
}

static void words(struct dj_app *app, struct dj_text *text)
{
    if (app->kept != NULL) {
        dj_kept_output(app->kept, text);
    }
}

/* The last line it wrote tells most of why it ended; the recorder's own summary behind
 * it does not. */
static void append_last_line(struct dj_app *app, char *says, size_t size)
{
    static const char ours[] = "dejank record: ";
    struct dj_text said = {0};
    const char *last = NULL;
    dj_kept_output(app->kept, &said);
    for (const char *line = dj_text_get(&said); *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length > 0 && strncmp(line, ours, strlen(ours)) != 0) {
            last = line;
        }
        line += length + (line[length] == '\n');
    }
    if (last != NULL) {
        size_t used = strlen(says);
        snprintf(says + used, size - used, "; it said last: %.*s",
                 (int)strcspn(last, "\n"), last);
    }
    dj_text_finish(&said);
}

static bool is_crash(int status)
{
    const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++) {
        if (WIFSIGNALED(status) && WTERMSIG(status) == crashes[i]) {
            return true;
        }
    }
    return false;
}

static void look(struct dj_app *app, struct dj_app_end *end)
{
    int status;
    if (app->kept == NULL || !dj_kept_status(app->kept, &status) ||
        (dj_kept_running(app->kept) && WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        return; /* what a launcher started goes on without it */
    }
    end->state = is_crash(status) ? DJ_APP_CRASHED : DJ_APP_ENDED;
    if (WIFSIGNALED(status)) {
        snprintf(end->says, sizeof(end->says), "signal %d (%s) ended it",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        snprintf(end->says, sizeof(end->says), "it ended with exit code %d",
                 WEXITSTATUS(status));
    }
    append_last_line(app, end->says, sizeof(end->says));
}

const struct dj_app_ops dj_app_local = {
    .start = start, .stop = stop, .look = look, .words = words, .finish = stop};
