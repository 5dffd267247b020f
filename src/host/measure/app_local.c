/* A program of this machine, run by `dejank record`: the recorder's settings are that
 * verb's. */
#include <stdlib.h>
#include <sys/wait.h>

#include "device/kept.h"
#include "measure/app_recorded.h"

#define END_NS (3 * DJ_SECOND_NS)

static int start(struct dj_app *app, struct dj_error *err)
{
    char **argv;
    int code = dj_app_check_alone(app, err);
    code = code == 0 ? dj_app_record_command(app, NULL, &argv, err) : code;
    if (code != 0) {
        return code;
    }
    code = dj_kept_start(app->self, argv, &app->kept, err);
    dj_app_record_command_free(argv);
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

static void look(struct dj_app *app, struct dj_app_end *end)
{
    int status;
    if (app->kept == NULL || !dj_kept_status(app->kept, &status) ||
        (dj_kept_running(app->kept) && WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        return; /* what a launcher started goes on without it */
    }
    struct dj_text said = {0};
    dj_kept_output(app->kept, &said);
    dj_app_end_like(end,
                    WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                    dj_text_get(&said));
    dj_text_finish(&said);
}

static void discard(struct dj_app *app)
{
    dj_app_discard_recordings(app, app->self);
}

const struct dj_app_ops dj_app_local = {.start = start,
                                        .stop = stop,
                                        .look = look,
                                        .words = words,
                                        .discard = discard,
                                        .finish = stop};
