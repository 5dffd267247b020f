/* What the backend of this machine is made of. Of this room only. */
#ifndef DEJANK_CAPTURE_LINUX_PARTS_H
#define DEJANK_CAPTURE_LINUX_PARTS_H

#include <pthread.h>

#include "capture/app_watch.h"
#include "capture/capture.h"
#include "capture/page_spool.h"
#include "capture/running.h"

struct dj_linux;

/* One of the ways to see what threads do, with all that is its own. */
struct dj_linux_level {
    enum dj_capture_level level;
    size_t own_bytes; /* of capture->own, which is zeroed before open() */
    /* Makes ready and begins; the spool is opened by it. */
    int (*open)(struct dj_linux *capture, struct dj_error *err);
    /* Takes what there is into the spool. */
    int (*drain)(struct dj_linux *capture, struct dj_error *err);
    /* Ends it and drains the rest; called once, also after errors. */
    int (*close)(struct dj_linux *capture, struct dj_error *err);
    /* Hands out all that is in the spool, by time. */
    int (*tell)(struct dj_linux *capture, struct dj_event_sink sink,
                struct dj_error *err);
    void (*finish)(
        struct dj_linux *capture); /* what `own` holds; also after an error of open() */
};

extern const struct dj_linux_level dj_linux_tracefs, dj_linux_perf, dj_linux_own;

struct dj_linux {
    struct dj_capture base;
    const struct dj_linux_level *level;
    void *own; /* the level's */
    struct dj_spool spool;
    struct dj_records records;
    struct dj_app_watch app;         /* of the plan, where it is to run already */
    int64_t found_ns;                /* when apps that came were looked for last */
    struct dj_running running;       /* at the beginning, and at the end */
    struct dj_running watched;       /* where only some threads are seen: those */
    struct dj_capture_result result; /* as far as it is known */
    bool has_counters; /* of the app's threads; all there is where perf events are refused
                        */
    int64_t ends_ns;   /* INT64_MAX: when it is stopped */
    int64_t kernel_ns; /* our clock less the kernel's */
    bool buffer_bound; /* it is smaller than asked for: no more is permitted */
    pthread_t thread;
    bool started, stopped;
    pthread_mutex_t lock; /* of what the thread and its user share: */
    bool asked_to_end;
    pthread_cond_t change;
    struct dj_error broken; /* why it ended early; code 0: it did not */
    bool over;
    int64_t bytes;
};

/* Opens the spool, as large as the plan permits. */
int dj_linux_open_spool(struct dj_linux *capture, size_t page_size, struct dj_error *err);

/* Writes plan->output, from what the ended capture holds. Of its errors DJ_E_OUTPUT
 * leaves what could be written in its place. */
int dj_linux_write(struct dj_linux *capture, struct dj_error *err);

#endif
