/* Controls a program of this machine, which runs under `dejank record`. */
#include <stdlib.h>

#include "measure/app/recorded.h"
#include "process/process.h"

#define END_NS (3 * DJ_SECOND_NS)

static int start(struct dj_app *app, struct dj_error *err)
{
    const char **argv;
    int code = dj_app_record_command(app, NULL, &argv, err);
    if (code != 0) {
        return code;
    }
    const struct dj_process_options options = {.path = app->self,
                                               .argv = argv,
                                               .in = DJ_STREAM_NULL,
                                               .out = DJ_STREAM_STORE,
                                               .err = DJ_STREAM_STORE,
                                               .scope = DJ_SCOPE_DESCENDANTS};
    code = dj_process_start(&options, &app->local, err);
    free(argv);
    return code;
}

static void stop(struct dj_app *app)
{
    if (app->local != NULL) {
        dj_process_stop(app->local, END_NS);
        dj_process_close(app->local);
        app->local = NULL;
    }
}

static void append_output(struct dj_app *app, struct dj_text *text)
{
    if (app->local != NULL) {
        dj_process_read_stored(app->local, text);
    }
}

static void read_end(struct dj_app *app, struct dj_app_end *end)
{
    int status;
    if (app->local == NULL || !dj_process_status(app->local, &status) ||
        (dj_process_is_running(app->local) && status == 0)) {
        /* The process may be a launcher. If the launcher has ended without an error, the
         * program that it started still runs. */
        return;
    }
    struct dj_text output = {0};
    dj_process_read_stored(app->local, &output);
    dj_app_describe_exit(end, dj_process_exit_code(status), dj_text_get(&output));
    dj_text_finish(&output);
}

const struct dj_app_ops dj_app_local = {.start = start,
                                        .stop = stop,
                                        .read_end = read_end,
                                        .append_output = append_output,
                                        .discard = dj_app_discard_recordings,
                                        .finish = stop};
