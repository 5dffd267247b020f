/* segment: the memory that a recorded app shares with its readers. The module defines
 * the layout, the protocol over mapped bytes, and the files that contain it. It does
 * not define what a frame means (frame), or how an app is intercepted (recorder,
 * hooks).
 *
 * One file per process. Only that process writes it, except for the reader-owned
 * fields (marked). docs/format/segment.md describes the layout, and every number here
 * is part of it. Writer functions run inside recorded apps: they do not allocate,
 * block or print.
 *
 * Protocol:
 *
 *  - Ring: the writer raises `begun` before it writes a slot, and `published` after it.
 *    A reader loads published, copies the slots, then loads begun: rows below
 *    begun − keep were overwritten in the meantime and do not count.
 *  - Statistics: two copies, each with a sequence number that is odd while the copy is
 *    written. The writer finishes copy 0 before it begins copy 1, so at every instant
 *    one of them is consistent, also after SIGKILL.
 *  - Title: two copies in the same way; `renamed` selects the valid one.
 *  - Reset: readers never clear data of the writer. They store the counters and the
 *    ring position of that moment for all window slots (used or not), under an
 *    exclusive flock() of the file: first in every slot's second copy, then in every
 *    first one. So at every instant one of the two sets is entirely from one reset,
 *    which its at_ns identifies.
 */
#ifndef DEJANK_SEGMENT_LAYOUT_H
#define DEJANK_SEGMENT_LAYOUT_H

#include <stdatomic.h>

#include "frame/stats.h"

#define DJ_SEGMENT_MAGIC "DEJANK\r\n" /* \r\n: a copy through a text channel shows */

enum {
    DJ_SEGMENT_VERSION = 3,
    DJ_SEGMENT_BYTE_ORDER = 0x01020304,
    DJ_SEGMENT_WINDOWS = 16,     /* windows of one process with separate data; the 17th
                                    replaces the least recently used one */
    DJ_SEGMENT_KEEP = 4096,      /* default number of frames per window */
    DJ_SEGMENT_KEEP_MIN = 120,   /* the number that a dump prints */
    DJ_SEGMENT_KEEP_MAX = 65536, /* 14 MiB per window */
    DJ_SEGMENT_PAGE = 4096,
    DJ_SEGMENT_NAME = 256, /* bytes of a name with its NUL; longer ones are truncated */
    DJ_SEGMENT_APP_VERSION = 64,
    DJ_SEGMENT_COLUMNS = 27 /* values per row: DJ_COLUMN_COUNT of this version */
};

/* A row of the ring. The words are atomic, so a torn read gives a wrong number and
 * never undefined behaviour. */
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
        total; /* since the process's first frame in this window slot */
    struct dj_segment_stats
        opened; /* `total` when the slot was assigned to the present window */
};

/* Reader-owned: the last `dumpsys gfxinfo … reset`. Zero: never reset. `sequence` is
 * odd while the copy is written. No two resets of a segment have the same at_ns. */
struct dj_segment_reset {
    _Atomic uint64_t sequence;
    _Atomic int64_t at_ns;
    _Atomic uint64_t published;
    struct dj_segment_stats total;
};

enum dj_window_state {
    DJ_WINDOW_FREE = 0,
    DJ_WINDOW_CHANGING =
        1, /* the slot is being assigned to another window; its counters are valid */
    DJ_WINDOW_OPEN = 2
};

/* The values of Android's View. */
enum dj_visibility { DJ_VISIBLE = 0, DJ_INVISIBLE = 4, DJ_GONE = 8 };

/* The fixed part of a window. Its ring of `keep` rows follows directly. */
struct dj_segment_open_window {
    _Atomic uint32_t state; /* enum dj_window_state */
    _Atomic uint32_t busy;  /* writer's lock: 1 while a thread writes; a second thread
                               drops its frame */
    _Atomic uint64_t key;   /* the surface as its API identifies it */
    _Atomic int64_t interval_ns;
    _Atomic uint32_t interval_assumed; /* 1: the refresh rate of this window is unknown */
    _Atomic uint32_t visibility;       /* enum dj_visibility */
    _Atomic int64_t last_ns;           /* FrameCompleted of the newest row */
    char title[2][DJ_SEGMENT_NAME];
    _Atomic uint32_t renamed; /* number of titles ever written; title[renamed % 2] is the
                                 current one, the next goes to the other */
    _Atomic uint32_t views;   /* widgets or items in its tree; 0: unknown */
    _Atomic uint64_t first_index; /* ring index of the present window's first frame */
    _Atomic uint64_t begun;       /* number of rows whose writing has begun */
    _Atomic uint64_t published;   /* number of complete rows; row n is in slot n % keep */
    struct dj_segment_stats_copy stats[2];
    /* The following fields are reader-owned. */
    struct dj_segment_reset reset[2];
    _Atomic uint64_t profiled; /* rows below this index were printed by the simple dump */
};

/* The first bytes of the file. Integers have the machine's byte order, which
 * byte_order shows. */
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
        gpu_buckets; /* sizes in this version's structs */
    int64_t pid;
    uint64_t start_ticks; /* field 22 of /proc/PID/stat: identifies the writer, with pid
                             and boot_id */
    char boot_id[40];     /* /proc/sys/kernel/random/boot_id */
    int64_t created_ns;   /* CLOCK_MONOTONIC; "Stats since" until a reset */
    int64_t run_ns; /* CLOCK_MONOTONIC; when the `dejank record` of this process began:
                       equal values mean one run */
    int64_t interval_ns;
    uint32_t interval_assumed;
    char release[16];              /* dialect that defines the rules of the statistics */
    char name[DJ_SEGMENT_NAME];    /* as in `dumpsys gfxinfo NAME` */
    char program[DJ_SEGMENT_NAME]; /* base name of the executable */
    char app_version[DJ_SEGMENT_APP_VERSION]; /* argument of `dejank record`; "": none */
    int64_t
        created_wall_ns; /* CLOCK_REALTIME of created_ns: gives the date of the sums */
    _Atomic uint32_t pipelines; /* bit n: enum dj_pipeline n presented a frame */
    _Atomic uint32_t windows;   /* slots used so far: 0 … window_slots */
    _Atomic uint64_t dropped;   /* frames seen but not recorded */
    _Atomic uint32_t
        disabled; /* 1 once disabled_reason is written: recording has stopped */
    char disabled_reason[128];
    /* Reader-owned. */
    _Atomic uint32_t profile; /* 1: the simple dump is on */
    /* The writer writes this once. */
    uint32_t retention; /* enum dj_retention */
};

/* How long a segment outlives its process. Recorders that are older than this field
 * wrote 0. */
enum dj_retention {
    DJ_RETAIN_NEWEST = 0, /* while it is among the newest and not too old */
    DJ_RETAIN_NAMED = 1,  /* the user named the recording: until a reboot, or until
                             `dejank store prune --recordings` */
    DJ_RETAIN_TEMPORARY =
        2, /* like DJ_RETAIN_NEWEST, but `dejank run` removes it after storing the run */
    DJ_RETENTION_COUNT
};

/* The ways that frames reach the display, as "Pipeline=" names them. */
enum dj_pipeline {
    DJ_PIPELINE_GLX,
    DJ_PIPELINE_EGL,
    DJ_PIPELINE_VULKAN,
    DJ_PIPELINE_GTK, /* frames of a toolkit, however they are drawn */
    DJ_PIPELINE_QT,
    DJ_PIPELINE_SDL,
    DJ_PIPELINE_DECLARED, /* declared by the app itself with dejank/frames.h */
    DJ_PIPELINE_COUNT
};

_Static_assert(DJ_SEGMENT_COLUMNS == (int)DJ_COLUMN_COUNT,
               "a new column is a new segment version");
_Static_assert(sizeof(struct dj_segment_header) <= DJ_SEGMENT_PAGE,
               "the header is one page");
_Static_assert(sizeof(struct dj_segment_open_window) % 8 == 0, "rings are aligned");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "shared memory needs lock-free words");

/* Returns the distance of two windows with rings of `keep` rows: a multiple of
 * DJ_SEGMENT_PAGE. */
static inline size_t dj_segment_window_bytes(size_t keep)
{
    size_t bytes =
        sizeof(struct dj_segment_open_window) + keep * sizeof(struct dj_segment_row);
    return (bytes + DJ_SEGMENT_PAGE - 1) / DJ_SEGMENT_PAGE * DJ_SEGMENT_PAGE;
}

#endif
