/* Measures one window of an app that already runs, and stores it as a batch with one
 * run. */
#ifndef DEJANK_MEASURE_STORED_WINDOW_H
#define DEJANK_MEASURE_STORED_WINDOW_H

#include "device/device.h"
#include "store/store.h"

struct dj_window_request {
    const char *device; /* The name of a device, as for dj_device_open(). */
    const char *app;    /* A process name or a pid. It is the project in the store. */
    const char *name;   /* The name of the batch. */
    const char *label;  /* The name of the build, or NULL. */
    int64_t duration_ns;
    /* Request to end the measurement early. The data that was measured so far is
     * stored. */
    struct dj_interrupt_request stop;
    /* Lists the parts of the window that the user marked during the measurement. Fills at
     * most `most` elements and returns their number. NULL if the user cannot mark
     * parts. */
    size_t (*list_marks)(void *user, const struct dj_span *window,
                         struct dj_store_window *marks, size_t most);
    void *user;
};

enum { DJ_WINDOW_MARKS_MAX = 64 };

/* Measures one window of the app and stores it. Blocks until the window has ended.
 * Returns DJ_E_NO_DATA and stores nothing if the app does not run or draws no frame. If
 * the app ends or the device disconnects, the frames up to then are stored with that
 * outcome. `store` is the path or URL of the store, or NULL for the default store, which
 * is created if it is missing. After success, writes the id of the batch. */
int dj_measure_store_window(const struct dj_window_request *request, const char *store,
                            char id[DJ_STORE_ID_BYTES], struct dj_error *err);

#endif
