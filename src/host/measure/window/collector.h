/* The state of a window while it is collected. */
#ifndef DEJANK_MEASURE_WINDOW_COLLECTOR_H
#define DEJANK_MEASURE_WINDOW_COLLECTOR_H

#include "measure/collect.h"
#include "measure/gather.h"
#include "measure/window/poll_plan.h"

/* An interval in which the device was busy with an answer. */
struct dj_busy {
    int64_t start_ns, end_ns; /* dev_ns */
};

struct dj_collector {
    struct dj_device *device;
    const struct dj_collect_options *options;
    const struct dj_collect_callbacks *callbacks;
    struct dj_collection *out;
    struct dj_gather *gather; /* owned by `out` */
    struct dj_poll_plan plan;
    struct dj_busy *busy; /* one per reading that has a clock; owned */
    size_t busy_count;
    int64_t begun_ns; /* host_ns at the end of the first reading */
    int64_t read_ns;  /* host_ns at the end of the last reading */
    int64_t dev_ns;   /* time of the last reading; −1: unknown */
    bool was_running;
    bool is_ended;           /* the caller ended the window early */
    bool is_requested;       /* the caller requested a reading */
    char first_warning[200]; /* the first problem of the first reading */
};

/* Computes the result from all readings. */
void dj_collector_compute_result(struct dj_collector *collector);

/* Explains why no process has the requested name. */
void dj_collector_set_hint(struct dj_collector *collector);

#endif
