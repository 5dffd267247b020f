/* Runs a script from its first line to its end. */
#include "script/script.h"

#include "memory/memory.h"
#include "script/state.h"

enum { SOURCE_MAX = 16 * 1024 * 1024 };

int dj_script_run(const struct dj_script_options *options,
                  struct dj_script_outcome *outcome, struct dj_error *err)
{
    struct dj_text source = {.maximum = SOURCE_MAX};
    struct dj_script script;
    int code = dj_script_read(options->file, &source, err);
    if (code == 0) {
        dj_script_open(options, outcome, &script);
        code = dj_script_load(&script, &source, err);
        code = code == 0 ? dj_script_call(&script, err) : code;
        dj_script_close(&script);
    }
    dj_text_finish(&source);
    return code;
}

void dj_script_outcome_finish(struct dj_script_outcome *outcome)
{
    dj_text_finish(&outcome->traceback);
    *outcome = (struct dj_script_outcome){.exit_code = 0};
}

struct script_driver {
    struct dj_script_options options;
    struct dj_text source;
    struct dj_script_outcome outcome;
    struct dj_script script;
    bool ready; /* True if the script is open and its text is compiled. */
};

static void end_script(struct script_driver *self)
{
    if (self->ready) {
        dj_script_close(&self->script);
        self->ready = false;
    }
    dj_script_outcome_finish(&self->outcome);
}

static int prepare(void *user, struct dj_device *device, struct dj_error *err)
{
    struct script_driver *self = user;
    end_script(self);
    if (device != NULL) {
        self->options.interrupt = device->interrupt;
    }
    dj_script_open(&self->options, &self->outcome, &self->script);
    self->ready = true;
    int code = dj_script_load(&self->script, &self->source, err);
    if (code != 0) {
        end_script(self);
    }
    return code;
}

/* Returns the outcome of a run for an error code. Errors that the script did not cause
 * have outcomes of their own. */
static enum dj_run_outcome get_outcome(int code)
{
    return code == DJ_E_INTERRUPTED ? DJ_RUN_INTERRUPTED
           : code == DJ_E_GONE      ? DJ_RUN_DEVICE_GONE
                                    : DJ_RUN_DRIVE_FAILED;
}

static void note_failure(const struct script_driver *self, const struct dj_error *failure,
                         struct dj_drive_log *log)
{
    log->outcome = get_outcome(failure->code);
    snprintf(log->reason, sizeof(log->reason), "%.*s", (int)sizeof(log->reason) - 1,
             failure->message);
    dj_text_format(&log->stream, "%s\n", failure->message);
    dj_text_add(&log->stream, dj_xtext(&self->outcome.traceback));
    dj_text_add(&log->stream, "\n");
}

static int drive(void *user, struct dj_device *device, struct dj_drive_log *log,
                 struct dj_error *err)
{
    struct script_driver *self = user;
    struct dj_error failure = {0};
    int code = self->ready ? 0 : prepare(self, device, err);
    if (code != 0) {
        return code;
    }
    self->script.lent = device;
    self->script.log = log;
    code = dj_script_call(&self->script, &failure);
    if (code == 0 && self->outcome.exited && self->outcome.exit_code != 0) {
        code = dj_error_set(&failure, DJ_E_INVALID, "the script ended with exit code %d",
                            self->outcome.exit_code);
    }
    if (code != 0) {
        note_failure(self, &failure, log);
    }
    end_script(self);
    return code == DJ_E_NO_MEMORY || code == DJ_E_GONE
               ? dj_error_set(err, code, "%s", failure.message)
               : 0;
}

void dj_script_driver_finish(struct dj_driver *driver)
{
    struct script_driver *self = driver->self;
    if (self != NULL) {
        end_script(self);
        dj_text_finish(&self->source);
        free(self);
    }
    *driver = (struct dj_driver){.self = NULL};
}

int dj_script_init_driver(const struct dj_script_options *options,
                          struct dj_driver *driver, struct dj_error *err)
{
    struct script_driver *self = dj_xcalloc(1, sizeof(*self));
    *driver = (struct dj_driver){.kind = "script",
                                 .self = self,
                                 .prepare = prepare,
                                 .drive = drive,
                                 .ends_window = true};
    self->options = *options;
    self->source.maximum = SOURCE_MAX;
    int code = dj_script_read(options->file, &self->source, err);
    /* Compiles the text before any run begins, so that syntax errors are found early. */
    code = code != 0 ? code : prepare(self, NULL, err);
    if (code != 0) {
        dj_script_driver_finish(driver);
    }
    return code;
}
