/*
 * measure: windows of collection — when to read a device, and what the readings of one
 * window add up to. Not the arithmetic of windows (frame's recovery.h), nor what the
 * figures mean.
 *
 * This header: one window. Counters are read at both ends, rows as seldom as the ring
 * allows; the window is an interval of the device's clock. What can go wrong on the way
 * is a named outcome, and what was collected until then is kept.
 */
#ifndef DEJANK_MEASURE_COLLECT_H
#define DEJANK_MEASURE_COLLECT_H

#include "device/device.h"
#include "frame/recovery.h"

enum dj_collect_outcome {
    DJ_COLLECT_DONE,
    DJ_COLLECT_NOT_RUNNING, /* nobody had that name as the window was to begin: nothing
                               was collected */
    DJ_COLLECT_NO_FRAMES,   /* it ran, and rendered nothing: neither smooth nor janky */
    DJ_COLLECT_ENDED, /* a process ended in the window; it may have been started again */
    DJ_COLLECT_GONE   /* the device went away, or answered no more; `error` says how */
};

struct dj_collect_options {
    const char *package;
    int64_t duration_ns; /* > 0 */
    int64_t every_ns; /* 0: rows are read as the ring needs; else collect and reset this
                         often */
    bool aggregate_only; /* counters and histograms, at both ends; no rows */
    bool awaited; /* nobody needs to have that name yet as the window begins: all frames
                     of a process that starts later are in it */
};

struct dj_collect_progress {
    int64_t elapsed_ns, duration_ns;
    size_t readings, rows;
};

/* The world around a collection. The calls come from within dj_collect(). */
struct dj_collect_world {
    /* The host's clock, monotonic, and waiting by it, which may return early. NULL: its
     * own. */
    int64_t (*now_ns)(void *user);
    void (*sleep_ns)(void *user, int64_t ns);
    void (*progress)(
        void *user,
        const struct dj_collect_progress *progress); /* some ten times a second */
    void (*event)(void *user, const char *message);  /* a process ended, another began */
    bool (*due)(void *user);  /* true: read soon, whatever the ring needs (asked again and
                                 again; it is told once). NULL: never */
    bool (*over)(void *user); /* the window ends now, as if its time were over; NULL: only
                                 time ends it */
    void *user;
};

struct dj_gather;

/* What one window gave. Zero it; finish it also after an error. */
struct dj_collection {
    struct dj_gather *gather; /* holds the rows of the dump; owned */
    struct dj_dump
        dump; /* one process per pid: differences of counters, rows inside the window */
    enum dj_collect_outcome outcome;
    char hint[200];   /* of DJ_COLLECT_NOT_RUNNING: what else is known of that name; ""
                         nothing */
    bool interrupted; /* ended early by the device's interrupt */
    struct dj_error
        error; /* why it is DJ_COLLECT_GONE, or why it ended early (code 0: neither) */
    struct dj_span window; /* dev_ns; as far as readings reached */
    int64_t alive_ns; /* dev_ns of the last reading in which a process of it ran; −1:
                         unknown, or none did */
    struct dj_recovery recovery; /* of all processes */
    size_t restarts;             /* processes that appeared after another had ended */
    size_t readings, failed_readings;
    int64_t cost_ns, cost_max_ns; /* of all readings; of the longest */
    size_t overlapped;            /* frames that were under way while a reading was */
    size_t resets;
    int64_t blind_ns; /* between readings and their resets: frames of that time are in no
                         count */
    size_t
        foreign_resets; /* somebody else began the counters anew; counts may be lacking */
};

void dj_collection_finish(struct dj_collection *collection);

/*
 * Collects one window. 0 for every outcome above; otherwise the device could not be read
 * even once (its error), or memory ran out. Blocks for the duration, or until the
 * device's interrupt names a time: the window then ends at once, and what can still be
 * read by that time belongs to it. A last reading that comes to nothing is
 * DJ_COLLECT_GONE with DJ_E_INTERRUPTED.
 */
int dj_collect(struct dj_device *device, const struct dj_collect_options *options,
               const struct dj_collect_world *world, struct dj_collection *collection,
               struct dj_error *err);

#endif
