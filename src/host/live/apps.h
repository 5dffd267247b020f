/* Lists the recorded apps of this machine, or the apps of another device, and reads their
 * frames. */
#ifndef DEJANK_LIVE_APPS_H
#define DEJANK_LIVE_APPS_H

#include "live/live.h"

/* A recorded process of this machine. */
struct dj_live_app {
    char name[DJ_LIVE_NAME], program[DJ_LIVE_NAME];
    int64_t pid;
    /* Start time of the `dejank record` that started the process. It identifies the
     * recording. */
    int64_t run_ns;
    /* End of the process's newest frame, or the creation of its segment if there is no
     * frame. Times are those of CLOCK_MONOTONIC. */
    int64_t last_ns;
};

struct dj_live_apps {
    /* Apps, sorted by last activity, the latest first. Owned by this struct. */
    struct dj_live_app *apps;
    size_t count;
};

/* Lists the recorded processes of this machine that are running. For root, the list
 * includes the processes of all users. *apps must be zero, or the result of an earlier
 * call. */
int dj_live_list_apps(struct dj_live_apps *apps, struct dj_error *err);
void dj_live_apps_finish(struct dj_live_apps *apps);

enum {
    /* Maximum number of processes in a group. If there are more, the group contains those
     * with the latest activity. */
    DJ_LIVE_GROUP_MAX = 64
};

/* Time in ns for which a process stays in a group after its end. */
#define DJ_LIVE_GROUP_ENDED_NS DJ_LIVE_SPAN_NS

/* A group contains one view (struct dj_live) for each running process that was recorded.
 * Zero the struct before use. */
struct dj_live_group {
    /* The device of all processes, or NULL for this machine. Owned by this struct. */
    struct dj_device *device;
    /* Views, in the order in which their processes were found. Owned by this struct. */
    struct dj_live **views;
    size_t count;
    int64_t list_ns; /* Host time of the next search for processes. */
};

/* Opens a group for the apps of a device whose processes have drawn frames, as `dumpsys
 * gfxinfo` lists them. `device` is as in dj_live_open(). Apps that do not draw at the
 * moment are read less often. */
int dj_live_group_open(struct dj_live_group *group, const char *device,
                       const struct dj_interrupt_request *stop, struct dj_error *err);

/* Adds new processes, removes processes that ended long ago, and updates all views. An
 * error of one process does not stop the others. */
int dj_live_group_update(struct dj_live_group *group, struct dj_error *err);
void dj_live_group_finish(struct dj_live_group *group);

#endif
