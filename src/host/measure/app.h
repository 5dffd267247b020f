/* The app of a run: brought onto the device, started, stopped, and found dead. */
#ifndef DEJANK_MEASURE_APP_H
#define DEJANK_MEASURE_APP_H

#include "measure/batch.h"
#include "measure/journal.h"

struct dj_app;

/* How an app fares after a run. */
enum dj_app_state {
    DJ_APP_RUNS,
    DJ_APP_ENDED, /* it is there no more */
    DJ_APP_CRASHED
};

struct dj_app_end {
    enum dj_app_state state;
    char says[200];          /* how, for a person; "" */
    struct dj_text evidence; /* the device's log of it; empty: none */
};

/* Each kind's: of this machine, of Android, one that is there already. NULL functions do
 * nothing. */
struct dj_app_ops {
    int (*check)(struct dj_app *app, struct dj_error *err);
    int (*install)(struct dj_app *app, struct dj_error *err);
    int (*start)(struct dj_app *app, struct dj_error *err);
    void (*stop)(struct dj_app *app);
    void (*look)(struct dj_app *app, struct dj_app_end *end);
    void (*words)(struct dj_app *app, struct dj_text *text);
    void (*discard)(struct dj_app *app);
    void (*forget)(struct dj_app *app); /* the device is being let go */
    void (*finish)(struct dj_app *app);
};

struct dj_app {
    const struct dj_app_ops *ops;
    struct dj_device *device;
    const struct dj_batch_plan *plan;
    const struct dj_build_plan *build;
    struct dj_journal *journal; /* of what is left on the device; NULL: none is kept */
    const char *self;         /* path of dejank: this machine's apps are started by it */
    struct dj_process *local; /* on this machine, while it runs */
    struct dj_device_process *process; /* … on a Linux device behind adb */
    struct dj_text said;               /* there, by the newest process */
    bool android;
    char apk[128];     /* on Android: where the build's file is; "" */
    int64_t crash_pid; /* of the newest crash in the log as the run began; 0 none */
    bool installed;
};

/* Which kind it is tells itself from device and build. `android` is the device's
 * platform.
 */
void dj_app_open(struct dj_app *app, struct dj_device *device,
                 const struct dj_batch_plan *plan, const struct dj_build_plan *build,
                 bool android, struct dj_journal *journal, const char *self);

/* Whether there is an app that can be started, or one that runs where nothing starts it.
 * DJ_E_NO_DATA if not: the message says what was looked for and what to do. 0 also if the
 * device does not say. */
int dj_app_check(struct dj_app *app, struct dj_error *err);

/* Makes this build the one that starts next. DJ_E_INVALID where the device refuses it. */
int dj_app_install(struct dj_app *app, struct dj_error *err);

/* Stops it where it runs, starts it, and waits until it has drawn something, or some
 * seconds in vain. DJ_E_NO_DATA where it does not start, with what the device said. */
int dj_app_start(struct dj_app *app, struct dj_error *err);

/* Before a driver starts it. */
void dj_app_stop(struct dj_app *app);

/* How it fares now. Finish end->evidence. */
void dj_app_look(struct dj_app *app, struct dj_app_end *end);

/* What it said, where somebody listened. */
void dj_app_words(struct dj_app *app, struct dj_text *text);

/* Removes what the device holds of runs that are stored by now. Does nothing if that
 * fails. */
void dj_app_discard(struct dj_app *app);

/* Before app->device is closed: what hangs on it ends. */
void dj_app_forget(struct dj_app *app);

/* Stops it. What was pushed to install it is in the journal, to be taken away. */
void dj_app_finish(struct dj_app *app);

/* Reads gfxinfo of all processes of that name, without rows. Finish *reading also after
 * an error. */
int dj_app_read(const struct dj_app *app, struct dj_gfxinfo *reading,
                struct dj_error *err);

extern const struct dj_app_ops dj_app_android, dj_app_local, dj_app_remote;

/*
 * The newest crash of `package` in a crash log (`logcat -b crash -d`): its pid, or 0.
 * What it died of goes to `says`, of at most `size` bytes.
 */
int64_t dj_crash_find(const char *log, const char *package, char *says, size_t size);

#endif
