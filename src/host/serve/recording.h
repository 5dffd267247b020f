/* Records a running app from its live view. A separate thread measures the app for some
 * time and stores the result as a run. A user can mark moments during this time. */
#ifndef DEJANK_SERVE_RECORDING_H
#define DEJANK_SERVE_RECORDING_H

#include <stdatomic.h>

#include "measure/stored_window.h"
#include "serve/http/channel.h"

struct dj_app_recording;

struct dj_app_recording_request {
    const char *device, *app, *store;
    const char *name, *label; /* Name of the run, and its label. `label` may be NULL. */
    int64_t duration_ns;
    /* Channel that receives the event "recording", and at the end the event
     * "recorded". */
    struct dj_channel *events;
    struct dj_interrupt_request stop;
};

/* Starts to record. Copies the texts of the request. */
struct dj_app_recording *
dj_serve_start_recording(const struct dj_app_recording_request *request);

/* Marks a moment of the recording. at_ns is a device time. The mark begins a window named
 * "mark N", which lasts until the next mark. Returns DJ_E_LIMIT if there are
 * DJ_WINDOW_MARKS_MAX marks. */
int dj_serve_mark_recording(struct dj_app_recording *recording, int64_t at_ns,
                            struct dj_error *err);

bool dj_serve_recording_has_ended(const struct dj_app_recording *recording);

/* Waits for the end of the recording and frees it. NULL is allowed. */
void dj_serve_finish_recording(struct dj_app_recording *recording);

#endif
