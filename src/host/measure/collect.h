/*
 * The module measure decides when to read the frames of an app on a device, and combines
 * the readings. A reading is one dump of gfxinfo or of SurfaceFlinger. A window is an
 * interval of the device's clock in which the frames of an app are measured.
 *
 * This header declares the collection of one window. The counters at the start and at the
 * end of the window are compared. In between, rows (one per frame) are read as rarely as
 * possible, but often enough that the device's ring of rows does not overwrite unread
 * rows. After a failure, the outcome names it, and the data collected before is kept.
 *
 * frame/recovery.h contains the arithmetic of windows. metrics defines the figures that
 * are computed from the result.
 */
#ifndef DEJANK_MEASURE_COLLECT_H
#define DEJANK_MEASURE_COLLECT_H

#include "device/device.h"
#include "frame/recovery.h"

enum dj_collect_outcome {
    DJ_COLLECT_DONE,
    /* No process had the requested name at the start of the window, so nothing was
     * collected. */
    DJ_COLLECT_NOT_RUNNING,
    /* A process ran but drew no frame, so nothing can be said about its frames. */
    DJ_COLLECT_NO_FRAMES,
    DJ_COLLECT_ENDED, /* A process ended during the window. It may have been restarted. */
    /* The device disconnected or did not answer any more. `error` contains the reason. */
    DJ_COLLECT_GONE
};

struct dj_journal;

struct dj_collect_options {
    const char *package;
    int64_t duration_ns; /* Length of the window in ns, > 0. */
    /* Interval at which rows are read and reset. If 0, rows are read as often as the
     * device's ring requires. */
    int64_t every_ns;
    /* True if only counters and histograms are read, at the start and at the end of the
     * window. */
    bool aggregate_only;
    /* Source of the frames: "gfxinfo", "surface" or "auto". NULL means "auto". "auto"
     * uses gfxinfo, with one exception: if an app draws when the window begins but
     * gfxinfo never counted a frame of it, the frames are read from SurfaceFlinger. */
    const char *source;
    /* Journal in which the change is recorded that timestats were enabled. If NULL, and
     * if the device's lease is free, the journal is opened as long as it is needed. */
    struct dj_journal *journal;
    /* True if the process may start after the window has begun. All frames of such a
     * process belong to the window. */
    bool awaited;
};

struct dj_collect_progress {
    int64_t elapsed_ns, duration_ns;
    size_t readings, rows;
};

/* Callbacks of a collection. All of them are called from dj_measure_collect(). */
struct dj_collect_callbacks {
    /* now_ns() returns the host's monotonic time. sleep_ns() waits for a duration,
     * measured with this clock, and may return early. If both are NULL, the real clock is
     * used. */
    int64_t (*now_ns)(void *user);
    void (*sleep_ns)(void *user, int64_t ns);
    /* Called about ten times a second. May be NULL. */
    void (*progress)(void *user, const struct dj_collect_progress *progress);
    /* Called when a process ends or starts. May be NULL. */
    void (*event)(void *user, const char *message);
    /* Returns true if the device should be read now. Called repeatedly. May be NULL. */
    bool (*is_requested)(void *user);
    /* Returns true if the window should end now. The result is the same as at the normal
     * end. May be NULL. */
    bool (*is_ended)(void *user);
    void *user;
};

struct dj_gather;

/* The result of one window. Initialize it with zero. Finish it even after an error. */
struct dj_collection {
    struct dj_gather *gather; /* Storage of the rows in `dump`. Owned by this struct. */
    /* One process per process id. The counters are the differences between the end and
     * the start of the window. The rows are those of frames in the window. */
    struct dj_dump dump;
    enum dj_collect_outcome outcome;
    /* For DJ_COLLECT_NOT_RUNNING, an explanation why no process has the requested name,
     * or "" if there is none. */
    char hint[200];
    bool interrupted; /* True if an interrupt of the device ended the window early. */
    /* Reason for DJ_COLLECT_GONE or for an early end of the window. The code is 0 if
     * there is no such reason. */
    struct dj_error error;
    /* The part of the window for which data was read, in device time. */
    struct dj_span window;
    /* Device time of the last reading in which a process was running, or −1 if there was
     * no such reading or its time is unknown. */
    int64_t alive_ns;
    /* How many frames were counted and how many have a row, summed over all processes. */
    struct dj_recovery recovery;
    /* Number of processes that started after another process of the app had ended. */
    size_t restarts;
    size_t readings, failed_readings;
    /* Total duration of all readings, and duration of the longest reading. */
    int64_t cost_ns, cost_max_ns;
    /* Number of frames that were drawn while a reading was in progress. */
    size_t overlapped;
    size_t resets;
    /* Total time between readings and the resets after them. Frames in this time are
     * lost. */
    int64_t blind_ns;
    /* How many times another program has reset the counters. The counts may lack some
     * frames. */
    size_t foreign_resets;
    /* True if the frames were read from SurfaceFlinger. Then only their presents are
     * known. */
    bool from_surface;
    /* True if another program cleared SurfaceFlinger's counters in the window. */
    bool is_cleared;
    /* Number of times that SurfaceFlinger overwrote rows of a layer before they were
     * read. The number of frames that were lost in this way is unknown. */
    size_t gaps;
    /* The layers' counters and histograms of the window, as text of timestats. Empty if
     * they are unknown. */
    struct dj_text timestats;
};

void dj_measure_collection_finish(struct dj_collection *collection);

/* Appends the result as text: gfxinfo, then the counters of SurfaceFlinger if there are
 * any. If `rows` is true, the text contains the rows. */
void dj_measure_print_collection(struct dj_text *text,
                                 const struct dj_collection *collection, bool rows);

/* Writes the text of dj_measure_print_collection() with rows to a descriptor. The text is
 * written in parts, so that it is never completely in memory. `collection` is a struct
 * dj_collection. Returns 0, or the errno of a failed write. */
int dj_measure_write_collection(void *collection, int fd);

/* Collects one window. Blocks until the window ends. Returns 0 for every outcome in enum
 * dj_collect_outcome. Returns an error if the first reading fails or memory runs out.
 *
 * An interrupt of the device ends the window at once. Readings that end before the time
 * of the interrupt still belong to the window. If the last reading of an interrupted
 * window fails, the outcome is DJ_COLLECT_GONE and the error is DJ_E_INTERRUPTED. */
int dj_measure_collect(struct dj_device *device, const struct dj_collect_options *options,
                       const struct dj_collect_callbacks *callbacks,
                       struct dj_collection *collection, struct dj_error *err);

#endif
