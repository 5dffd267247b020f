/* Watches whether the plan's app runs, and whether the recorder is loaded into it. The
 * app may start after the capture starts, and may end before the capture ends. */
#ifndef DEJANK_CAPTURE_APP_WATCH_H
#define DEJANK_CAPTURE_APP_WATCH_H

#include "capture/app_records.h"
#include "capture/capture.h"
#include "capture/linux/running.h"

/* The state of the watch. Set `app` and zero the other members. */
struct dj_app_watch {
    /* Name of the app, as in struct dj_records. If NULL, every recorded app is captured
     * and no app is watched. */
    const char *app;
    enum dj_capture_app state;
    /* Process id of the process of the app that was found last, or 0 if none was found
     * yet. */
    int64_t pid;
    bool runs;       /* True if a recorded process of the app runs. */
    bool is_checked; /* True after the first check. */
    /* A sentence about what the last check has found to be changed, or "". */
    char message[320];
};

/* Checks the app again. Call this function after a poll of the records. Returns 0 or
 * DJ_E_NO_MEMORY. */
int dj_app_watch_update(struct dj_app_watch *watch, const struct dj_records *records,
                        struct dj_error *err);

/* Writes a phrase for a message. It says which data the trace lacks because the app did
 * not run or was not recorded. has_data is true if the trace contains frames or sections
 * of the app. Returns false if no data is missing. */
bool dj_app_watch_write_limit(const struct dj_app_watch *watch, bool has_data,
                              char limit[DJ_CAPTURE_LIMIT]);

/* Returns the process id of the first process in the list that `app` names, or 0 if there
 * is none. `app` may be a process id, the name of a program without folders, or the name
 * of a main thread. The kernel stores only the first 15 bytes of a thread's name. */
int32_t dj_app_watch_find(const struct dj_running *running, const char *app);

#endif
