/* Sections and frames that the recorder keeps of apps during a capture. They are
 * collected repeatedly, because segments hold only the newest. */
#ifndef DEJANK_CAPTURE_APP_RECORDS_H
#define DEJANK_CAPTURE_APP_RECORDS_H

#include "frame/tracker.h"
#include "segment/directory.h"
#include "segment/sections_reader.h"
#include "trace/recording.h"

enum {
    DJ_RECORDS_PROCESSES = 256, /* at most, per capture */
    DJ_RECORDS_EVENTS = 1 << 23 /* of sections, per process */
};

/* A window's rows, from the first one in the capture. */
struct dj_records_window {
    uint64_t key, next_index; /* next_index: in the ring; earlier rows are collected */
    uint64_t end_index;       /* number of rows in the ring at the last reading */
    char title[DJ_SEGMENT_NAME];
    int64_t interval_ns;
    const struct dj_dialect *dialect;
    struct dj_tracker tracker;
    struct dj_frame *frames; /* owned */
    size_t count;
};

/* How far a thread's sections are collected. */
struct dj_records_thread {
    uint32_t tid;
    int64_t at_ns; /* of its last event */
    size_t same;   /* number of events with this stamp */
    size_t met;    /* number of these that this reading has seen again */
};

struct dj_records_process {
    char path[DJ_SEGMENT_PATH];
    unsigned owner;
    int64_t pid;
    char name[DJ_SEGMENT_NAME];        /* as dumpsys names it */
    bool ended;                        /* at the last reading */
    struct dj_records_window *windows; /* all windows of the process so far; owned */
    size_t window_count;
    struct dj_sections sections; /* sections in the capture */
    struct dj_records_thread *threads;
    size_t thread_count;
    int64_t polled_ns; /* 0: never */
};

/* A janky frame, reported as soon as it is seen. */
typedef void dj_app_records_janky(void *user, int64_t start_ns, int64_t end_ns);

/* Zero it, except for the first members. */
struct dj_records {
    const char *app; /* name in dumpsys, or a pid; NULL: everything that is recorded */
    int64_t from_ns; /* start of the capture */
    dj_app_records_janky *janky;
    void *user;
    struct dj_records_process *processes; /* owned */
    size_t count;
    uint64_t section_count;
    bool polled;            /* new windows from now on belong to the capture */
    int64_t to_ns;          /* set it when the capture has ended; 0: it runs */
    double fill;            /* largest part of a ring that was new at the last poll */
    uint64_t lost_frames;   /* overwritten before they were read */
    uint64_t later_frames;  /* began after the end of the capture */
    uint64_t broken_frames; /* without a start or an end, and so not in the trace */
    uint64_t lost_threads;  /* number of times that a process's sections were
                             * overwritten */
};

/* Collects new data. Also looks for new processes unless `known_only`, which saves some
 * milliseconds. Returns 0 or DJ_E_NO_MEMORY. Unreadable files are skipped. */
int dj_app_records_poll(struct dj_records *records, bool known_only,
                        struct dj_error *err);

/* Writes everything that began before `to_ns` to the sink. Nothing can be polled
 * afterwards. */
void dj_app_records_write(struct dj_records *records, int64_t to_ns,
                          struct dj_trace_recording *recorded);

void dj_app_records_finish(struct dj_records *records);

/* Collects new sections of a process. DJ_E_NO_MEMORY. */
int dj_app_records_add_sections(struct dj_records *records,
                                struct dj_records_process *process, struct dj_error *err);

/* Writes the sections before `to_ns` in order of time. Each reading is ordered, but
 * threads may be delayed from one reading to the next. */
void dj_app_records_sort_sections(struct dj_sections *sections, int64_t to_ns);

#endif
