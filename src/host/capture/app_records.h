/* Collects the sections and frames of recorded apps during a capture. They must be
 * collected repeatedly, because a segment contains only the newest ones. */
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

/* The frames of one window that belong to the capture. */
struct dj_records_window {
    uint64_t key, next_index; /* Index in the ring of the first row that was not
                               * collected yet. */
    uint64_t end_index;       /* Index in the ring after the last row at the last
                               * reading. */
    char title[DJ_SEGMENT_NAME];
    int64_t interval_ns;
    const struct dj_dialect *dialect;
    struct dj_tracker tracker;
    struct dj_frame *frames; /* Owned by this struct. */
    size_t count;
};

/* The last section event of a thread that was collected. */
struct dj_records_thread {
    uint32_t tid;
    int64_t at_ns; /* Time of that event. */
    size_t same;   /* Number of collected events of the thread with this time. */
    size_t seen;   /* Number of events with this time that the current reading has
                    * seen. */
};

struct dj_records_process {
    char path[DJ_SEGMENT_PATH];
    unsigned owner;
    int64_t pid;
    char name[DJ_SEGMENT_NAME];        /* Name of the process in dumpsys. */
    bool ended;                        /* True if the process had ended at the last
                                        * reading. */
    struct dj_records_window *windows; /* All windows that the process has had so far.
                                        * Owned by this struct. */
    size_t window_count;
    struct dj_sections sections; /* Sections of the process in the capture. */
    struct dj_records_thread *threads;
    size_t thread_count;
    int64_t polled_ns; /* Time of the last reading of sections, or 0 if there was none. */
};

/* Receives a janky frame as soon as the frame is collected. */
typedef void dj_app_records_janky(void *user, int64_t start_ns, int64_t end_ns);

/* Set the members up to `user` and zero the others. */
struct dj_records {
    const char *app; /* Name of the app in dumpsys, or a process id. If NULL,
                      * everything that is recorded is collected. */
    int64_t from_ns; /* Start of the capture. */
    dj_app_records_janky *janky;
    void *user;
    struct dj_records_process *processes; /* Owned by this struct. */
    size_t count;
    uint64_t section_count;
    bool polled;            /* True after the first poll. A window that is new later
                             * belongs to the capture from its first frame. */
    int64_t to_ns;          /* End of the capture, or 0 while the capture runs. The
                             * caller sets it. */
    double fill;            /* Largest part of a ring that was new at the last poll, 0
                             * … 1. */
    uint64_t lost_frames;   /* Number of frames that were overwritten before they were
                             * read. */
    uint64_t later_frames;  /* Number of frames that began after the end of the
                             * capture. */
    uint64_t broken_frames; /* Number of frames without a start or an end. They are not
                             * in the trace. */
    uint64_t lost_threads;  /* Number of times that sections of a process were
                             * overwritten before they were read. */
};

/* Collects new frames and sections. Also looks for new processes, unless known_only is
 * true, which saves some milliseconds. Skips files that cannot be read. Returns 0 or
 * DJ_E_NO_MEMORY. */
int dj_app_records_poll(struct dj_records *records, bool known_only,
                        struct dj_error *err);

/* Adds everything that began before `to_ns` to `recorded`. Nothing can be polled
 * afterwards. */
void dj_app_records_write(struct dj_records *records, int64_t to_ns,
                          struct dj_trace_recording *recorded);

void dj_app_records_finish(struct dj_records *records);

/* Collects new sections of a process. Returns 0 or DJ_E_NO_MEMORY. */
int dj_app_records_add_sections(struct dj_records *records,
                                struct dj_records_process *process, struct dj_error *err);

/* Sorts the section events by time and removes those after `to_ns`. The events of one
 * reading are sorted already, but a reading may contain older events of a delayed
 * thread. */
void dj_app_records_sort_sections(struct dj_sections *sections, int64_t to_ns);

#endif
