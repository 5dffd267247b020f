/* The writing end of a segment: one process, any threads, wait-free once a window is
 * open. */
#ifndef DEJANK_SEGMENT_WRITER_H
#define DEJANK_SEGMENT_WRITER_H

#include "base/error.h"
#include "frame/tracker.h"
#include "segment/directory.h"
#include "segment/layout.h"
#include "segment/mapped_file.h"

struct dj_segment_options {
    const char *directory; /* where the file goes; exists, is ours (directory.h) */
    const char *name;      /* what dumpsys finds it by */
    const char *program;
    const struct dj_dialect *dialect;
    uint32_t keep; /* rows per window, DJ_SEGMENT_KEEP_MIN … DJ_SEGMENT_KEEP_MAX */
    int64_t interval_ns; /* > 0 */
    bool interval_assumed;
    bool profile;            /* start with the simple dump switched on */
    int64_t now_ns;          /* CLOCK_MONOTONIC */
    int64_t wall_ns;         /* CLOCK_REALTIME of now_ns */
    const char *app_version; /* NULL: none given */
    enum dj_retention retention;
    int64_t run_ns; /* when the run it belongs to began; 0: it is one of its own */
    bool hidden;    /* readers skip the file until dj_segment_publish() */
};

/* A window as its writer holds it. */
struct dj_window_writer {
    struct dj_segment_window *shared; /* NULL: slot unused */
    struct dj_tracker tracker;
    bool sealed; /* as the writer's */
};

/* Caller's storage; zero it. Owned by one process: after fork() the child calls
 * dj_segment_abandon(). */
struct dj_segment_writer {
    struct dj_segment_header *header; /* NULL while closed */
    const struct dj_dialect *dialect;
    struct dj_mapped_file file;
    char path[DJ_SEGMENT_PATH + 64];
    uint32_t slots;    /* windows kept apart: fewer where the file cannot grow */
    uint32_t reserved; /* windows that the file has memory for */
    bool sealed;       /* no call makes a system call: the app may no longer do so */
    struct dj_window_writer window[DJ_SEGMENT_WINDOWS];
    _Atomic uint32_t opening; /* guard of dj_segment_window() while it gives out a slot */
};

/* Makes the process's file in the directory (mode 0600) and maps it. It stays open no
 * longer: the app may close or reuse any descriptor. Memory for windows is reserved in
 * the file when they open, so that a full disk is an error here and never a SIGBUS in the
 * app. Blocks for file I/O: call it once, outside the frame path. */
int dj_segment_create(struct dj_segment_writer *writer,
                      const struct dj_segment_options *options, struct dj_error *err);

/* Sets the start time of a hidden segment: it began now, not when it was created. */
void dj_segment_restart(struct dj_segment_writer *writer, int64_t now_ns,
                        int64_t wall_ns);

/* Makes a hidden segment visible. */
void dj_segment_publish(struct dj_segment_writer *writer);

/* Reserves memory for so many windows beyond those that are open, as far as the disk has
 * room. File I/O. */
void dj_segment_reserve(struct dj_segment_writer *writer, uint32_t windows);

/* A sealed writer makes no system call: it opens no window beyond the reserved ones, and
 * threads that wait for each other do not yield. */
void dj_segment_set_sealed(struct dj_segment_writer *writer, bool sealed);

/* Unmaps; the file stays, for readers. Also in a fork()ed child, of the parent's. */
void dj_segment_abandon(struct dj_segment_writer *writer);

/*
 * The window with this key, opened where it is new (title is copied then). Beyond
 * DJ_SEGMENT_WINDOWS, or what the disk has room for, the least recently presented one
 * gives up its slot; its frames stay in the process's sums. NULL, and the frame counted
 * as dropped, where other threads keep opening some, or there is not even room for the
 * first: then recording stops (dj_segment_disable). Wait-free but for the first call with
 * a new key.
 */
struct dj_window_writer *dj_segment_window(struct dj_segment_writer *writer, uint64_t key,
                                           const char *title);

/* The window with this key where it is open already, else NULL: the frame path's look-up,
 * wait-free. */
struct dj_window_writer *dj_segment_find_window(struct dj_segment_writer *writer,
                                                uint64_t key);

/* Judges the frame by the window's rules, and makes it and its sums readable. Wait-free,
 * async-signal-safe. True, and *index (unless NULL) the row's number for
 * dj_segment_amend(); false, and the frame counted as dropped, where another thread kept
 * writing to this window, or has given its slot to a window of another key. */
bool dj_segment_write(struct dj_segment_writer *writer, struct dj_window_writer *window,
                      uint64_t key, const struct dj_frame *frame, uint64_t *index);

/* Adds what became known after the frame: a column of kind DJ_KIND_LATE or
 * DJ_KIND_DURATION that its row does not have yet. GpuCompleted is counted in the GPU
 * histogram. False where the ring no longer holds the row, it has the value already, or
 * the window is another's by now. */
bool dj_segment_amend(struct dj_segment_writer *writer, struct dj_window_writer *window,
                      uint64_t key, uint64_t index, enum dj_column column, int64_t value);

/* What becomes known of an open window. Wait-free; false where the window is another's by
 * now or another thread kept it. The interval, > 0, holds from the next frame on. */
bool dj_segment_set_title(struct dj_window_writer *window, uint64_t key,
                          const char *title);
bool dj_segment_set_interval(struct dj_window_writer *window, uint64_t key,
                             int64_t interval_ns);
bool dj_segment_set_visibility(struct dj_window_writer *window, uint64_t key,
                               enum dj_visibility visibility);
bool dj_segment_set_views(struct dj_window_writer *window, uint64_t key, uint32_t views);

/* Leaves the reason recording stopped, for `dumpsys` to print. */
void dj_segment_disable(struct dj_segment_writer *writer, const char *reason);

#endif
