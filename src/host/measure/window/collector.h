/* The state of the collection of one window. */
#ifndef DEJANK_MEASURE_WINDOW_COLLECTOR_H
#define DEJANK_MEASURE_WINDOW_COLLECTOR_H

#include "measure/collect.h"
#include "measure/gather.h"
#include "measure/poll_plan.h"
#include "measure/window/surface_reader.h"

/* An interval in which the device was busy with a reading. */
struct dj_busy {
    int64_t start_ns, end_ns; /* Start and end in device time. */
};

struct dj_collector {
    struct dj_device *device;
    const struct dj_collect_options *options;
    const struct dj_collect_callbacks *callbacks;
    struct dj_collection *out;
    struct dj_gather *gather; /* Combines the readings. Owned by `out`. */
    struct dj_poll_plan plan;
    /* One interval for each reading whose device time is known. Owned by this struct. */
    struct dj_busy *busy;
    size_t busy_count;
    int64_t begun_ns; /* Host time at the end of the first reading. */
    int64_t read_ns;  /* Host time at the end of the last reading. */
    int64_t dev_ns;   /* Device time of the last reading, or −1 if unknown. */
    bool was_running;
    /* Reads SurfaceFlinger, if that is the source. */
    struct dj_surface_reader surface;
    bool is_surface;
    /* True if the first reading of gfxinfo shows no frame at all: it does not contain the
     * app, or it has counted none. */
    bool may_draw_without_gfxinfo;
    bool is_chosen;    /* True if SurfaceFlinger is the source because of that. */
    bool is_ended;     /* True if the caller has ended the window early. */
    bool is_requested; /* True if the caller requests a reading. */
    /* The first warning of the parser about the first reading, or "". */
    char first_warning[200];
};

/* Computes the result from all readings. */
void dj_collector_compute_result(struct dj_collector *collector);

/* Notes what the first reading of gfxinfo shows. */
void dj_source_note_opening(struct dj_collector *collector,
                            const struct dj_device_gfxinfo *reading);

/* Returns whether the app draws although gfxinfo has never counted a frame. Returns false
 * if the app does not answer gfxinfo. Takes 0.3 s if a layer of the app has presents.
 * Call this function after the first reading of gfxinfo. */
bool dj_source_is_surface(const struct dj_collector *collector);

/* Returns whether the app did not answer dumpsys in time. The dump then contains the
 * app's name but no data. */
bool dj_source_is_unanswered(const struct dj_device_gfxinfo *reading);

/* Sets the error for an app that did not answer. Returns its code. */
int dj_source_set_unanswered(struct dj_error *err);

/* Reads gfxinfo to find out whether the app still answers. SurfaceFlinger does not show
 * that. Returns DJ_E_NO_DATA if the app does not answer, or an error of the device. */
int dj_source_check_answer(const struct dj_collector *collector, struct dj_error *err);

/* Sets out->hint, which explains why no process has the requested name. */
void dj_collector_set_hint(struct dj_collector *collector);

#endif
