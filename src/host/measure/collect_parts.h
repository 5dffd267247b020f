/* A window while it is collected. Private to the collect*.c files. */
#ifndef DEJANK_MEASURE_COLLECT_PARTS_H
#define DEJANK_MEASURE_COLLECT_PARTS_H

#include "measure/collect.h"
#include "measure/gather.h"
#include "measure/poll_plan.h"

/* An interval in which the device was busy answering. */
struct dj_busy {
    int64_t start_ns, end_ns; /* dev_ns */
};

struct dj_collector {
    struct dj_device *device;
    const struct dj_collect_options *options;
    const struct dj_collect_world *world;
    struct dj_collection *out;
    struct dj_gather *gather; /* of `out` */
    struct dj_poll_plan plan;
    struct dj_busy *busy; /* one per reading with a clock; owned */
    size_t busy_count;
    int64_t begun_ns; /* host_ns as the first reading was done */
    int64_t read_ns;  /* host_ns as the last reading was done */
    int64_t dev_ns;   /* of the last reading; −1 unknown */
    bool was_anyone;
    bool over;             /* before its time, as its user wished */
    bool due;              /* somebody asked for a reading */
    char passed_over[200]; /* the first thing in the first reading that could not be used
                            */
};

/* Fills the collection from all readings. */
void dj_collect_settle(struct dj_collector *collector);

/* What else is known of the name that nobody had. */
void dj_collect_give_hint(struct dj_collector *collector);

#endif
