/* Collects the sections and frames of recorded apps during a capture. The caller must
 * call dj_app_records_poll() repeatedly, because the segment of an app contains only its
 * newest sections and frames. */
#ifndef DEJANK_CAPTURE_APP_RECORDS_H
#define DEJANK_CAPTURE_APP_RECORDS_H

#include "frame/tracker.h"
#include "segment/directory.h"
#include "segment/sections_reader.h"
#include "trace/recording.h"

enum {
    DJ_RECORDS_PROCESSES = 256, /* Maximum number of processes per capture. */
    DJ_RECORDS_EVENTS = 1 << 23 /* Maximum number of section events per process. */
};

/* A window of an app, with its frames during the capture. */
struct dj_records_window {
    /* Identifier of the window, and index in the ring of the first row that was not
     * collected yet. */
    uint64_t key, next_index;
    /* Index after the last row of the ring when the ring was last read. */
    uint64_t end_index;
    char title[DJ_SEGMENT_NAME];
    int64_t interval_ns;
    const struct dj_dialect *dialect;
    struct dj_tracker tracker;
    /* Frames of the window during the capture. Owned by this struct. */
    struct dj_frame *frames;
    size_t count;
};

/* A thread of a recorded app, with the position up to which its section events were
 * collected. */
struct dj_records_thread {
    uint32_t tid;
    int64_t at_ns; /* Time of the last collected section event. */
    size_t same;   /* Number of collected events with the time `at_ns`. */
    /* Number of events with the time `at_ns` that the current read of the app's data
     * has returned so far. */
    size_t seen;
};

struct dj_records_process {
    char path[DJ_SEGMENT_PATH];
    unsigned owner;
    int64_t pid;
    char name[DJ_SEGMENT_NAME]; /* Name of the process in dumpsys. */
    bool ended; /* True if the process had ended when its segment was last read. */
    /* All windows of the process, also closed ones. Owned by this struct. */
    struct dj_records_window *windows;
    size_t window_count;
    struct dj_sections sections; /* Sections of the process during the capture. */
    struct dj_records_thread *threads;
    size_t thread_count;
    /* Time at which the sections were last read, or 0 if they were not read yet. */
    int64_t polled_ns;
};

/* Receives a janky frame as soon as the frame is collected. */
typedef void dj_app_records_janky(void *user, int64_t start_ns, int64_t end_ns);

/* The processes whose frames and sections are collected. Set `app`, `from_ns`, `janky`
 * and `user`, and zero the other members. */
struct dj_records {
    /* Name of the app in dumpsys, or a process id. If NULL, all recorded apps are
     * collected. */
    const char *app;
    int64_t from_ns; /* Start of the capture. */
    dj_app_records_janky *janky;
    void *user;
    struct dj_records_process *processes; /* Processes. Owned by this struct. */
    size_t count;
    uint64_t section_count;
    /* True after the first poll. If a window first appears after that, all its frames
     * belong to the capture. */
    bool polled;
    /* End of the capture, or 0 while the capture runs. Set by the caller. */
    int64_t to_ns;
    /* The largest fraction of a ring (0 … 1) that was written between the last two polls.
     */
    double fill;
    uint64_t lost_frames;  /* Number of frames that were overwritten before they were
                            * read. */
    uint64_t later_frames; /* Number of frames that began after the end of the capture. */
    /* Number of frames without a start or an end. The trace does not contain these
     * frames. */
    uint64_t broken_frames;
    /* How many times sections of a process were overwritten before they were read. */
    uint64_t lost_threads;
};

/* Collects new frames and sections. Also looks for new processes, unless known_only is
 * true. Looking for processes takes some milliseconds. Skips files that cannot be read.
 * Returns 0 or DJ_E_NO_MEMORY. */
int dj_app_records_poll(struct dj_records *records, bool known_only,
                        struct dj_error *err);

/* Adds all frames and sections that began before `to_ns` to `recorded`. Do not poll again
 * afterwards. */
void dj_app_records_write(struct dj_records *records, int64_t to_ns,
                          struct dj_trace_recording *recorded);

void dj_app_records_finish(struct dj_records *records);

/* Collects new sections of a process. Returns 0 or DJ_E_NO_MEMORY. */
int dj_app_records_add_sections(struct dj_records *records,
                                struct dj_records_process *process, struct dj_error *err);

/* Sorts the section events by time and removes those after `to_ns`. Events are already
 * sorted within one reading. A later reading can still contain an older event of a thread
 * that stored this event late. */
void dj_app_records_sort_sections(struct dj_sections *sections, int64_t to_ns);

#endif
