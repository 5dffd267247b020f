/* Module segment: the memory that a recorded app shares with its readers. The module
 * defines the layout, how writers and readers access it at the same time, and the files
 * that contain it. Module frame defines the meaning of frames. Modules recorder and
 * hooks intercept the app's calls.
 *
 * Each process has one file. Only this process writes the file, except for the fields
 * that are marked as written by readers. docs/format/segment.md describes the layout,
 * and every number here is part of it. Functions for the writer run inside recorded
 * apps. They do not allocate, block or print.
 *
 * Concurrency:
 *
 *  - Ring buffer: the writer increments `begun` before it writes a row, and `published`
 *    after it. A reader loads `published`, copies the rows, and then loads `begun`. Rows
 *    below begun − keep may have been overwritten during the copy and are ignored.
 *  - Statistics: there are two copies. Each has a sequence number that is odd while the
 *    writer changes the copy. The writer completes copy 0 before it starts to change
 *    copy 1. So one copy is consistent at any time, even after SIGKILL.
 *  - Title: there are two copies, and `renamed` selects the valid one.
 *  - Reset: readers never clear data of the writer. Instead a reader stores the current
 *    statistics and ring position of all window slots, used or not, while it holds an
 *    exclusive flock() on the file. It first writes the second copy of every slot, then
 *    the first copy of every slot. So at any time the first copies or the second copies
 *    are all from the same reset, which at_ns identifies. */
#ifndef DEJANK_SEGMENT_LAYOUT_H
#define DEJANK_SEGMENT_LAYOUT_H

#include <stdatomic.h>

#include "frame/stats.h"

/* The bytes \r\n show whether the file was copied in text mode. */
#define DJ_SEGMENT_MAGIC "DEJANK\r\n"

enum {
    DJ_SEGMENT_VERSION = 3,
    DJ_SEGMENT_BYTE_ORDER = 0x01020304,
    /* Maximum number of windows of one process with separate data. The next window
     * replaces the least recently used one. */
    DJ_SEGMENT_WINDOWS = 16,
    DJ_SEGMENT_KEEP = 4096,    /* Default number of rows per window. */
    DJ_SEGMENT_KEEP_MIN = 120, /* A dump prints this number of rows. */
    /* Maximum number of rows per window. They need 14 MiB. */
    DJ_SEGMENT_KEEP_MAX = 65536,
    DJ_SEGMENT_PAGE = 4096,
    /* Maximum length of a name, including NUL. Longer names are truncated. */
    DJ_SEGMENT_NAME = 256,
    DJ_SEGMENT_APP_VERSION = 64,
    /* Number of values per row, equal to DJ_COLUMN_COUNT of this version. */
    DJ_SEGMENT_COLUMNS = 27
};

/* A row of the ring buffer. The words are atomic, so a concurrent write may cause a
 * wrong number but no undefined behavior. */
struct dj_segment_row {
    _Atomic uint64_t known;
    _Atomic int64_t value[DJ_SEGMENT_COLUMNS];
};

/* A struct dj_stats in which each word is atomic. */
struct dj_segment_stats {
    _Atomic int64_t since_ns;
    _Atomic uint32_t counter[DJ_COUNTER_COUNT];
    _Atomic uint32_t frame_histogram[DJ_FRAME_BUCKETS];
    _Atomic uint32_t gpu_histogram[DJ_GPU_BUCKETS];
};

struct dj_segment_stats_copy {
    _Atomic uint64_t sequence; /* Odd while the writer changes this copy. */
    /* Statistics since the first frame of the process in this window slot. */
    struct dj_segment_stats total;
    /* `total` at the time when the slot was assigned to the current window. */
    struct dj_segment_stats opened;
};

/* The statistics at the last `dumpsys gfxinfo … reset`, or zero if there was none.
 * Readers of the segment write this struct, not the recorded app. `sequence` is odd while
 * a reader writes the struct. Two resets of a segment never have the same at_ns. */
struct dj_segment_reset {
    _Atomic uint64_t sequence;
    _Atomic int64_t at_ns;
    _Atomic uint64_t published;
    struct dj_segment_stats total;
};

enum dj_window_state {
    DJ_WINDOW_FREE = 0,
    /* The slot is being assigned to another window. Its statistics are valid. */
    DJ_WINDOW_CHANGING = 1,
    DJ_WINDOW_OPEN = 2
};

/* Values of View.getVisibility() in Android. */
enum dj_visibility { DJ_VISIBLE = 0, DJ_INVISIBLE = 4, DJ_GONE = 8 };

/* The fixed part of a window slot. The ring buffer of `keep` rows follows it. */
struct dj_segment_open_window {
    _Atomic uint32_t state; /* A value of enum dj_window_state. */
    /* Lock of the writer's threads: 1 while a thread writes. A thread that cannot get
     * the lock drops its frame. */
    _Atomic uint32_t busy;
    _Atomic uint64_t key; /* Identifier of the surface in its graphics API. */
    _Atomic int64_t interval_ns;
    /* 1 if the refresh rate of this window is unknown. */
    _Atomic uint32_t interval_assumed;
    _Atomic uint32_t visibility; /* A value of enum dj_visibility. */
    _Atomic int64_t last_ns;     /* FrameCompleted of the newest row. */
    char title[2][DJ_SEGMENT_NAME];
    /* Number of titles written so far. title[renamed % 2] is the current one, and the
     * other one is written next. */
    _Atomic uint32_t renamed;
    /* Number of widgets or items in the window, or 0 if unknown. */
    _Atomic uint32_t views;
    /* Index of the first row of the current window. Earlier rows belong to earlier
     * windows of the slot. */
    _Atomic uint64_t first_index;
    _Atomic uint64_t begun; /* Number of rows that the writer has started to write. */
    /* Number of complete rows. Row n is in slot n % keep of the ring buffer. */
    _Atomic uint64_t published;
    struct dj_segment_stats_copy stats[2];
    /* Readers write the following fields. */
    struct dj_segment_reset reset[2];
    /* The simple dump has printed the rows below this index. */
    _Atomic uint64_t profiled;
};

/* The first bytes of the file. Integers have the byte order of the machine, which
 * `byte_order` shows. */
struct dj_segment_header {
    char magic[8];
    uint32_t byte_order;
    uint32_t version;
    uint32_t header_bytes; /* Offset of the first window slot. */
    /* Size of a window slot: fixed part and ring buffer, rounded up to a page. */
    uint32_t window_bytes;
    uint32_t window_slots;
    uint32_t keep; /* Number of rows per ring buffer. */
    uint32_t column_count, counter_count, frame_buckets,
        gpu_buckets; /* Array sizes of this version's structs. */
    int64_t pid;
    /* Start time of the process, field 22 of /proc/PID/stat. Together with pid and
     * boot_id it identifies the process. */
    uint64_t start_ticks;
    char boot_id[40]; /* Contents of /proc/sys/kernel/random/boot_id. */
    /* Creation time in ns of CLOCK_MONOTONIC, printed as "Stats since" until a reset. */
    int64_t created_ns;
    /* Time in ns of CLOCK_MONOTONIC at which the `dejank record` that started this
     * process began. Processes with the same value belong to one run. */
    int64_t run_ns;
    int64_t interval_ns;
    uint32_t interval_assumed;
    char release[16];           /* Android release whose rules produced the statistics. */
    char name[DJ_SEGMENT_NAME]; /* Process name, as in `dumpsys gfxinfo NAME`. */
    char program[DJ_SEGMENT_NAME]; /* Base name of the executable. */
    /* Version of the app given to `dejank record`, or "" if none. */
    char app_version[DJ_SEGMENT_APP_VERSION];
    /* CLOCK_REALTIME at created_ns, which gives the date of the statistics. */
    int64_t created_wall_ns;
    /* Bit mask: bit n is set if enum dj_pipeline n has presented a frame. */
    _Atomic uint32_t pipelines;
    _Atomic uint32_t windows; /* Number of window slots used so far, 0 … window_slots. */
    _Atomic uint64_t dropped; /* Number of frames that were seen but not recorded. */
    /* 1 if recording has stopped. Set after disabled_reason is written. */
    _Atomic uint32_t disabled;
    char disabled_reason[128];
    /* Readers write the following field. */
    _Atomic uint32_t profile; /* 1 if the simple dump is on. */
    /* The writer writes the following field once. */
    uint32_t retention; /* A value of enum dj_retention. */
};

/* The rule for how long a segment is kept after its process has ended. Recorders older
 * than this field wrote 0. */
enum dj_retention {
    /* The segment is kept as long as it is among the newest ones and not too old. */
    DJ_RETAIN_NEWEST = 0,
    /* The user named the recording, so it is kept until a reboot or until `dejank store
     * prune --recordings`. */
    DJ_RETAIN_NAMED = 1,
    /* Like DJ_RETAIN_NEWEST, but `dejank run` removes it after storing the run. */
    DJ_RETAIN_TEMPORARY = 2,
    DJ_RETENTION_COUNT
};

/* The APIs by which frames reach the display. "Pipeline=" in a dump names them. */
enum dj_pipeline {
    DJ_PIPELINE_GLX,
    DJ_PIPELINE_EGL,
    DJ_PIPELINE_VULKAN,
    DJ_PIPELINE_GTK, /* Frames of a toolkit, regardless of the API with which it draws. */
    DJ_PIPELINE_QT,
    DJ_PIPELINE_SDL,
    DJ_PIPELINE_DECLARED, /* Frames that the app reports itself with dejank/frames.h. */
    DJ_PIPELINE_SOFTWARE, /* Images that the CPU draws and the app sends. */
    /* Presents that the X server reported to another process than the app. */
    DJ_PIPELINE_X_PRESENT,
    /* Ways in which images of DJ_PIPELINE_SOFTWARE were sent. No surface has one of these
     * values. */
    DJ_PIPELINE_X_IMAGE,
    DJ_PIPELINE_X_SHARED_IMAGE,
    DJ_PIPELINE_X_COPY, /* A pixmap was copied to the window. */
    DJ_PIPELINE_WAYLAND_SHM,
    DJ_PIPELINE_COUNT
};

_Static_assert(DJ_SEGMENT_COLUMNS == (int)DJ_COLUMN_COUNT,
               "a new column is a new segment version");
_Static_assert(sizeof(struct dj_segment_header) <= DJ_SEGMENT_PAGE,
               "the header is one page");
_Static_assert(sizeof(struct dj_segment_open_window) % 8 == 0, "rings are aligned");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "shared memory needs lock-free words");

/* Returns the size of a window slot with a ring buffer of `keep` rows, a multiple of
 * DJ_SEGMENT_PAGE. */
static inline size_t dj_segment_window_bytes(size_t keep)
{
    size_t bytes =
        sizeof(struct dj_segment_open_window) + keep * sizeof(struct dj_segment_row);
    return (bytes + DJ_SEGMENT_PAGE - 1) / DJ_SEGMENT_PAGE * DJ_SEGMENT_PAGE;
}

#endif
