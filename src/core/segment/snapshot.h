/*
 * The reading end: one consistent picture of a segment, taken without stopping the app.
 * The file is read, not mapped, so a writer that cuts it short is an error here and never
 * a SIGBUS; every byte is checked.
 */
#ifndef DEJANK_SEGMENT_SNAPSHOT_H
#define DEJANK_SEGMENT_SNAPSHOT_H

#include "base/error.h"
#include "gfxinfo/dump.h"
#include "segment/layout.h"

struct dj_snapshot_window {
    uint64_t key;
    char title[DJ_SEGMENT_NAME];
    bool open; /* false: the slot is just changing hands; only `cumulative` counts */
    int64_t interval_ns;
    bool interval_assumed;
    uint32_t visibility;        /* enum dj_visibility */
    uint32_t views;             /* 0: no toolkit tells */
    int64_t last_ns;            /* FrameCompleted of its newest frame; 0: none */
    struct dj_stats stats;      /* since the later of opening and the last reset */
    struct dj_stats cumulative; /* everything this slot ever counted, resets ignored */
    struct dj_stats process; /* this slot's share of the process block: everything since
                                the last reset */
    struct dj_frame *frames; /* rows since the last reset, oldest first; owned */
    size_t frame_count;
    uint64_t first_index; /* ring index of frames[0], or of the row to come where there is
                             none */
    uint64_t opened_index; /* ring index of the window's first frame ever */
    uint64_t profiled;     /* rows below this index were consumed by the simple dump */
};

struct dj_snapshot {
    int64_t pid;
    uint64_t start_ticks;
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    const struct dj_dialect *dialect;
    char app_version[DJ_SEGMENT_APP_VERSION]; /* "": none given */
    int64_t created_ns;
    int64_t created_wall_ns; /* CLOCK_REALTIME of created_ns */
    int64_t interval_ns;     /* of the window that presented last */
    int64_t run_ns;          /* which `dejank record` it belongs to, by when that began */
    int64_t since_ns;        /* "Stats since": the last reset, else created_ns */
    bool interval_assumed, profile;
    bool ended; /* the process that wrote it is no more, or another program by now */
    uint32_t pipelines;
    uint32_t keep;
    uint64_t dropped;
    char disabled[128];                 /* "": recording goes on */
    struct dj_snapshot_window *windows; /* by slot; owned */
    size_t window_count;
};

/* Whose segment a file is: enough to choose among many without reading them whole. */
struct dj_segment_identity {
    int64_t pid;
    uint64_t start_ticks;
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    int64_t run_ns;  /* which `dejank record` it belongs to, by when that began */
    bool ended;      /* the process that wrote it is no more, or another program by now */
    bool other_boot; /* its stamps are of a clock that stands no longer */
    int64_t last_ns; /* FrameCompleted of its newest frame, else when it was created */
};

/* Reads and checks the header; errors as dj_snapshot_read(). */
int dj_segment_identify(const char *path, unsigned owner,
                        struct dj_segment_identity *identity, struct dj_error *err);

struct dj_snapshot_options {
    size_t rows;       /* newest rows per window wanted; 0: all in the ring */
    bool ignore_reset; /* rows and stats from before the last reset too */
};

/*
 * Reads the segment in `path`. It must be a regular file of `owner` (DJ_E_OWNER), not a
 * link. Hostile bytes give DJ_E_INVALID, DJ_E_TRUNCATED or DJ_E_VERSION with an offset; a
 * writer that never holds still DJ_E_TIMEOUT; a segment whose writer died before the
 * header stood DJ_E_NO_DATA. Finish *snapshot also after errors.
 *
 * Rows and sums of a window are of one instant: as many rows as `stats` counts frames,
 * but for those the ring no longer holds or `rows` leaves out.
 */
int dj_snapshot_read(const char *path, unsigned owner,
                     const struct dj_snapshot_options *options,
                     struct dj_snapshot *snapshot, struct dj_error *err);
void dj_snapshot_finish(struct dj_snapshot *snapshot);

/* Of how many frames the sums were, and are now. */
struct dj_recount {
    const struct dj_dialect *from; /* whose rule had counted them */
    uint64_t counted, kept;
};

/* Makes the snapshot another release's: sums and deadlines are counted anew from the rows
 * it has, so that they are of fewer frames where a ring holds no more, or where not all
 * its rows were read. `cumulative` stays as it was. */
struct dj_recount dj_snapshot_recount(struct dj_snapshot *snapshot,
                                      const struct dj_dialect *dialect);

/* `dumpsys gfxinfo … reset` after the snapshot was printed: what it holds no longer
 * counts; frames since then do, so that none falls between two windows. Never takes back
 * a later reset. Also for hung and ended processes; never touches what the writer owns.
 * Concurrent resets queue up, for two seconds at most (DJ_E_TIMEOUT). */
int dj_segment_reset_to(const char *path, unsigned owner,
                        const struct dj_snapshot *snapshot, int64_t now_ns,
                        struct dj_error *err);

/* Switches the simple dump. */
int dj_segment_set_profile(const char *path, unsigned owner, bool on,
                           struct dj_error *err);

/* After the simple dump was printed: the rows of this snapshot are consumed. */
int dj_segment_consume_profile(const char *path, unsigned owner,
                               const struct dj_snapshot *snapshot, struct dj_error *err);

/* Adds the snapshot to a dump as one process section: windows, rows, the simple dump
 * where it is on. */
int dj_snapshot_to_dump(const struct dj_snapshot *snapshot, struct dj_dump *dump);

#endif
