/* Controls a program of a Linux device that is reached through adb. A dejank on the
 * device runs the program, and stops it when the connection to this machine ends. */
#include <stdlib.h>
#include <string.h>

#include "measure/app/recorded.h"

#define ASK_NS (10 * DJ_SECOND_NS)
#define END_NS (5 * DJ_SECOND_NS)

enum { WORDS_MAX = 256 * 1024 };

/* Checks that the device has a dejank that can record. The recorder of this machine
 * cannot record programs on the device. */
static int check_recorder(struct dj_app *app, struct dj_error *err)
{
    static const char *const argv[] = {"dejank", "record", "--help", NULL};
    struct dj_device_result result = {0};
    int code = dj_device_run(app->device, argv, ASK_NS, &result, err);
    if (code == 0 && result.exit_code != 0) {
        code = dj_error_set(err, DJ_E_INVALID,
                            "the device's adbd finds no dejank in its PATH, so %s cannot "
                            "be started under the recorder there: run `make install` on "
                            "the device, then check with `adb -s %s shell dejank doctor`",
                            app->build->command[0], app->device->name);
    } else if (code == 0 && strstr(dj_text_get(&result.out), "--temporary") == NULL) {
        code = dj_error_set(err, DJ_E_INVALID,
                            "the dejank on this device is too old to start %s: run `make "
                            "install` with this version on the device",
                            app->build->command[0]);
    }
    dj_device_result_finish(&result);
    return code;
}

static int install(struct dj_app *app, struct dj_error *err)
{
    return app->android
               ? dj_error_set(err, DJ_E_INVALID,
                              "-- CMD is only for Linux devices: this device runs "
                              "Android, where --package names the app to start")
               : check_recorder(app, err);
}

static int start(struct dj_app *app, struct dj_error *err)
{
    const char **argv;
    int code = dj_app_record_command(app, "--tied", &argv, err);
    if (code != 0) {
        return code;
    }
    dj_text_clear(&app->output);
    app->output.maximum = WORDS_MAX;
    code = dj_device_start(app->device, argv, &app->process, err);
    free(argv);
    return code;
}

/* Appends new output of the program to app->output. Discards output above WORDS_MAX
 * bytes. Returns false if the program has ended. */
static bool read_output(struct dj_app *app, int64_t timeout_ns)
{
    struct dj_text now = {0};
    bool ended = false;
    int code = dj_device_process_read(app->process, timeout_ns, &now, &now, &ended, NULL);
    size_t room = WORDS_MAX - app->output.length;
    dj_text_append(&app->output, dj_text_get(&now),
                   now.length < room ? now.length : room);
    dj_text_finish(&now);
    return code == 0 && !ended;
}

static void disconnect(struct dj_app *app)
{
    dj_device_process_close(app->process);
    app->process = NULL;
}

/* Stops the program. The end of its input makes the recorder on the device stop it. */
static void stop(struct dj_app *app)
{
    if (app->process == NULL) {
        return;
    }
    int64_t until_ns = dj_host_now_ns() + END_NS;
    if (dj_device_process_end_input(app->process, NULL) == 0) {
        while (dj_host_now_ns() < until_ns && read_output(app, 50 * DJ_MILLISECOND_NS)) {
        }
    }
    disconnect(app);
}

static void read_end(struct dj_app *app, struct dj_app_end *end)
{
    if (app->process != NULL && !read_output(app, 0) &&
        dj_device_process_exit_code(app->process) >= 0) {
        dj_app_describe_exit(end, dj_device_process_exit_code(app->process),
                             dj_text_get(&app->output));
    }
}

static void append_output(struct dj_app *app, struct dj_text *text)
{
    if (app->process != NULL) {
        read_output(app, 0);
    }
    dj_text_append(text, dj_text_get(&app->output), app->output.length);
}

static void finish(struct dj_app *app)
{
    stop(app);
    dj_text_finish(&app->output);
}

const struct dj_app_ops dj_app_remote = {.install = install,
                                         .start = start,
                                         .stop = stop,
                                         .read_end = read_end,
                                         .append_output = append_output,
                                         .discard = dj_app_discard_recordings,
                                         .disconnect = disconnect,
                                         .finish = finish};
