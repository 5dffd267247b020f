/* Types and functions that the captures of this machine share. */
#ifndef DEJANK_CAPTURE_LINUX_SESSION_H
#define DEJANK_CAPTURE_LINUX_SESSION_H

#include <pthread.h>

#include "capture/app_watch.h"
#include "capture/capture.h"
#include "capture/linux/page_spool.h"
#include "capture/linux/running.h"

struct dj_linux;

/* A way to see what threads do. `own` is its own state. */
struct dj_linux_level {
    enum dj_capture_level level;
    size_t own_bytes; /* size of capture->own, which is zeroed before open() */
    /* Prepares and starts it, and opens the spool. */
    int (*open)(struct dj_linux *capture, struct dj_error *err);
    /* Moves available data to the spool. */
    int (*drain)(struct dj_linux *capture, struct dj_error *err);
    /* Ends it and drains the rest. Called once, also after errors. */
    int (*close)(struct dj_linux *capture, struct dj_error *err);
    /* Writes everything in the spool to the sink, in order of time. */
    int (*tell)(struct dj_linux *capture, struct dj_event_sink sink,
                struct dj_error *err);
    void (*finish)(struct dj_linux *capture); /* frees the contents of `own`, also after a
                                               * failed open() */
};

extern const struct dj_linux_level dj_linux_tracefs, dj_linux_perf, dj_linux_own;

struct dj_linux {
    struct dj_capture base;
    const struct dj_linux_level *level;
    void *own; /* the level's state */
    struct dj_spool spool;
    struct dj_records records;
    struct dj_app_watch app;         /* the plan's app, if it should be running already */
    int64_t found_ns;                /* time of the last search for new apps */
    struct dj_running running;       /* at the beginning, and at the end */
    struct dj_running watched;       /* if only some threads are visible: these */
    struct dj_capture_result result; /* as far as it is known */
    bool has_counters; /* counters of the app's threads exist; nothing else does where
                        * perf events are refused */
    int64_t ends_ns;   /* INT64_MAX: when it is stopped */
    int64_t kernel_ns; /* our clock minus the kernel's */
    bool buffer_bound; /* the buffer is smaller than requested, because more is not
                        * permitted */
    pthread_t thread;
    bool started, stopped;
    pthread_mutex_t lock; /* protects what both threads use: */
    bool asked_to_end;
    pthread_cond_t change;
    struct dj_error broken; /* why it ended early; code 0: it did not */
    bool over;
    int64_t bytes;
};

/* Opens the spool with the plan's size. */
int dj_linux_open_spool(struct dj_linux *capture, size_t page_size, struct dj_error *err);

/* Writes plan->output from the ended capture. After DJ_E_OUTPUT, what could be written is
 * in its place. */
int dj_linux_write(struct dj_linux *capture, struct dj_error *err);

#endif
