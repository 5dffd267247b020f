/* A device in memory with its own clock. It has apps that draw at a rate, rings that
 * overrun, and planned failures. */
#ifndef DEJANK_TESTS_FAKE_DEVICE_H
#define DEJANK_TESTS_FAKE_DEVICE_H

#include "measure/collect.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

#define FAKE_TIMEOUT_NS (15 * SECOND)
#define FAKE_PATIENCE_NS                                                                 \
    SECOND /* Time that a current reading still has after stop_ns.                       \
            */

enum { FAKE_APPS = 4, FAKE_RING = 120 };

/* An app that draws a frame every interval_ns from from_ns until until_ns. Each frame
 * takes frame_ns. */
struct fake_app {
    int64_t pid;
    const char *title; /* NULL for "app/Main". */
    int64_t from_ns, until_ns, interval_ns, frame_ns;
    int64_t born_ns;       /* Start of the process. Its sections exist from then on. */
    int64_t dies_ns;       /* End of the process, or 0 for never. */
    bool leaves_a_segment; /* The section remains after the end and is marked as ended. */
    /* Time at which another program resets the counters, or 0 for never. */
    int64_t reset_ns;
    bool no_stats;
    uint64_t not_recorded; /* Columns that the dump says are not recorded. */
    /* Rows have a column "Mood" with twice the value of IntendedVsync. */
    bool vendor_column;
    int64_t skipped_every; /* Every n-th frame is followed by a row that drew nothing. */
    /* Rows only have FrameCompleted after this time from their start. */
    int64_t slow_completion_ns;
};

struct fake_device {
    struct dj_device base;
    int64_t now_ns;  /* Device time and host time, which are equal. */
    int64_t cost_ns; /* Duration of a reading. */
    struct fake_app app[FAKE_APPS];
    size_t app_count;
    uint32_t ring_rows; /* 0 for FAKE_RING. */
    int64_t gone_ns;    /* Time at which the device disconnects, or 0 for never. */
    /* Between these times, readings time out after 100 ms. */
    int64_t mute_from_ns, mute_until_ns;
    /* Time from which the app's section reports a failure, or 0 for never. */
    int64_t app_hangs_from_ns;
    /* Time from which readings take FAKE_TIMEOUT_NS, or 0 for never. */
    int64_t hangs_from_ns;
    int64_t stop_ns; /* Time from which the window is interrupted, or 0 for never. */
    bool no_clock;   /* Dumps have no uptime line. */
    int64_t clock_ahead_ns; /* The uptime line is too large by this much. */
    /* Resets do nothing, as on Android 12 and earlier without windows. */
    bool ignores_reset;
    bool reset_keeps_rows;
    /* What happened. */
    size_t readings, resets, events;
    int64_t requested_since_ns[2]; /* `since_ns` of the first and the last request. */
    int64_t our_reset_ns; /* Time of the last reset by dejank, or 0 if there was none. */
    char last_event[128];
};

void fake_device_init(struct fake_device *device);
void fake_world(struct fake_device *device, struct dj_collect_callbacks *world);

/* Returns the number of the app's frames that were completed after after_ns and not after
 * until_ns. */
int64_t fake_frames(const struct fake_app *app, int64_t after_ns, int64_t until_ns);

#endif
