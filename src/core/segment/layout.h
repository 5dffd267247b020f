/*
 * segment: the memory a recorded app and its readers share — layout and protocol over
 * mapped bytes, and the files that hold it. Not what a frame means (frame) nor how an app
 * is caught (recorder, hooks).
 *
 * One file per process, written by that process alone but for the reader-owned fields
 * (marked). The layout is described in docs/format/segment.md; every number here is part
 * of it. Runs inside recorded apps: writer functions do not allocate, block or print.
 *
 * Protocol:
 *
 * - Ring: `begun` is raised before a slot is written, `published` after. A reader takes
 * published, copies the slots, then takes begun: rows below begun − keep were overwritten
 * meanwhile and do not count.
 * - Statistics: two copies, each with a sequence number that is odd while the copy is
 * written. The writer finishes copy 0 before it touches copy 1, so one of them is whole
 * at every instant, also after SIGKILL.
 * - Title: two of them in the same way; `renamed` tells which.
 * - Reset: readers never clear what the writer owns. They note the counters and the ring
 * position of that moment, of all window slots (used or not), under an exclusive flock()
 * of the file: first in every slot's second copy, then in every first. So one of the two
 * sets is all of one reset, told by its at_ns, at every instant.
 */
#ifndef DEJANK_SEGMENT_LAYOUT_H
#define DEJANK_SEGMENT_LAYOUT_H

#include <stdatomic.h>

#include "frame/stats.h"

#define DJ_SEGMENT_MAGIC "DEJANK\r\n" /* \r\n: a copy through a text channel shows */

enum {
    DJ_SEGMENT_VERSION = 3,
    DJ_SEGMENT_BYTE_ORDER = 0x01020304,
    DJ_SEGMENT_WINDOWS = 16,     /* windows of one process kept apart; the 17th takes the
                                    place of the least used */
    DJ_SEGMENT_KEEP = 4096,      /* frames kept per window unless asked otherwise */
    DJ_SEGMENT_KEEP_MIN = 120,   /* what a dump prints */
    DJ_SEGMENT_KEEP_MAX = 65536, /* 14 MiB per window */
    DJ_SEGMENT_PAGE = 4096,
    DJ_SEGMENT_NAME = 256, /* bytes of a name with its NUL; longer ones are cut */
    DJ_SEGMENT_APP_VERSION = 64,
    DJ_SEGMENT_COLUMNS = 27 /* slots of a row: DJ_COLUMN_COUNT of this version */
};

/* A row of the ring. Words are atomic so that a torn read is a wrong number, never
 * undefined. */
struct dj_segment_row {
    _Atomic uint64_t known;
    _Atomic int64_t value[DJ_SEGMENT_COLUMNS];
};

/* struct dj_stats as words of the shared file. */
struct dj_segment_stats {
    _Atomic int64_t since_ns;
    _Atomic uint32_t counter[DJ_COUNTER_COUNT];
    _Atomic uint32_t frame_histogram[DJ_FRAME_BUCKETS];
    _Atomic uint32_t gpu_histogram[DJ_GPU_BUCKETS];
};

struct dj_segment_stats_copy {
    _Atomic uint64_t sequence; /* odd: being written */
    struct dj_segment_stats
        total; /* since the process's first frame through this window slot */
    struct dj_segment_stats
        opened; /* `total` when the slot was given to the present window */
};

/* Reader-owned: the last `dumpsys gfxinfo … reset`. Zero: never reset. `sequence` is odd
 * while the copy is written; no two resets of a segment have the same at_ns. */
struct dj_segment_reset {
    _Atomic uint64_t sequence;
    _Atomic int64_t at_ns;
    _Atomic uint64_t published;
    struct dj_segment_stats total;
};

enum dj_window_state {
    DJ_WINDOW_FREE = 0,
    DJ_WINDOW_CHANGING = 1, /* another window takes the slot; its counters are valid */
    DJ_WINDOW_OPEN = 2
};

/* As Android's View numbers it. */
enum dj_visibility { DJ_VISIBLE = 0, DJ_INVISIBLE = 4, DJ_GONE = 8 };

/* A window's fixed part; its ring of `keep` rows follows at once. */
struct dj_segment_window {
    _Atomic uint32_t state; /* enum dj_window_state */
    _Atomic uint32_t busy;  /* writer's guard: 1 while a thread writes; a second thread
                               drops its frame */
    _Atomic uint64_t key;   /* the surface as its API names it */
    _Atomic int64_t interval_ns;
    _Atomic uint32_t interval_assumed; /* 1: nobody has told this window's refresh rate */
    _Atomic uint32_t visibility;       /* enum dj_visibility */
    _Atomic int64_t last_ns;           /* FrameCompleted of the newest row */
    char title[2][DJ_SEGMENT_NAME];
    _Atomic uint32_t renamed;     /* titles written, ever; title[renamed % 2] is the last,
                                     the other one the next is written to */
    _Atomic uint32_t views;       /* widgets or items in its tree; 0: no toolkit tells */
    _Atomic uint64_t first_index; /* ring index of the present window's first frame */
    _Atomic uint64_t begun;       /* rows whose writing has begun, ever */
    _Atomic uint64_t published;   /* rows complete, ever; row n stands in slot n % keep */
    struct dj_segment_stats_copy stats[2];
    /* reader-owned from here on */
    struct dj_segment_reset reset[2];
    _Atomic uint64_t profiled; /* rows below this index were printed by the simple dump */
};

/* The file's first bytes. Integers in the machine's byte order, which byte_order tells.
 */
struct dj_segment_header {
    char magic[8];
    uint32_t byte_order;
    uint32_t version;
    uint32_t header_bytes; /* offset of the first window */
    uint32_t window_bytes; /* distance of two windows: fixed part and ring, rounded up to
                              a page */
    uint32_t window_slots;
    uint32_t keep; /* rows per ring */
    uint32_t column_count, counter_count, frame_buckets,
        gpu_buckets; /* of this version's structs */
    int64_t pid;
    uint64_t start_ticks; /* field 22 of /proc/PID/stat: with pid and boot_id, who wrote
                             this */
    char boot_id[40];     /* /proc/sys/kernel/random/boot_id */
    int64_t created_ns;   /* CLOCK_MONOTONIC; "Stats since" until a reset */
    int64_t run_ns; /* CLOCK_MONOTONIC; when the `dejank record` began that this process
                       belongs to, so that equal stamps mean one run */
    int64_t interval_ns;
    uint32_t interval_assumed;
    char release[16];              /* dialect whose rules the statistics follow */
    char name[DJ_SEGMENT_NAME];    /* as `dumpsys gfxinfo NAME` finds it */
    char program[DJ_SEGMENT_NAME]; /* base name of the executable */
    char app_version[DJ_SEGMENT_APP_VERSION]; /* as given to `dejank record`; "": none */
    int64_t created_wall_ns; /* CLOCK_REALTIME of created_ns: which day the sums are of */
    _Atomic uint32_t pipelines; /* bit n: enum dj_pipeline n presented a frame */
    _Atomic uint32_t windows;   /* slots ever used: 0 … window_slots */
    _Atomic uint64_t dropped;   /* frames seen but not recorded */
    _Atomic uint32_t
        disabled; /* 1 once disabled_reason is written: recording has stopped */
    char disabled_reason[128];
    /* reader-owned */
    _Atomic uint32_t profile; /* 1: the simple dump is on */
    /* written once, by the writer */
    uint32_t retention; /* enum dj_retention */
};

/* How long a segment outlives its process. Earlier segments of this version have 0. */
enum dj_retention {
    DJ_RETAIN_NEWEST = 0,    /* while it is among the newest and not old */
    DJ_RETAIN_NAMED = 1,     /* the user named the recording: until a reboot, or until
                                `dejank store prune --recordings` */
    DJ_RETAIN_TEMPORARY = 2, /* as DJ_RETAIN_NEWEST, but `dejank run` removes it once the
                                run is stored */
    DJ_RETENTION_COUNT
};

/* How frames reach the display: "Pipeline=" names them. */
enum dj_pipeline {
    DJ_PIPELINE_GLX,
    DJ_PIPELINE_EGL,
    DJ_PIPELINE_VULKAN,
    DJ_PIPELINE_GTK, /* a toolkit's own frames, whatever they are drawn with */
    DJ_PIPELINE_QT,
    DJ_PIPELINE_SDL,
    DJ_PIPELINE_DECLARED, /* by the app itself, through dejank/frames.h */
    DJ_PIPELINE_COUNT
};

_Static_assert(DJ_SEGMENT_COLUMNS == (int)DJ_COLUMN_COUNT,
               "a new column is a new segment version");
_Static_assert(sizeof(struct dj_segment_header) <= DJ_SEGMENT_PAGE,
               "the header is one page");
_Static_assert(sizeof(struct dj_segment_window) % 8 == 0, "rings are aligned");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "shared memory needs lock-free words");

/* Bytes from one window to the next for rings of `keep` rows: a multiple of
 * DJ_SEGMENT_PAGE. */
static inline size_t dj_segment_window_bytes(size_t keep)
{
    size_t bytes =
        sizeof(struct dj_segment_window) + keep * sizeof(struct dj_segment_row);
    return (bytes + DJ_SEGMENT_PAGE - 1) / DJ_SEGMENT_PAGE * DJ_SEGMENT_PAGE;
}

#endif
