/* Installs, starts, stops and watches an Android app with commands of the device's
 * shell, such as pm, am, cmd package and logcat. */
#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "measure/app/app.h"

#define INSTALL_NS (300 * DJ_SECOND_NS)
#define START_NS (60 * DJ_SECOND_NS)
#define SHELL_NS (20 * DJ_SECOND_NS)

/* Copies one line of a command's output for a message. Copies the first line that
 * contains `word`, or the last line if no line contains it. */
static void copy_line(const struct dj_device_result *result, const char *word, char *line,
                      size_t size)
{
    const struct dj_text *streams[] = {&result->out, &result->err};
    line[0] = '\0';
    for (size_t i = 0; i < 2; i++) {
        const char *at = strstr(dj_text_get(streams[i]), word);
        if (at != NULL) {
            snprintf(line, size, "%.*s", (int)strcspn(at, "\r\n"), at);
            return;
        }
    }
    for (size_t i = 0; i < 2 && line[0] == '\0'; i++) {
        const char *text = dj_text_get(streams[i]);
        size_t end = strlen(text);
        while (end > 0 && isspace((unsigned char)text[end - 1])) {
            end--;
        }
        size_t start = end;
        while (start > 0 && text[start - 1] != '\n') {
            start--;
        }
        snprintf(line, size, "%.*s", (int)(end - start), text + start);
    }
}

/* Returns true if the command answered and its output does not contain `sign`. pm ends
 * with exit code 1 and an empty stderr if it does not know a package, so this is an
 * answer too. Returns false if the device did not answer, the command wrote to stderr, or
 * its exit code is above 1. */
static bool has_output_without(struct dj_app *app, const char *const *argv,
                               const char *sign)
{
    struct dj_device_result result = {0};
    struct dj_error ignored = {0};
    int code = dj_device_run(app->device, argv, SHELL_NS, &result, &ignored);
    bool denied = code == 0 && result.exit_code <= 1 && result.err.length == 0 &&
                  strstr(dj_text_get(&result.out), sign) == NULL;
    dj_device_result_finish(&result);
    return denied;
}

/* Returns an error if the app is not installed. `pm path` is fast but knows only the
 * packages of the first user. `dumpsys package` is slow but knows the packages of all
 * users, so it runs only if pm does not know the package. */
static int check_installed(struct dj_app *app, struct dj_error *err)
{
    const char *package = app->plan->package;
    const char *path[] = {"pm", "path", package, NULL};
    const char *about[] = {"dumpsys", "package", package, NULL};
    char sign[300];
    snprintf(sign, sizeof(sign), "Package [%s]", package);
    return app->build->apk == NULL && has_output_without(app, path, "package:") &&
                   has_output_without(app, about, sign)
               ? dj_error_set(
                     err, DJ_E_NO_DATA,
                     "%s is not installed on %s; install it with --apk FILE, or "
                     "list the installed packages with 'adb shell pm list packages'",
                     package, app->device->name)
               : 0;
}

/* Copies the APK of the build to the device, unless it was already copied. If two builds
 * are compared, they are installed alternately, but each APK is copied only once. */
static int push_apk(struct dj_app *app, struct dj_error *err)
{
    char digits[DJ_FINGERPRINT];
    int code = dj_fingerprint_file(app->build->apk, digits, err);
    if (code == 0) {
        snprintf(app->apk, sizeof(app->apk), "/data/local/tmp/dejank-%s.apk", digits);
        code = app->journal != NULL
                   ? dj_measure_journal_note(app->journal, "file", app->apk, NULL, err)
                   : 0;
    }
    if (code == 0) {
        code = dj_device_push(app->device, app->build->apk, app->apk, 0644, err);
    }
    if (code != 0) {
        app->apk[0] = '\0';
    }
    return code;
}

static int install(struct dj_app *app, struct dj_error *err)
{
    struct dj_device_result result = {0};
    char line[200];
    if (app->build->apk == NULL) {
        return 0;
    }
    int code = app->apk[0] == '\0' ? push_apk(app, err) : 0;
    if (code == 0) {
        /* -r keeps the app's data, -d allows an older version, -t allows test packages,
         * and -g grants all permissions. */
        const char *argv[] = {"pm", "install", "-r", "-d", "-t", "-g", app->apk, NULL};
        code = dj_device_run(app->device, argv, INSTALL_NS, &result, err);
    }
    if (code == 0 && strstr(dj_text_get(&result.out), "Success") == NULL) {
        copy_line(&result, "Failure", line, sizeof(line));
        code = dj_error_set(err, DJ_E_INVALID, "%s cannot be installed: %s",
                            app->build->apk, line);
    }
    dj_device_result_finish(&result);
    return code;
}

/* Writes the full name of the activity, for example "com.example/.Main". */
static void name_activity(const struct dj_app *app, char *name, size_t size)
{
    const char *activity = app->plan->activity;
    if (strchr(activity, '/') != NULL) {
        snprintf(name, size, "%s", activity);
    } else {
        snprintf(name, size, "%s/%s", app->plan->package, activity);
    }
}

/* Writes the name of the app's launcher activity to `name`. The name is the last line of
 * the output that contains a slash. On Android 6 and earlier, which do not have this
 * command, `name` stays empty. */
static int find_activity(struct dj_app *app, char *name, size_t size,
                         struct dj_error *err)
{
    const char *argv[] = {"cmd",
                          "package",
                          "resolve-activity",
                          "--brief",
                          "-a",
                          "android.intent.action.MAIN",
                          "-c",
                          "android.intent.category.LAUNCHER",
                          app->plan->package,
                          NULL};
    struct dj_device_result result = {0};
    int code = dj_device_run(app->device, argv, SHELL_NS, &result, err);
    name[0] = '\0';
    for (const char *line = dj_text_get(&result.out); code == 0 && *line != '\0';) {
        size_t length = strcspn(line, "\r\n");
        if (memchr(line, '/', length) != NULL && memchr(line, ' ', length) == NULL) {
            snprintf(name, size, "%.*s", (int)length, line);
        }
        line += length + strspn(line + length, "\r\n");
    }
    dj_device_result_finish(&result);
    return code;
}

static int check_start(struct dj_app *app, const struct dj_device_result *result,
                       struct dj_error *err)
{
    char line[200];
    const char *out = dj_text_get(&result->out), *errors = dj_text_get(&result->err);
    bool failed = strstr(out, "Error") != NULL || strstr(errors, "Error") != NULL ||
                  strstr(out, "No activities found") != NULL;
    if (!failed && result->exit_code == 0) {
        return 0;
    }
    copy_line(result, "Error", line, sizeof(line));
    return dj_error_set(err, DJ_E_NO_DATA, "%s cannot be started: %s", app->plan->package,
                        line[0] != '\0' ? line : "am printed no reason");
}

/* Starts the activity. With the option -W, am waits until the first frame is drawn. */
static int start_activity(struct dj_app *app, struct dj_error *err)
{
    char name[512];
    struct dj_device_result result = {0};
    int code = 0;
    if (app->plan->activity != NULL) {
        name_activity(app, name, sizeof(name));
    } else {
        code = find_activity(app, name, sizeof(name), err);
    }
    const char *by_name[] = {"am", "start", "-W", "-n", name, NULL};
    const char *by_launcher[] = {
        "monkey", "-p", app->plan->package, "-c", "android.intent.category.LAUNCHER",
        "1",      NULL};
    if (code == 0) {
        code = dj_device_run(app->device, name[0] != '\0' ? by_name : by_launcher,
                             START_NS, &result, err);
    }
    if (code == 0) {
        code = check_start(app, &result, err);
    }
    dj_device_result_finish(&result);
    return code;
}

static void read_crashes(struct dj_app *app, struct dj_device_result *result)
{
    const char *argv[] = {"logcat", "-b", "crash", "-d", "-t", "400", NULL};
    struct dj_error ignored = {0};
    dj_device_run(app->device, argv, SHELL_NS, result, &ignored);
}

static void stop(struct dj_app *app)
{
    const char *argv[] = {"am", "force-stop", app->plan->package, NULL};
    struct dj_device_result result = {0};
    struct dj_error ignored = {0};
    char cause[8];
    dj_device_run(app->device, argv, SHELL_NS, &result, &ignored);
    dj_device_result_finish(&result);
    read_crashes(app, &result);
    app->crash_pid =
        dj_crash_find(dj_text_get(&result.out), app->plan->package, cause, sizeof(cause));
    dj_device_result_finish(&result);
}

static int start(struct dj_app *app, struct dj_error *err)
{
    stop(app);
    return start_activity(app, err);
}

static void read_end(struct dj_app *app, struct dj_app_end *end)
{
    const char *argv[] = {"pidof", app->plan->package, NULL};
    struct dj_device_result result = {0};
    struct dj_error err = {0};
    int code = dj_device_run(app->device, argv, SHELL_NS, &result, &err);
    bool gone = code == 0 && result.exit_code == 1 && result.out.length == 0;
    dj_device_result_finish(&result);
    if (code != 0) {
        return;
    }
    read_crashes(app, &result);
    int64_t pid = dj_crash_find(dj_text_get(&result.out), app->plan->package, end->cause,
                                sizeof(end->cause));
    if (pid != 0 && pid != app->crash_pid) {
        end->state = DJ_APP_CRASHED;
        dj_text_append(&end->evidence, dj_text_get(&result.out), result.out.length);
    } else {
        end->state = gone ? DJ_APP_ENDED : DJ_APP_RUNS;
        end->cause[0] = '\0';
    }
    dj_device_result_finish(&result);
}

const struct dj_app_ops dj_app_android = {.check = check_installed,
                                          .install = install,
                                          .start = start,
                                          .stop = stop,
                                          .read_end = read_end,
                                          .finish = stop};
