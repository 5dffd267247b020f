/* Watches whether the plan's app runs: recorded, without the recorder, or not at all. It
 * may start later, and end before the capture does. */
#ifndef DEJANK_CAPTURE_APP_WATCH_H
#define DEJANK_CAPTURE_APP_WATCH_H

#include "capture/app_records.h"
#include "capture/capture.h"
#include "capture/linux/running.h"

/* Zero it, except for `app`. */
struct dj_app_watch {
    const char *app; /* as in struct dj_records; NULL: everything that is recorded, and no
                      * app is watched */
    enum dj_capture_app state;
    int64_t pid;    /* of the process last found; 0: none so far */
    bool runs;      /* a recorded process runs */
    bool begun;     /* it was checked before */
    char says[320]; /* a sentence about what is new since the last check; "": nothing */
};

/* Checks again, after a poll of the records. DJ_E_NO_MEMORY. */
int dj_app_watch_update(struct dj_app_watch *watch, const struct dj_records *records,
                        struct dj_error *err);

/* Writes half a sentence about what the trace lacks because of the app. `showed`: the
 * trace has frames or sections of it. Returns false if it lacks nothing. */
bool dj_app_watch_write_limit(const struct dj_app_watch *watch, bool showed,
                              char lack[DJ_CAPTURE_LIMIT]);

/* Returns the pid of the first process in the list with that name: its pid, its program's
 * name without folders, or its main thread's name as far as the kernel stores it. 0:
 * none. */
int32_t dj_app_watch_find(const struct dj_running *running, const char *app);

#endif
