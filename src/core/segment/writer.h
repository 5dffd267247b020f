/* Writes a segment. One process may write it with any number of threads. Writing is
 * wait-free after a window is open. */
#ifndef DEJANK_SEGMENT_WRITER_H
#define DEJANK_SEGMENT_WRITER_H

#include "base/error.h"
#include "frame/tracker.h"
#include "segment/directory.h"
#include "segment/layout.h"
#include "segment/mapped_file.h"

struct dj_segment_options {
    /* Directory of the file. It must exist and belong to the user (see directory.h). */
    const char *directory;
    const char *name; /* Process name for dumpsys. */
    int64_t pid;      /* Process that is recorded, or 0 for this process. */
    const char *program;
    const struct dj_dialect *dialect;
    /* Number of rows per window, DJ_SEGMENT_KEEP_MIN … DJ_SEGMENT_KEEP_MAX. */
    uint32_t keep;
    int64_t interval_ns; /* Frame interval in ns, > 0. */
    bool interval_assumed;
    bool profile;            /* Whether the simple dump is on from the start. */
    int64_t now_ns;          /* Current time in ns of CLOCK_MONOTONIC. */
    int64_t wall_ns;         /* Value of CLOCK_REALTIME at the time now_ns. */
    const char *app_version; /* Version of the app, or NULL if unknown. */
    enum dj_retention retention;
    /* Start time of the `dejank record` that started the process, or 0 if the process
     * was started otherwise. */
    int64_t run_ns;
    /* Whether readers ignore the file until dj_segment_publish() is called. */
    bool hidden;
};

/* The writer's data of a window. */
struct dj_window_writer {
    /* The slot in the segment, or NULL if the slot is unused. */
    struct dj_segment_open_window *shared;
    struct dj_tracker tracker;
    bool sealed; /* Copy of `sealed` in struct dj_segment_writer. */
};

/* The caller provides the storage and zeroes it before use. The struct belongs to one
 * process: a child of fork() calls dj_segment_unmap(). */
struct dj_segment_writer {
    /* Header of the open file, or NULL if no file is open. */
    struct dj_segment_header *header;
    const struct dj_dialect *dialect;
    struct dj_mapped_file file;
    char path[DJ_SEGMENT_PATH + 64];
    /* Number of usable window slots. Decreases if the file cannot grow. */
    uint32_t slots;
    uint32_t reserved; /* Number of window slots with reserved disk space. */
    /* If true, no function makes a system call, because the app's sandbox may forbid
     * it. */
    bool sealed;
    struct dj_window_writer window[DJ_SEGMENT_WINDOWS];
    /* Lock of dj_segment_open_window() while it assigns a slot. */
    _Atomic uint32_t opening;
};

/* Creates the file of the process with mode 0600 and maps it. Does not keep the file
 * open, because the app may close or reuse any descriptor. Disk space for a window is
 * reserved when the window is opened, so a full disk is an error and does not cause a
 * SIGBUS in the app. Blocks for file I/O, so it must be called outside the frame path. */
int dj_segment_create(struct dj_segment_writer *writer,
                      const struct dj_segment_options *options, struct dj_error *err);

/* Sets the start time of a hidden segment to now_ns. */
void dj_segment_restart(struct dj_segment_writer *writer, int64_t now_ns,
                        int64_t wall_ns);

/* Makes a hidden segment visible to readers. */
void dj_segment_publish(struct dj_segment_writer *writer);

/* Reserves disk space for `windows` more windows, or for fewer if the disk is full. Does
 * file I/O. */
void dj_segment_reserve(struct dj_segment_writer *writer, uint32_t windows);

/* Seals or unseals the writer. A sealed writer makes no system call. So it opens a window
 * only if disk space for the window is already reserved, and threads that wait for a lock
 * do not yield. */
void dj_segment_set_sealed(struct dj_segment_writer *writer, bool sealed);

/* Unmaps the file. It remains on disk. A child of fork() calls this function for the
 * file of its parent. */
void dj_segment_unmap(struct dj_segment_writer *writer);

/* Returns the window with this key. If there is none, opens one with this title. If
 * there are already DJ_SEGMENT_WINDOWS windows, or if the disk is full, the new window
 * gets the slot of the window that presented least recently. The frames of that window
 * remain in the process's statistics.
 *
 * Returns NULL and counts a dropped frame if other threads open windows all the time, or
 * if there is no disk space for the first window. In the second case recording stops
 * (dj_segment_disable()). Wait-free except for the first call with a new key. */
struct dj_window_writer *dj_segment_open_window(struct dj_segment_writer *writer,
                                                uint64_t key, const char *title);

/* Returns the window with this key, or NULL if it is not open. Wait-free, for the frame
 * path. */
struct dj_window_writer *dj_segment_find_window(struct dj_segment_writer *writer,
                                                uint64_t key);

/* Judges the frame by the rule of the window's dialect, and publishes the row and the
 * statistics. Wait-free and async-signal-safe. If successful, returns true and, unless
 * `index` is NULL, sets *index to the number of the row for dj_segment_amend_frame().
 * Returns false and counts a dropped frame if another thread writes to this window all
 * the time, or if the slot was assigned to another window. */
bool dj_segment_write_frame(struct dj_segment_writer *writer,
                            struct dj_window_writer *window, uint64_t key,
                            const struct dj_frame *frame, uint64_t *index);

/* Adds a value that became known after the frame: a column of kind DJ_KIND_LATE or
 * DJ_KIND_DURATION that is unknown in the row. GpuCompleted is also added to the GPU
 * histogram. Returns false if the row is no longer in the ring buffer, if the value is
 * already known, or if the slot was assigned to another window. */
bool dj_segment_amend_frame(struct dj_segment_writer *writer,
                            struct dj_window_writer *window, uint64_t key, uint64_t index,
                            enum dj_column column, int64_t value);

/* Set a property of an open window. Wait-free. Return false if the slot was assigned to
 * another window or if another thread holds the lock of the slot. A new interval must be
 * > 0, and applies to later frames. */
bool dj_segment_set_title(struct dj_window_writer *window, uint64_t key,
                          const char *title);
bool dj_segment_set_interval(struct dj_window_writer *window, uint64_t key,
                             int64_t interval_ns);
bool dj_segment_set_visibility(struct dj_window_writer *window, uint64_t key,
                               enum dj_visibility visibility);
bool dj_segment_set_views(struct dj_window_writer *window, uint64_t key, uint32_t views);

/* Stores the reason why recording stopped, for dumpsys to print. */
void dj_segment_disable(struct dj_segment_writer *writer, const char *reason);

#endif
