/* The state of a window while it is collected. */
#ifndef DEJANK_MEASURE_WINDOW_COLLECTOR_H
#define DEJANK_MEASURE_WINDOW_COLLECTOR_H

#include "measure/collect.h"
#include "measure/gather.h"
#include "measure/window/poll_plan.h"

/* An interval in which the device was busy with a reading. */
struct dj_busy {
    int64_t start_ns, end_ns; /* Device times. */
};

struct dj_collector {
    struct dj_device *device;
    const struct dj_collect_options *options;
    const struct dj_collect_callbacks *callbacks;
    struct dj_collection *out;
    struct dj_gather *gather; /* Owned by `out`. */
    struct dj_poll_plan plan;
    struct dj_busy *busy; /* One element per reading that has a device time. Owned. */
    size_t busy_count;
    int64_t begun_ns; /* Host time at the end of the first reading. */
    int64_t read_ns;  /* Host time at the end of the last reading. */
    int64_t dev_ns;   /* Device time of the last reading, or −1 if it is unknown. */
    bool was_running;
    bool is_ended;           /* The caller ended the window early. */
    bool is_requested;       /* The caller requested a reading. */
    char first_warning[200]; /* First problem in the first reading. */
};

/* Computes the result from all readings. */
void dj_collector_compute_result(struct dj_collector *collector);

/* Sets the hint that explains why no process has the requested name. */
void dj_collector_set_hint(struct dj_collector *collector);

#endif
