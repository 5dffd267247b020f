/* The app of a run: installing, starting and stopping it on the device, and finding out
 * whether it still runs. */
#ifndef DEJANK_MEASURE_APP_APP_H
#define DEJANK_MEASURE_APP_APP_H

#include "measure/batch.h"
#include "measure/journal.h"

struct dj_app;

/* The state of an app after a run. */
enum dj_app_state {
    DJ_APP_RUNS,
    DJ_APP_ENDED, /* the process no longer exists */
    DJ_APP_CRASHED
};

struct dj_app_end {
    enum dj_app_state state;
    char cause[200];         /* the reason, for a person; "": unknown */
    struct dj_text evidence; /* the device's log of the end; empty: there is none */
};

/* The functions of each kind of app: a program of this machine, one of a Linux device, an
 * Android app, or an app that already runs. A NULL function does nothing. */
struct dj_app_ops {
    int (*check)(struct dj_app *app, struct dj_error *err);
    int (*install)(struct dj_app *app, struct dj_error *err);
    int (*start)(struct dj_app *app, struct dj_error *err);
    void (*stop)(struct dj_app *app);
    void (*read_end)(struct dj_app *app, struct dj_app_end *end);
    void (*append_output)(struct dj_app *app, struct dj_text *text);
    void (*discard)(struct dj_app *app);
    void (*disconnect)(struct dj_app *app); /* the connection to the device closes */
    void (*finish)(struct dj_app *app);
};

struct dj_app {
    const struct dj_app_ops *ops;
    struct dj_device *device;
    const struct dj_batch_plan *plan;
    const struct dj_build_plan *build;
    struct dj_journal *journal; /* notes what is left on the device; NULL: nothing is
                                 * noted */
    const char *self;           /* path of the dejank executable, which starts the apps of
                                 * this machine */
    struct dj_process *local;   /* the process on this machine, while it runs */
    struct dj_device_process *process; /* the process on a Linux device behind adb */
    struct dj_text output;             /* output of the newest process on that device */
    bool android;
    char apk[128];     /* Android: path of the build's file on the device; "": not pushed
                        */
    int64_t crash_pid; /* process of the newest crash in the log when the run began; 0:
                        * none */
    bool installed;
};

/* Initializes an app. The device and the build decide its kind. `android`: the device
 * runs Android. */
void dj_app_init(struct dj_app *app, struct dj_device *device,
                 const struct dj_batch_plan *plan, const struct dj_build_plan *build,
                 bool android, struct dj_journal *journal, const char *self);

/* Checks that the app can be started, or runs already if dejank does not start it.
 * Returns DJ_E_NO_DATA if not: the message states what is missing and what to do. Returns
 * 0 also if the device does not answer. */
int dj_app_check(struct dj_app *app, struct dj_error *err);

/* Installs this build, so that it is the one that starts next. Returns DJ_E_INVALID if
 * the device refuses it. */
int dj_app_install(struct dj_app *app, struct dj_error *err);

/* Stops the app if it runs, starts it, and waits some seconds for its first frame. An app
 * that draws no frame is no error. Returns DJ_E_NO_DATA with the device's message if the
 * app does not start. */
int dj_app_start(struct dj_app *app, struct dj_error *err);

/* Stops the app. Called before a driver that starts the app itself. */
void dj_app_stop(struct dj_app *app);

/* Reads the present state of the app into *end. The caller frees end->evidence. */
void dj_app_read_end(struct dj_app *app, struct dj_app_end *end);

/* Appends the output of the app, if it was captured. */
void dj_app_append_output(struct dj_app *app, struct dj_text *text);

/* Removes the recordings on the device that belong to stored runs. Ignores failures. */
void dj_app_discard(struct dj_app *app);

/* Ends what needs the connection. Called before app->device is closed. */
void dj_app_disconnect(struct dj_app *app);

/* Stops the app. The journal lists the files that were pushed to install it, so they are
 * removed later. */
void dj_app_finish(struct dj_app *app);

/* Reads gfxinfo of all processes with the app's name, without rows. The caller finishes
 * *reading, also after an error. */
int dj_app_read_gfxinfo(const struct dj_app *app, struct dj_device_gfxinfo *reading,
                        struct dj_error *err);

extern const struct dj_app_ops dj_app_android, dj_app_local, dj_app_remote;

/* Finds the newest crash of `package` in a crash log (`logcat -b crash -d`). Returns the
 * pid, or 0 if there is none. Writes the cause to `cause`, at most `size` bytes. */
int64_t dj_crash_find(const char *log, const char *package, char *cause, size_t size);

#endif
