/* A device in memory with its own clock: apps that draw at a rate, rings that overrun,
 * and planned failures. */
#ifndef DEJANK_TESTS_FAKE_DEVICE_H
#define DEJANK_TESTS_FAKE_DEVICE_H

#include "measure/collect.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

#define FAKE_TIMEOUT_NS (15 * SECOND)
#define FAKE_PATIENCE_NS SECOND /* time for readings in progress, from stop_ns on */

enum { FAKE_APPS = 4, FAKE_RING = 120 };

/* An app that draws a frame every `interval_ns` from `from_ns` until `until_ns`. Each
 * frame takes `frame_ns`. */
struct fake_app {
    int64_t pid;
    const char *title; /* NULL: "app/Main" */
    int64_t from_ns, until_ns, interval_ns, frame_ns;
    int64_t born_ns;       /* the process starts; its sections exist from then on */
    int64_t dies_ns;       /* 0: never */
    bool leaves_a_segment; /* its section remains and is marked as ended */
    int64_t reset_ns;      /* time at which another program resets the counters; 0:
                            * never */
    bool no_stats;
    uint64_t not_recorded;      /* columns that its note names */
    bool vendor_column;         /* "Mood", twice the row's IntendedVsync */
    int64_t skipped_every;      /* every n-th slot also shows a row that drew nothing */
    int64_t slow_completion_ns; /* rows show "FrameCompleted" only this long after
                                 * their start */
};

struct fake_device {
    struct dj_device base;
    int64_t now_ns;  /* dev_ns and host_ns at the same time */
    int64_t cost_ns; /* duration of a reading */
    struct fake_app app[FAKE_APPS];
    size_t app_count;
    uint32_t ring_rows; /* 0: FAKE_RING */
    int64_t gone_ns;    /* time at which the device disconnects; 0: never */
    int64_t mute_from_ns, mute_until_ns; /* readings time out after 100 ms */
    int64_t app_hangs_from_ns; /* its section reports a failure from then on; 0: never */
    int64_t hangs_from_ns;     /* readings take FAKE_TIMEOUT_NS from then on; 0: never */
    int64_t stop_ns;           /* the window is interrupted from then on; 0: never */
    bool no_clock;             /* dumps without an uptime line */
    int64_t clock_ahead_ns;    /* its uptime line shows this much too much */
    bool ignores_reset;        /* like Android 12 and earlier without windows */
    bool reset_keeps_rows;
    /* what happened */
    size_t readings, resets, events;
    int64_t asked_since_ns[2]; /* in the first reading, and in the last one */
    int64_t our_reset_ns;      /* counters begin at this time; 0: never reset */
    char last_event[128];
};

void fake_device_init(struct fake_device *device);
void fake_world(struct fake_device *device, struct dj_collect_callbacks *world);

/* Frames of an app that were completed in (after_ns, until_ns]. */
int64_t fake_frames(const struct fake_app *app, int64_t after_ns, int64_t until_ns);

#endif
