/* Watches whether the plan's app runs, and whether it runs under the recorder. The app
 * may start after the capture and may end before it. */
#ifndef DEJANK_CAPTURE_APP_WATCH_H
#define DEJANK_CAPTURE_APP_WATCH_H

#include "capture/app_records.h"
#include "capture/capture.h"
#include "capture/linux/running.h"

/* Set `app` and zero the other members. */
struct dj_app_watch {
    const char *app; /* The app, as in struct dj_records. If NULL, every recorded app
                      * is captured and none is watched. */
    enum dj_capture_app state;
    int64_t pid;       /* Process id of the process that was found last, or 0 if none was
                        * found yet. */
    bool runs;         /* True if a recorded process of the app runs. */
    bool is_checked;   /* True after the first check. */
    char message[320]; /* A sentence about what has changed since the last check, or
                        * "". */
};

/* Checks the app again. Call it after a poll of the records. Returns 0 or
 * DJ_E_NO_MEMORY. */
int dj_app_watch_update(struct dj_app_watch *watch, const struct dj_records *records,
                        struct dj_error *err);

/* Writes what the trace does not contain because of the app, as a phrase for a
 * message. has_data is true if the trace contains frames or sections of the app.
 * Returns false if nothing is missing. */
bool dj_app_watch_write_limit(const struct dj_app_watch *watch, bool has_data,
                              char limit[DJ_CAPTURE_LIMIT]);

/* Returns the process id of the first process in the list that is called `app`, or 0.
 * This may be its process id, the name of its program without folders, or the name of
 * its main thread (the kernel stores only 15 bytes of a thread's name). */
int32_t dj_app_watch_find(const struct dj_running *running, const char *app);

#endif
