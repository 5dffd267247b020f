/*
 * gfxinfo: the text of `dumpsys gfxinfo` — one grammar, printed and read with the same
 * tables of lines and columns. Not where the numbers come from (frame, segment). Pure:
 * text in, structs out, and back.
 *
 * This header: a whole dump as a tree, the same whether it was read from text or made
 * from a segment.
 */
#ifndef DEJANK_GFXINFO_DUMP_H
#define DEJANK_GFXINFO_DUMP_H

#include "base/error.h"
#include "base/text.h"
#include "frame/dialect.h"
#include "frame/stats.h"

/* A row of the simple dump ("Profile GPU rendering"), ms as printed; columns it lacks are
 * negative (4.x has no Prepare). */
struct dj_profile_row {
    float draw_ms, prepare_ms, process_ms, execute_ms;
};

/* A statistics block. When read, `printed_*` hold what the text said and `lines` which
 * lines were there. Printed are the lines of `lines` that the dialect has; percentiles
 * are computed from the histogram, or repeated where there was none. */
struct dj_stats_block {
    bool present;
    struct dj_stats stats;
    uint32_t
        lines; /* bit n: line n of the table in lines.h was there; ~0 when made by us */
    uint32_t printed_percentile_ms[4]; /* 50, 90, 95, 99; only where the line was there */
    uint32_t printed_gpu_percentile_ms[4];
    double printed_janky_pct; /* NaN where the text said so */
};

/* One window (view root): its title line, and under it rows, statistics and frames, each
 * where present. */
struct dj_dump_window {
    char *title; /* "com.x/com.x.Main/android.view.ViewRootImpl@1d5ddd6"; NULL: text had
                    none */
    int visibility;    /* 0 visible, 4 invisible, 8 gone; −1 unknown */
    char *stats_title; /* what follows "Window: "; NULL: none */
    struct dj_stats_block stats;
    bool has_frames; /* a framestats block was there, if only an empty one */
    struct dj_column_list columns; /* of that block, in its order; empty: the dialect's
                                      (printing), or none read */
    bool columns_inferred;   /* the block had no header: its columns follow from their
                                number */
    struct dj_frame *frames; /* oldest first */
    size_t frame_count;
    bool has_profile; /* the simple dump's header was there */
    struct dj_profile_row *profile;
    size_t profile_count;
};

/* One "** Graphics info" section. */
struct dj_dump_process {
    int64_t pid;                 /* −1 unknown */
    char *name;                  /* NULL unknown */
    struct dj_stats_block stats; /* process-wide */
    char *pipeline;              /* after "Pipeline="; NULL: none */
    struct dj_dump_window *windows;
    size_t window_count;
    /* What our own notes say; on Android there are none. */
    uint64_t not_recorded; /* bit n: column n is unknown in at least one row */
    int64_t interval_ns;   /* frame interval; 0: not said */
    bool interval_assumed; /* nobody knew the refresh rate: 60 Hz was taken */
    uint32_t rows_kept;    /* by the ring of each window, of which these may be a part; 0:
                              not said */
    bool ended;            /* the process is no more */
    uint64_t dropped; /* frames that could not be recorded (windows beyond the maximum,
                         races) */
    int64_t recovered, expected; /* of a collection window: frames kept of frames counted;
                                    expected −1: not said */
    char *disabled;              /* why recording stopped; NULL: it did not */
    char *cut_short; /* why the collection ended before its time; NULL: it did not */
};

struct dj_dump {
    int64_t uptime_ms, realtime_ms; /* −1 unknown */
    struct dj_dump_process *processes;
    size_t process_count;
    const struct dj_dialect
        *dialect; /* printed in, or inferred from lines and columns; NULL: unknown */
    bool dialect_inferred;
    char *not_found; /* X of "No process found for: X"; NULL: none */
};

/* Frees everything the dump owns and zeroes it. A zeroed dump is valid and empty. */
void dj_dump_finish(struct dj_dump *dump);

/* Appends a zeroed element and returns it (stamps and counts that mean "unknown" set to
 * −1); NULL: out of memory. Pointers to earlier elements of the same array become
 * invalid. */
struct dj_dump_process *dj_dump_add_process(struct dj_dump *dump);
struct dj_dump_window *dj_dump_add_window(struct dj_dump_process *process);

#endif
