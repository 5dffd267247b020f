/* measure: decides when to read a device and adds the readings of a window together. It
 * does not define the arithmetic of windows (frame/recovery.h) or the meaning of figures.
 *
 * This header: one window, an interval of the device's clock. Counters are read at both
 * ends. Rows are read as rarely as the ring allows. Every failure is a named outcome, and
 * the data collected so far is kept. */
#ifndef DEJANK_MEASURE_COLLECT_H
#define DEJANK_MEASURE_COLLECT_H

#include "device/device.h"
#include "frame/recovery.h"

enum dj_collect_outcome {
    DJ_COLLECT_DONE,
    DJ_COLLECT_NOT_RUNNING, /* no process had that name when the window should begin;
                             * nothing was collected */
    DJ_COLLECT_NO_FRAMES,   /* the process ran and rendered nothing: neither smooth nor
                             * janky */
    DJ_COLLECT_ENDED, /* a process ended in the window; it may have been restarted */
    DJ_COLLECT_GONE   /* the device disconnected or stopped answering; see `error` */
};

struct dj_collect_options {
    const char *package;
    int64_t duration_ns; /* > 0 */
    int64_t every_ns; /* 0: read rows as the ring requires; otherwise collect and reset at
                       * this interval */
    bool aggregate_only; /* counters and histograms at both ends; no rows */
    bool awaited; /* a process with that name need not exist when the window begins; all
                   * frames of a process that starts later count */
};

struct dj_collect_progress {
    int64_t elapsed_ns, duration_ns;
    size_t readings, rows;
};

/* What a collection calls and asks. All calls come from dj_measure_collect(). */
struct dj_collect_callbacks {
    /* The host's monotonic clock, and a wait by that clock, which may return early. NULL:
     * the real clock. */
    int64_t (*now_ns)(void *user);
    void (*sleep_ns)(void *user, int64_t ns);
    void (*progress)(
        void *user,
        const struct dj_collect_progress *progress); /* about ten times a second */
    void (*event)(void *user, const char *message);  /* a process ended or started */
    bool (*is_requested)(void *user); /* returns true once to request an early reading;
                                       * called repeatedly; NULL: never */
    bool (*is_ended)(void *user); /* returns true to end the window now, as at its normal
                                   * end; NULL: only the time ends it */
    void *user;
};

struct dj_gather;

/* The result of one window. Initialize it with zero. Finish it also after an error. */
struct dj_collection {
    struct dj_gather *gather; /* holds the rows of the dump; owned */
    struct dj_dump
        dump; /* one process per pid: differences of counters, rows inside the window */
    enum dj_collect_outcome outcome;
    char hint[200];   /* for DJ_COLLECT_NOT_RUNNING: what is known about that name; "":
                       * nothing */
    bool interrupted; /* the device's interrupt ended the window early */
    struct dj_error
        error; /* reason for DJ_COLLECT_GONE or for an early end (code 0: neither) */
    struct dj_span window; /* dev_ns; the part that readings cover */
    int64_t alive_ns; /* dev_ns of the last reading that showed a running process; −1:
                       * unknown or no such reading */
    struct dj_recovery recovery; /* of all processes */
    size_t restarts;             /* processes that started after another one had ended */
    size_t readings, failed_readings;
    int64_t cost_ns, cost_max_ns; /* of all readings; longest reading */
    size_t overlapped;            /* frames that were in progress during a reading */
    size_t resets;
    int64_t blind_ns; /* time between readings and their resets; frames of that time are
                       * not counted */
    size_t foreign_resets; /* counter resets by other programs; counts may be missing */
};

void dj_measure_collection_finish(struct dj_collection *collection);

/* Collects one window. Returns 0 for each outcome above. Otherwise the first reading
 * failed (its error), or memory ran out. Blocks for the duration, or until the device's
 * interrupt names a time. The interrupt ends the window at once, and readings that finish
 * before that time still belong to it. If the last reading fails then, the outcome is
 * DJ_COLLECT_GONE with DJ_E_INTERRUPTED. */
int dj_measure_collect(struct dj_device *device, const struct dj_collect_options *options,
                       const struct dj_collect_callbacks *callbacks,
                       struct dj_collection *collection, struct dj_error *err);

#endif
