/* Writes a segment: one process, any number of threads, wait-free after a window is
 * open. */
#ifndef DEJANK_SEGMENT_WRITER_H
#define DEJANK_SEGMENT_WRITER_H

#include "base/error.h"
#include "frame/tracker.h"
#include "segment/directory.h"
#include "segment/layout.h"
#include "segment/mapped_file.h"

struct dj_segment_options {
    const char *directory; /* directory of the file; exists and belongs to the user
                              (directory.h) */
    const char *name;      /* name for dumpsys */
    const char *program;
    const struct dj_dialect *dialect;
    uint32_t keep; /* rows per window, DJ_SEGMENT_KEEP_MIN … DJ_SEGMENT_KEEP_MAX */
    int64_t interval_ns; /* > 0 */
    bool interval_assumed;
    bool profile;            /* start with the simple dump on */
    int64_t now_ns;          /* CLOCK_MONOTONIC */
    int64_t wall_ns;         /* CLOCK_REALTIME of now_ns */
    const char *app_version; /* NULL: none */
    enum dj_retention retention;
    int64_t run_ns; /* when its run began; 0: a run of its own */
    bool hidden;    /* readers skip the file until dj_segment_publish() */
};

/* The writer's state of a window. */
struct dj_window_writer {
    struct dj_segment_open_window *shared; /* NULL: slot unused */
    struct dj_tracker tracker;
    bool sealed; /* copy of the writer's */
};

/* In the caller's storage; zero it before use. It belongs to one process: a fork()ed
 * child calls dj_segment_unmap(). */
struct dj_segment_writer {
    struct dj_segment_header *header; /* NULL while closed */
    const struct dj_dialect *dialect;
    struct dj_mapped_file file;
    char path[DJ_SEGMENT_PATH + 64];
    uint32_t slots;    /* usable windows: fewer if the file cannot grow */
    uint32_t reserved; /* windows with reserved memory in the file */
    bool sealed; /* no function makes a system call, because the app's sandbox may forbid
                    it */
    struct dj_window_writer window[DJ_SEGMENT_WINDOWS];
    _Atomic uint32_t
        opening; /* lock of dj_segment_open_window() while it assigns a slot */
};

/* Creates the file of the process in the directory (mode 0600) and maps it. Does not
 * keep it open, because the app may close or reuse any descriptor. Memory for windows
 * is reserved in the file when they open, so a full disk is an error here and never a
 * SIGBUS in the app. Blocks for file I/O: call it once, outside the frame path. */
int dj_segment_create(struct dj_segment_writer *writer,
                      const struct dj_segment_options *options, struct dj_error *err);

/* Sets the start time of a hidden segment to now. */
void dj_segment_restart(struct dj_segment_writer *writer, int64_t now_ns,
                        int64_t wall_ns);

/* Makes a hidden segment visible. */
void dj_segment_publish(struct dj_segment_writer *writer);

/* Reserves memory for up to `windows` more windows, as far as the disk has space. Does
 * file I/O. */
void dj_segment_reserve(struct dj_segment_writer *writer, uint32_t windows);

/* A sealed writer makes no system call: it opens no window beyond the reserved ones,
 * and waiting threads do not yield. */
void dj_segment_set_sealed(struct dj_segment_writer *writer, bool sealed);

/* Unmaps the file, which remains for readers. A fork()ed child calls this for the
 * parent's file. */
void dj_segment_unmap(struct dj_segment_writer *writer);

/* Returns the window with this key, and opens it if it is new (with a copy of the
 * title). Beyond DJ_SEGMENT_WINDOWS or the disk space, the least recently presented
 * window loses its slot, and its frames stay in the process's sums. Returns NULL and
 * counts the frame as dropped if other threads open windows all the time, or if there
 * is not even space for the first window; then recording stops (dj_segment_disable).
 * Wait-free except for the first call with a new key. */
struct dj_window_writer *dj_segment_open_window(struct dj_segment_writer *writer,
                                                uint64_t key, const char *title);

/* Returns the window with this key if it is open, else NULL. The wait-free look-up of
 * the frame path. */
struct dj_window_writer *dj_segment_find_window(struct dj_segment_writer *writer,
                                                uint64_t key);

/* Judges the frame by the rules of the window, and publishes the frame and its sums.
 * Wait-free and async-signal-safe. Returns true, and in *index (if not NULL) the row's
 * number for dj_segment_amend_frame(). Returns false and counts the frame as dropped if
 * another thread writes to this window all the time, or has assigned its slot to
 * another window. */
bool dj_segment_write_frame(struct dj_segment_writer *writer,
                            struct dj_window_writer *window, uint64_t key,
                            const struct dj_frame *frame, uint64_t *index);

/* Adds a value that became known after the frame: a column of kind DJ_KIND_LATE or
 * DJ_KIND_DURATION that its row does not have yet. Counts GpuCompleted in the GPU
 * histogram. Returns false if the ring no longer holds the row, if it has the value,
 * or if the window has been replaced. */
bool dj_segment_amend_frame(struct dj_segment_writer *writer,
                            struct dj_window_writer *window, uint64_t key, uint64_t index,
                            enum dj_column column, int64_t value);

/* Each sets a property of an open window. Wait-free. Returns false if the window has
 * been replaced or if another thread holds its lock. An interval (> 0) applies from
 * the next frame on. */
bool dj_segment_set_title(struct dj_window_writer *window, uint64_t key,
                          const char *title);
bool dj_segment_set_interval(struct dj_window_writer *window, uint64_t key,
                             int64_t interval_ns);
bool dj_segment_set_visibility(struct dj_window_writer *window, uint64_t key,
                               enum dj_visibility visibility);
bool dj_segment_set_views(struct dj_window_writer *window, uint64_t key, uint32_t views);

/* Stores the reason why recording stopped. `dumpsys` prints it. */
void dj_segment_disable(struct dj_segment_writer *writer, const char *reason);

#endif
