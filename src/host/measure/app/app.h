/* Installs, starts and stops the app of a run on the device, and finds out whether the
 * app still runs. */
#ifndef DEJANK_MEASURE_APP_APP_H
#define DEJANK_MEASURE_APP_APP_H

#include "measure/batch.h"
#include "measure/journal.h"

struct dj_app;

/* The state of an app after a run. */
enum dj_app_state {
    DJ_APP_RUNS,
    DJ_APP_ENDED, /* The process no longer exists. */
    DJ_APP_CRASHED
};

struct dj_app_end {
    enum dj_app_state state;
    char cause[200];         /* Reason of the end for a person, or "" if it is unknown. */
    struct dj_text evidence; /* The device's log of the end. Empty if there is none. */
};

/* The functions of one kind of app: a program of this machine, a program of a Linux
 * device, an Android app, or an app that already runs. A function that is NULL does
 * nothing. */
struct dj_app_ops {
    int (*check)(struct dj_app *app, struct dj_error *err);
    int (*install)(struct dj_app *app, struct dj_error *err);
    int (*start)(struct dj_app *app, struct dj_error *err);
    void (*stop)(struct dj_app *app);
    void (*read_end)(struct dj_app *app, struct dj_app_end *end);
    void (*append_output)(struct dj_app *app, struct dj_text *text);
    void (*discard)(struct dj_app *app);
    /* Called before the connection to the device closes. */
    void (*disconnect)(struct dj_app *app);
    void (*finish)(struct dj_app *app);
};

struct dj_app {
    const struct dj_app_ops *ops;
    struct dj_device *device;
    const struct dj_batch_plan *plan;
    const struct dj_build_plan *build;
    /* Journal for files that are pushed to the device, or NULL. */
    struct dj_journal *journal;
    /* Path of the dejank executable, which starts the apps of this machine. */
    const char *self;
    /* Process on this machine, or NULL while it does not run. */
    struct dj_process *local;
    /* Process on a Linux device that is reached through adb, or NULL. */
    struct dj_device_process *process;
    struct dj_text output; /* Output of the newest process on that device. */
    bool android;
    /* For Android: path of the pushed APK on the device, or "" if it was not pushed. */
    char apk[128];
    /* Process id of the newest crash in the log when the run began, or 0 if there was
     * none. */
    int64_t crash_pid;
    bool installed;
};

/* Initializes an app. The device and the build decide which kind of app it is. `android`
 * is true if the device runs Android. */
void dj_app_init(struct dj_app *app, struct dj_device *device,
                 const struct dj_batch_plan *plan, const struct dj_build_plan *build,
                 bool android, struct dj_journal *journal, const char *self);

/* Checks that the app can be started, or that it already runs if dejank does not start
 * it. Otherwise returns DJ_E_NO_DATA with a message about what is missing and what to do.
 * Returns 0 also if the device does not answer. */
int dj_app_check(struct dj_app *app, struct dj_error *err);

/* Installs the app's build. Returns DJ_E_INVALID if the device refuses the build. */
int dj_app_install(struct dj_app *app, struct dj_error *err);

/* Stops the app if it runs, starts it, and waits some seconds for its first frame. An app
 * that draws no frame is no error. Returns DJ_E_NO_DATA with the device's message if the
 * app does not start. */
int dj_app_start(struct dj_app *app, struct dj_error *err);

/* Stops the app. For drivers that start the app themselves. */
void dj_app_stop(struct dj_app *app);

/* Reads the current state of the app into *end. The caller frees end->evidence. */
void dj_app_read_end(struct dj_app *app, struct dj_app_end *end);

/* Appends the app's output to `text`, if the output was captured. */
void dj_app_append_output(struct dj_app *app, struct dj_text *text);

/* Removes the recordings on the device that belong to stored runs. Ignores failures. */
void dj_app_discard(struct dj_app *app);

/* Closes everything that needs the connection. Call it before app->device is closed. */
void dj_app_disconnect(struct dj_app *app);

/* Stops the app. Files that were pushed to install the app stay on the device until the
 * settings in the journal are restored. */
void dj_app_finish(struct dj_app *app);

/* Reads gfxinfo of all processes with the app's name, without rows. The caller must
 * finish *reading, even after an error. */
int dj_app_read_gfxinfo(const struct dj_app *app, struct dj_device_gfxinfo *reading,
                        struct dj_error *err);

extern const struct dj_app_ops dj_app_android, dj_app_local, dj_app_remote;

/* Finds the newest crash of `package` in a crash log (`logcat -b crash -d`). Returns the
 * pid, or 0 if there is none. Writes the cause to `cause`, which has `size` bytes. */
int64_t dj_crash_find(const char *log, const char *package, char *cause, size_t size);

#endif
