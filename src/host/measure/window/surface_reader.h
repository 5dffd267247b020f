/* Reads the frames of an app from SurfaceFlinger, which shows the windows of all apps. A
 * reading has the form of a reading of gfxinfo: a layer is a window, and of its frames
 * only the present is known. So all code that combines readings works for both. */
#ifndef DEJANK_MEASURE_WINDOW_SURFACE_READER_H
#define DEJANK_MEASURE_WINDOW_SURFACE_READER_H

#include "device/device.h"
#include "measure/window/surface_rows.h"
#include "measure/window/timestats.h"

struct dj_surface_request {
    /* True for the first read of a window, which starts timestats. */
    bool opening;
    /* True for the last read of a window, which reads timestats again. */
    bool last;
    bool aggregate_only; /* True if the rows are not read. */
};

/* Initialize it with zero. Do not move it in memory after the first reading. */
struct dj_surface_reader {
    struct dj_device *device;
    const char *package;
    struct dj_journal *journal; /* The journal of the device, or NULL. */
    struct dj_surface_layers layers;
    struct dj_timestats timestats;
    int64_t first_pid; /* Process of the first reading that had one, or 0. */
};

/* Reads the app's layers. Returns the errors of dj_device_run(). */
int dj_surface_reader_read(struct dj_surface_reader *reader,
                           const struct dj_surface_request *request,
                           struct dj_device_gfxinfo *reading, struct dj_error *err);

/* Returns the number of times that frames may be lost because the ring was overwritten
 * before it was read. */
size_t dj_surface_reader_count_gaps(const struct dj_surface_reader *reader);

/* Finds the latest present of all layers. Returns 0 if there is none. */
int64_t dj_surface_reader_find_latest(const struct dj_surface_reader *reader);

/* Stops timestats and frees everything. */
void dj_surface_reader_finish(struct dj_surface_reader *reader);

#endif
