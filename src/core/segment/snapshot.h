/* Reads a segment: a consistent snapshot without stopping the app. The file is read
 * and not mapped, so a writer that truncates it causes an error and never SIGBUS.
 * Every byte is checked. */
#ifndef DEJANK_SEGMENT_SNAPSHOT_H
#define DEJANK_SEGMENT_SNAPSHOT_H

#include "base/error.h"
#include "gfxinfo/dump.h"
#include "segment/layout.h"

struct dj_snapshot_window {
    uint64_t key;
    char title[DJ_SEGMENT_NAME];
    bool open; /* false: the slot is being assigned to another window; only `cumulative`
                  counts */
    int64_t interval_ns;
    bool interval_assumed;
    uint32_t visibility;   /* enum dj_visibility */
    uint32_t views;        /* 0: unknown */
    int64_t last_ns;       /* FrameCompleted of its newest frame; 0: none */
    struct dj_stats stats; /* since the later of opening and the last reset */
    struct dj_stats
        cumulative; /* all that this slot ever counted, regardless of resets */
    struct dj_stats
        process; /* this slot's part of the process block: since the last reset */
    struct dj_frame *frames; /* rows since the last reset, oldest first; owned */
    size_t frame_count;
    uint64_t
        first_index; /* ring index of frames[0], or of the next row if there is none */
    uint64_t opened_index; /* ring index of the window's first frame */
    uint64_t profiled;     /* rows below this index were consumed by the simple dump */
};

struct dj_snapshot {
    int64_t pid;
    uint64_t start_ticks;
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    const struct dj_dialect *dialect;
    char app_version[DJ_SEGMENT_APP_VERSION]; /* "": none */
    int64_t created_ns;
    int64_t created_wall_ns; /* CLOCK_REALTIME of created_ns */
    int64_t interval_ns;     /* of the window that presented last */
    int64_t run_ns;   /* identifies its `dejank record` by the time when that began */
    int64_t since_ns; /* "Stats since": the last reset, else created_ns */
    bool interval_assumed, profile;
    bool ended; /* the process that wrote it has ended, or runs another program now */
    uint32_t pipelines;
    uint32_t keep;
    uint64_t dropped;
    char disabled[128];                 /* "": recording continues */
    struct dj_snapshot_window *windows; /* by slot; owned */
    size_t window_count;
};

/* The identity of a segment: enough to choose among many without reading all data. */
struct dj_segment_identity {
    int64_t pid;
    uint64_t start_ticks;
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    int64_t run_ns; /* identifies its `dejank record` by the time when that began */
    bool ended;     /* the process that wrote it has ended, or runs another program now */
    bool other_boot; /* its timestamps are from the clock of another boot */
    int64_t last_ns; /* FrameCompleted of its newest frame, or its creation time if it has
                        none */
};

/* Reads and checks the header. Has the same errors as dj_segment_snapshot_read(). */
int dj_segment_identify(const char *path, unsigned owner,
                        struct dj_segment_identity *identity, struct dj_error *err);

struct dj_snapshot_options {
    size_t rows;       /* newest rows per window to read; 0: all in the ring */
    bool ignore_reset; /* include rows and statistics from before the last reset */
};

/* Reads the segment at `path`. It must be a regular file of `owner` (DJ_E_OWNER), not
 * a link. Invalid bytes give DJ_E_INVALID, DJ_E_TRUNCATED or DJ_E_VERSION with an
 * offset. A writer that changes the data all the time gives DJ_E_TIMEOUT. A segment
 * whose writer died before it completed the header gives DJ_E_NO_DATA. The caller
 * finishes *snapshot also after errors.
 *
 * The rows and sums of a window are from the same instant: there are as many rows as
 * `stats` counts frames, less those that the ring no longer holds or `rows` excludes. */
int dj_segment_snapshot_read(const char *path, unsigned owner,
                             const struct dj_snapshot_options *options,
                             struct dj_snapshot *snapshot, struct dj_error *err);
void dj_segment_snapshot_finish(struct dj_snapshot *snapshot);

/* How many frames the sums counted before, and count now. */
struct dj_recount {
    const struct dj_dialect *from; /* the release that had counted them */
    uint64_t counted, kept;
};

/* Converts the snapshot to another release: computes sums and deadlines again from its
 * rows. So they count fewer frames if a ring no longer holds all rows, or if not all
 * were read. `cumulative` does not change. */
struct dj_recount dj_segment_snapshot_recount(struct dj_snapshot *snapshot,
                                              const struct dj_dialect *dialect);

/* Executes `dumpsys gfxinfo … reset` after the snapshot was printed: its data no
 * longer counts. Frames since then count, so none is lost between two windows. Never
 * undoes a later reset. Works for hung and ended processes, and never changes data of
 * the writer. Concurrent resets wait for each other, for two seconds at most
 * (DJ_E_TIMEOUT). */
int dj_segment_reset_to(const char *path, unsigned owner,
                        const struct dj_snapshot *snapshot, int64_t now_ns,
                        struct dj_error *err);

/* Turns the simple dump on or off. */
int dj_segment_set_profile(const char *path, unsigned owner, bool on,
                           struct dj_error *err);

/* Marks the rows of this snapshot as consumed, after the simple dump was printed. */
int dj_segment_consume_profile(const char *path, unsigned owner,
                               const struct dj_snapshot *snapshot, struct dj_error *err);

/* Adds the snapshot to a dump as one process section: windows, rows, and the simple
 * dump if it is on. */
int dj_segment_snapshot_to_dump(const struct dj_snapshot *snapshot, struct dj_dump *dump);

#endif
