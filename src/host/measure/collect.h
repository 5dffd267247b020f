/*
 * measure decides when to read a device and adds up the readings of a window. A window is
 * an interval of the device's clock for which figures are collected. The arithmetic of
 * windows is in frame/recovery.h, the meaning of figures in metrics.
 *
 * This header declares the collection of one window. Counters are read at the start and
 * the end of the window. Rows are read as rarely as the size of the device's ring allows.
 * Every failure has an outcome, and the data collected until then is kept.
 */
#ifndef DEJANK_MEASURE_COLLECT_H
#define DEJANK_MEASURE_COLLECT_H

#include "device/device.h"
#include "frame/recovery.h"

enum dj_collect_outcome {
    DJ_COLLECT_DONE,
    /* No process had the name when the window was about to begin. Nothing was
     * collected. */
    DJ_COLLECT_NOT_RUNNING,
    /* The process ran but rendered nothing, so it was neither smooth nor janky. */
    DJ_COLLECT_NO_FRAMES,
    DJ_COLLECT_ENDED, /* A process ended in the window. It may have been restarted. */
    DJ_COLLECT_GONE   /* The device disconnected or stopped answering. See `error`. */
};

struct dj_collect_options {
    const char *package;
    int64_t duration_ns; /* Must be positive. */
    /* 0 to read rows as often as the ring requires. Otherwise rows are read and reset at
     * this interval. */
    int64_t every_ns;
    /* Only reads counters and histograms, at the start and the end of the window, and no
     * rows. */
    bool aggregate_only;
    /* The process may start after the window begins. All frames of a process that starts
     * later count. */
    bool awaited;
};

struct dj_collect_progress {
    int64_t elapsed_ns, duration_ns;
    size_t readings, rows;
};

/* Callbacks of a collection. All of them are called from dj_measure_collect(). */
struct dj_collect_callbacks {
    /* Return the host's monotonic time, and wait by that clock. sleep_ns() may return
     * early. NULL means the real clock. */
    int64_t (*now_ns)(void *user);
    void (*sleep_ns)(void *user, int64_t ns);
    /* Called about ten times a second. May be NULL. */
    void (*progress)(void *user, const struct dj_collect_progress *progress);
    /* Called when a process ends or starts. May be NULL. */
    void (*event)(void *user, const char *message);
    /* Returns true to request an early reading. Called repeatedly. May be NULL. */
    bool (*is_requested)(void *user);
    /* Returns true to end the window now, as at its normal end. May be NULL. */
    bool (*is_ended)(void *user);
    void *user;
};

struct dj_gather;

/* The result of one window. Initialize it with zero. Finish it even after an error. */
struct dj_collection {
    struct dj_gather *gather; /* Owns the rows of the dump. Owned. */
    /* One process per pid, with the differences of its counters and the rows inside
     * the window. */
    struct dj_dump dump;
    enum dj_collect_outcome outcome;
    /* For DJ_COLLECT_NOT_RUNNING: what is known about that process name, or "". */
    char hint[200];
    bool interrupted; /* True if the device's interrupt ended the window early. */
    /* Reason for DJ_COLLECT_GONE or for an early end. Its code is 0 if there was
     * neither. */
    struct dj_error error;
    /* Part of the window that the readings cover, in device time. */
    struct dj_span window;
    /* Device time of the last reading that showed a running process, or −1 if it is
     * unknown or there was none. */
    int64_t alive_ns;
    struct dj_recovery recovery; /* Sums over all processes. */
    size_t restarts; /* Number of processes that started after another one had ended. */
    size_t readings, failed_readings;
    /* Total duration of all readings, and duration of the longest reading. */
    int64_t cost_ns, cost_max_ns;
    size_t overlapped; /* Number of frames that were in progress during a reading. */
    size_t resets;
    /* Total time between readings and their resets. Frames in this time are not
     * counted. */
    int64_t blind_ns;
    /* Number of counter resets by other programs. Frames may be missing from the
     * counts. */
    size_t foreign_resets;
};

void dj_measure_collection_finish(struct dj_collection *collection);

/* Collects one window. Returns 0 for every outcome in enum dj_collect_outcome. Returns an
 * error if the first reading failed or memory ran out. Blocks until the window ends. An
 * interrupt of the device ends the window at once. Readings that finish before the time
 * that the interrupt names still belong to the window. If the last reading fails then,
 * the outcome is DJ_COLLECT_GONE and the error is DJ_E_INTERRUPTED. */
int dj_measure_collect(struct dj_device *device, const struct dj_collect_options *options,
                       const struct dj_collect_callbacks *callbacks,
                       struct dj_collection *collection, struct dj_error *err);

#endif
