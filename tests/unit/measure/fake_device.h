/* A device in memory with a clock of its own: apps that render at a rate, rings that
 * overrun, faults on a schedule. */
#ifndef DEJANK_TESTS_FAKE_DEVICE_H
#define DEJANK_TESTS_FAKE_DEVICE_H

#include "measure/collect.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

#define FAKE_TIMEOUT_NS (15 * SECOND)
#define FAKE_PATIENCE_NS SECOND /* from stop_ns on, for readings under way */

enum { FAKE_APPS = 4, FAKE_RING = 120 };

/* An app that draws a frame each `interval_ns` from `from_ns` until `until_ns`, each
 * lasting `frame_ns`. */
struct fake_app {
    int64_t pid;
    const char *title; /* NULL: "app/Main" */
    int64_t from_ns, until_ns, interval_ns, frame_ns;
    int64_t born_ns;       /* process starts: sections from then on */
    int64_t dies_ns;       /* 0: never */
    bool leaves_a_segment; /* its section stays, marked as ended */
    int64_t reset_ns;      /* somebody resets at this time; 0: nobody */
    bool no_stats;
    uint64_t not_recorded;      /* columns its note names */
    bool vendor_column;         /* "Mood", twice the row's IntendedVsync */
    int64_t skipped_every;      /* each n-th slot also shows a row that drew nothing */
    int64_t slow_completion_ns; /* rows read "FrameCompleted" only this long after their
                                   start */
};

struct fake_device {
    struct dj_device base;
    int64_t now_ns;  /* dev_ns and host_ns at once */
    int64_t cost_ns; /* of a reading */
    struct fake_app app[FAKE_APPS];
    size_t app_count;
    uint32_t ring_rows; /* 0: FAKE_RING */
    int64_t gone_ns;    /* the device is no more from then on; 0: stays */
    int64_t mute_from_ns, mute_until_ns; /* readings time out after 100 ms */
    int64_t app_hangs_from_ns; /* its section is a failure from then on; 0: never */
    int64_t hangs_from_ns;     /* readings wait FAKE_TIMEOUT_NS from then on; 0: never */
    int64_t stop_ns;           /* the window is to end from then on; 0: never */
    bool no_clock;             /* dumps without an uptime line */
    int64_t clock_ahead_ns;    /* what its uptime line tells too much */
    bool ignores_reset;        /* as before Android 13 without windows */
    bool reset_keeps;
    /* what happened */
    size_t readings, resets, events;
    int64_t asked_since_ns[2]; /* by the first reading, and by the last */
    int64_t our_reset_ns;      /* counting starts here; 0: never reset */
    char last_event[128];
};

void fake_device_init(struct fake_device *device);
void fake_world(struct fake_device *device, struct dj_collect_world *world);

/* Frames of an app completed in (after_ns, until_ns]. */
int64_t fake_frames(const struct fake_app *app, int64_t after_ns, int64_t until_ns);

#endif
