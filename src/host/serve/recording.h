/* Records a running app from its live view: measures it for some time in a thread of its
 * own, and stores the result as a run. A user can mark moments meanwhile. */
#ifndef DEJANK_SERVE_RECORDING_H
#define DEJANK_SERVE_RECORDING_H

#include <stdatomic.h>

#include "measure/stored_window.h"
#include "serve/http/channel.h"

struct dj_app_recording;

struct dj_app_recording_request {
    const char *device, *app, *store;
    const char *name, *label; /* `label` may be NULL. */
    int64_t duration_ns;
    struct dj_channel *events; /* Receives "recording", and at the end "recorded". */
    struct dj_interrupt_request stop;
};

/* Starts to record. Copies the texts of the request. */
struct dj_app_recording *
dj_serve_start_recording(const struct dj_app_recording_request *request);

/* Marks a moment, in time of the device. The moment's name is "mark N", and it lasts
 * until the next one. Returns DJ_E_LIMIT beyond DJ_WINDOW_MARKS_MAX. */
int dj_serve_mark_recording(struct dj_app_recording *recording, int64_t at_ns,
                            struct dj_error *err);

bool dj_serve_recording_has_ended(const struct dj_app_recording *recording);

/* Waits for the end and frees the recording. NULL is allowed. */
void dj_serve_finish_recording(struct dj_app_recording *recording);

#endif
