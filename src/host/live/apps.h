/* All recorded apps that run on this machine, or all apps of another device, and their
 * frames. */
#ifndef DEJANK_LIVE_APPS_H
#define DEJANK_LIVE_APPS_H

#include "live/live.h"

/* A recorded process of this machine. */
struct dj_live_app {
    char name[DJ_LIVE_NAME], program[DJ_LIVE_NAME];
    int64_t pid;
    /* Start time of the `dejank record` that started the process. Identifies the run. */
    int64_t run_ns;
    /* End of the process's newest frame, or the creation of its segment if there is no
     * frame. Times are those of CLOCK_MONOTONIC. */
    int64_t last_ns;
};

struct dj_live_apps {
    struct dj_live_app *apps; /* The most recently active first. Owned by the struct. */
    size_t count;
};

/* Lists the recorded processes of this machine that run, for root those of all users.
 * *apps must be zero or filled by this function before. */
int dj_live_list_apps(struct dj_live_apps *apps, struct dj_error *err);
void dj_live_apps_finish(struct dj_live_apps *apps);

enum {
    /* Maximum number of processes in a group. Only those that were active last are in
     * it. */
    DJ_LIVE_GROUP_MAX = 64
};

/* How long a process stays in a group after its end. */
#define DJ_LIVE_GROUP_ENDED_NS DJ_LIVE_SPAN_NS

/* Views of all recorded processes that run, one for each process. Zero it before use. */
struct dj_live_group {
    struct dj_device *device; /* NULL for this machine. Owned. */
    struct dj_live **views;   /* In the order in which they were found. Owned. */
    size_t count;
    int64_t list_ns; /* Host time of the next search for processes. */
};

/* Makes the group that of the apps of a device whose processes have drawn frames, as
 * `dumpsys gfxinfo` lists them. `device` is as in dj_live_open(). Only apps that draw are
 * read often. */
int dj_live_group_open(struct dj_live_group *group, const char *device,
                       const struct dj_interrupt_request *stop, struct dj_error *err);

/* Adds the processes that have started, removes those that ended long ago, and updates
 * all views. An error of one process does not stop the others. */
int dj_live_group_update(struct dj_live_group *group, struct dj_error *err);
void dj_live_group_finish(struct dj_live_group *group);

#endif
