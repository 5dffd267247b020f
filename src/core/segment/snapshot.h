/* Reads a consistent snapshot of a segment without stopping the app. The file is read
 * and not mapped, so a writer that truncates it causes an error and no SIGBUS. Every
 * byte is checked. */
#ifndef DEJANK_SEGMENT_SNAPSHOT_H
#define DEJANK_SEGMENT_SNAPSHOT_H

#include "base/error.h"
#include "gfxinfo/dump.h"
#include "segment/layout.h"

struct dj_snapshot_window {
    uint64_t key;
    char title[DJ_SEGMENT_NAME];
    /* If false, the writer is assigning the slot to another window, and only
     * `cumulative` is valid. */
    bool open;
    int64_t interval_ns;
    bool interval_assumed;
    uint32_t visibility; /* A value of enum dj_visibility. */
    uint32_t views;      /* Number of widgets or items in the window, or 0 if unknown. */
    int64_t last_ns;     /* FrameCompleted of the newest frame, or 0 if there is none. */
    /* Statistics since the window was opened or since the last reset, whichever is
     * later. */
    struct dj_stats stats;
    /* Statistics of all frames in this slot, regardless of resets. */
    struct dj_stats cumulative;
    /* Statistics of all frames in this slot since the last reset. The sum over all slots
     * is the process's statistics. */
    struct dj_stats process;
    /* Rows since the last reset, oldest first. Owned by the struct. */
    struct dj_frame *frames;
    size_t frame_count;
    /* Index in the ring buffer of frames[0], or of the next row if there are no
     * frames. */
    uint64_t first_index;
    uint64_t opened_index; /* Index in the ring buffer of the window's first row. */
    uint64_t profiled;     /* The simple dump has printed the rows below this index. */
};

struct dj_snapshot {
    int64_t pid;
    uint64_t start_ticks;
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    const struct dj_dialect *dialect;
    char app_version[DJ_SEGMENT_APP_VERSION]; /* Version of the app, or "" if unknown. */
    int64_t created_ns;
    int64_t created_wall_ns; /* CLOCK_REALTIME at created_ns. */
    int64_t interval_ns;     /* Interval of the window that presented last. */
    /* Start time of the `dejank record` that started the process. Identifies the run. */
    int64_t run_ns;
    /* Time of the last reset, or created_ns. Printed as "Stats since". */
    int64_t since_ns;
    bool interval_assumed, profile;
    bool ended; /* Whether the process has ended or has replaced itself with exec(). */
    uint32_t pipelines;
    uint32_t keep;
    uint64_t dropped;
    char disabled[128]; /* Reason why recording stopped, or "" if it did not. */
    /* One element per window slot. Owned by the struct. */
    struct dj_snapshot_window *windows;
    size_t window_count;
};

/* Returns whether the frames have frame times. Frames that were recorded from outside the
 * process have none. */
static inline bool dj_segment_snapshot_has_frame_times(const struct dj_snapshot *snapshot)
{
    return snapshot->pipelines != 1U << DJ_PIPELINE_X_PRESENT;
}

/* Identifies a segment. Reading this takes less time than reading a snapshot. */
struct dj_segment_identity {
    int64_t pid;
    uint64_t start_ticks;
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    /* Start time of the `dejank record` that started the process. Identifies the run. */
    int64_t run_ns;
    bool ended; /* Whether the process has ended or has replaced itself with exec(). */
    bool other_boot; /* Whether the timestamps are from the clock of another boot. */
    /* FrameCompleted of the newest frame, or the creation time if there is none. */
    int64_t last_ns;
};

/* Reads and checks the header. Returns the same errors as dj_segment_snapshot_read(). */
int dj_segment_identify(const char *path, unsigned owner,
                        struct dj_segment_identity *identity, struct dj_error *err);

struct dj_snapshot_options {
    /* Number of newest rows per window to read, or 0 for all rows in the ring buffer. */
    size_t rows;
    /* Whether to include rows and statistics from before the last reset. */
    bool ignore_reset;
};

/* Reads the segment at `path`. Returns DJ_E_OWNER unless it is a regular file of `owner`.
 * A link is not a regular file. Invalid bytes cause DJ_E_INVALID, DJ_E_TRUNCATED or
 * DJ_E_VERSION with an offset. Returns DJ_E_TIMEOUT if the writer changes the data all
 * the time, and DJ_E_NO_DATA if the writer died before it completed the header. The
 * caller calls dj_segment_snapshot_finish(), even after an error.
 *
 * The rows and statistics of a window are from the same instant. Each frame in `stats`
 * has a row, unless the row is no longer in the ring buffer or options->rows excludes
 * it. */
int dj_segment_snapshot_read(const char *path, unsigned owner,
                             const struct dj_snapshot_options *options,
                             struct dj_snapshot *snapshot, struct dj_error *err);
void dj_segment_snapshot_finish(struct dj_snapshot *snapshot);

/* The result of computing the statistics again. `counted` is the number of frames in the
 * statistics before, and `kept` is their number after. */
struct dj_recount {
    /* Dialect by which the statistics were computed before. */
    const struct dj_dialect *from;
    uint64_t counted, kept;
};

/* Converts the snapshot to another dialect: computes statistics and deadlines again from
 * the rows. The result counts fewer frames if some rows are no longer in the ring buffer
 * or were not read. `cumulative` does not change. */
struct dj_recount dj_segment_snapshot_recount(struct dj_snapshot *snapshot,
                                              const struct dj_dialect *dialect);

/* Executes `dumpsys gfxinfo … reset` after the snapshot was printed. Later snapshots do
 * not count the data of this snapshot, but they count all frames recorded after it. So
 * no frame is lost between two measurement windows.
 *
 * Does not undo a reset that was later than the snapshot. Works even if the process
 * hangs or has ended, and does not change data of the writer. Concurrent resets wait for
 * each other, at most for two seconds (DJ_E_TIMEOUT). */
int dj_segment_reset_to(const char *path, unsigned owner,
                        const struct dj_snapshot *snapshot, int64_t now_ns,
                        struct dj_error *err);

/* Turns the simple dump on or off. */
int dj_segment_set_profile(const char *path, unsigned owner, bool on,
                           struct dj_error *err);

/* Marks the rows of this snapshot as printed by the simple dump. */
int dj_segment_consume_profile(const char *path, unsigned owner,
                               const struct dj_snapshot *snapshot, struct dj_error *err);

/* Adds the snapshot to a dump as one process, with windows and rows, and with the simple
 * dump if it is on. */
int dj_segment_snapshot_to_dump(const struct dj_snapshot *snapshot, struct dj_dump *dump);

#endif
