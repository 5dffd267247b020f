/* Whether the app that a capture is to be of is there: recorded, without the recorder, or
 * not at all; it may begin later, and end before the capture does. Of this room only. */
#ifndef DEJANK_CAPTURE_APP_WATCH_H
#define DEJANK_CAPTURE_APP_WATCH_H

#include "capture/app_records.h"
#include "capture/capture.h"
#include "capture/running.h"

/* Zero it but for `app`. */
struct dj_app_watch {
    const char *app; /* as records have it; NULL: all that is recorded, and nothing is
                        looked for */
    enum dj_capture_app state;
    int64_t pid;    /* of the process last found; 0: none yet */
    bool runs;      /* it does; of recorded ones */
    bool begun;     /* somebody looked before */
    char says[320]; /* what is new since the last look, a sentence; "" nothing */
};

/* Looks again, behind a poll of the records. DJ_E_NO_MEMORY. */
int dj_app_watch_look(struct dj_app_watch *watch, const struct dj_records *records,
                      struct dj_error *err);

/* What a trace lacks because of it, as half a sentence for a limit. `showed`: there are
 * frames or sections of it. False: it lacks nothing. */
bool dj_app_watch_lack(const struct dj_app_watch *watch, bool showed,
                       char lack[DJ_CAPTURE_LIMIT]);

/* ---- of tests as well ---- */

/* The first process of the list that goes by that name: its pid, its program's name
 * without folders, or its main thread's, as far as the kernel keeps it. 0: none. */
int32_t dj_running_find(const struct dj_running *running, const char *app);

#endif
