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
    DJ_APP_ENDED, /* No process of the app exists any more. */
    DJ_APP_CRASHED
};

struct dj_app_end {
    enum dj_app_state state;
    /* Reason why the app ended, as text for a message, or "" if the reason is unknown. */
    char cause[200];
    /* The part of the device's log that describes the end. Empty if there is none. */
    struct dj_text evidence;
};

/* The functions for one kind of app. The kinds are: a program of this machine, a program
 * of a Linux device, an Android app, and an app that already runs. If a function is NULL,
 * its action does nothing. */
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
    /* Journal that records the files that are pushed to the device, or NULL. */
    struct dj_journal *journal;
    /* Path of the dejank executable. It starts the apps of this machine (`dejank
     * record`). */
    const char *self;
    /* The app's process if the app runs on this machine, or NULL. */
    struct dj_process *local;
    /* The app's process if the app runs on a Linux device that is reached through adb, or
     * NULL. */
    struct dj_device_process *process;
    /* Output of `process`, or of the last process after it has ended. */
    struct dj_text output;
    bool android;
    /* On Android, the path of the pushed APK on the device, or "" if no APK was pushed.
     */
    char apk[128];
    /* Process id of the newest crash that the log contained at the start of the run, or 0
     * if the log contained no crash. */
    int64_t crash_pid;
    bool installed;
};

/* Initializes an app. The kind of the app follows from the device and the build.
 * `android` is true if the device runs Android. */
void dj_app_init(struct dj_app *app, struct dj_device *device,
                 const struct dj_batch_plan *plan, const struct dj_build_plan *build,
                 bool android, struct dj_journal *journal, const char *self);

/* If dejank starts the app, checks that the app can be started. Otherwise checks that the
 * app already runs. Returns DJ_E_NO_DATA if a check fails. The message says what is
 * missing and what to do. Returns 0 if the device does not answer. */
int dj_app_check(struct dj_app *app, struct dj_error *err);

/* Installs the app's build. Returns DJ_E_INVALID if the device refuses the build. */
int dj_app_install(struct dj_app *app, struct dj_error *err);

/* Stops the app if it runs, starts it, and waits some seconds for its first frame.
 * Returns 0 even if the app draws no frame. Returns DJ_E_NO_DATA with the device's
 * message if the app does not start. */
int dj_app_start(struct dj_app *app, struct dj_error *err);

/* Stops the app. Use it before a driver that starts the app itself. */
void dj_app_stop(struct dj_app *app);

/* Reads the current state of the app into *end. The caller frees end->evidence. */
void dj_app_read_end(struct dj_app *app, struct dj_app_end *end);

/* Appends the app's output to `text`. Does nothing if the output is not captured. */
void dj_app_append_output(struct dj_app *app, struct dj_text *text);

/* Removes recordings of the app from the device. Call this function after the runs were
 * stored. Ignores failures. */
void dj_app_discard(struct dj_app *app);

/* Closes everything that uses the connection to the device. Call this function before
 * app->device is closed. */
void dj_app_disconnect(struct dj_app *app);

/* Stops the app and frees its resources. Pushed files stay on the device until the
 * changes in the journal are undone. */
void dj_app_finish(struct dj_app *app);

/* Reads gfxinfo of all processes with the app's name, without rows. The caller must
 * finish *reading, even after an error. */
int dj_app_read_gfxinfo(const struct dj_app *app, struct dj_device_gfxinfo *reading,
                        struct dj_error *err);

extern const struct dj_app_ops dj_app_android, dj_app_local, dj_app_remote;

/* Finds the newest crash of `package` in a crash log (the output of `logcat -b crash
 * -d`). Returns the process id of the crashed process, or 0 if the log contains no crash
 * of the package. Writes the cause of the crash to `cause`, which has `size` bytes. */
int64_t dj_crash_find(const char *log, const char *package, char *cause, size_t size);

#endif
