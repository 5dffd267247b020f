/*
 * What the recorder keeps of apps while a capture goes on: their sections and frames,
 * collected from their segments bit by bit, since those hold the newest only. Of this
 * room only.
 */
#ifndef DEJANK_CAPTURE_APP_RECORDS_H
#define DEJANK_CAPTURE_APP_RECORDS_H

#include "frame/tracker.h"
#include "segment/directory.h"
#include "segment/sections_reader.h"
#include "trace/recorded.h"

enum {
    DJ_RECORDS_PROCESSES = 256, /* at most, of one capture */
    DJ_RECORDS_EVENTS = 1 << 23 /* of sections, of one process */
};

/* A window's rows, from the first that is of the capture. */
struct dj_records_window {
    uint64_t key, next_index; /* of the ring: rows before it are taken */
    uint64_t end_index;       /* of the ring: rows there were when it was read last */
    char title[DJ_SEGMENT_NAME];
    int64_t interval_ns;
    const struct dj_dialect *dialect;
    struct dj_tracker tracker;
    struct dj_frame *frames; /* owned */
    size_t count;
};

/* How far a thread's sections are taken. */
struct dj_records_thread {
    uint32_t tid;
    int64_t at_ns; /* of its last event */
    size_t same;   /* events that had this stamp, and */
    size_t met;    /* … of those, seen again in this reading */
};

struct dj_records_process {
    char path[DJ_SEGMENT_PATH];
    unsigned owner;
    int64_t pid;
    char name[DJ_SEGMENT_NAME];        /* as dumpsys knows it */
    bool ended;                        /* when it was seen last */
    struct dj_records_window *windows; /* one for each window there was; owned */
    size_t window_count;
    struct dj_sections sections; /* of the capture */
    struct dj_records_thread *threads;
    size_t thread_count;
    int64_t polled_ns; /* 0: never */
};

/* A janky frame, as soon as it is seen. */
typedef void dj_records_janky(void *user, int64_t start_ns, int64_t end_ns);

/* Zero it but for the first ones. */
struct dj_records {
    const char *app; /* as dumpsys names it, or a pid; NULL: all that is recorded */
    int64_t from_ns; /* when the capture began */
    dj_records_janky *janky;
    void *user;
    struct dj_records_process *processes; /* owned */
    size_t count;
    uint64_t section_count;
    bool polled;            /* windows that are new from now on belong to the capture */
    int64_t to_ns;          /* set it when the capture has ended; 0: it goes on */
    double fill;            /* part of a ring that was new in the last poll, at most */
    uint64_t lost_frames;   /* overwritten before they were seen */
    uint64_t later_frames;  /* that began after the capture's end */
    uint64_t broken_frames; /* without a start or an end: not in the trace */
    uint64_t lost_threads;  /* times that sections of a process were overwritten */
};

/* Takes in what is new, also of processes that are, unless `known_only`, which takes some
 * milliseconds less. 0, or DJ_E_NO_MEMORY; files that cannot be read are passed over. */
int dj_records_poll(struct dj_records *records, bool known_only, struct dj_error *err);

/* Hands over all that began until `to_ns`. Nothing can be polled after that. */
void dj_records_give(struct dj_records *records, int64_t to_ns,
                     struct dj_recorded *recorded);

void dj_records_finish(struct dj_records *records);

/* ---- its sections, of app_sections.c ---- */

/* Takes in what is new of a process's. DJ_E_NO_MEMORY. */
int dj_records_take_sections(struct dj_records *records,
                             struct dj_records_process *process, struct dj_error *err);

/* Those until `to_ns`, by time: each reading was in order, but a thread that was late in
 * one is not in all. */
void dj_records_sort_sections(struct dj_sections *sections, int64_t to_ns);

#endif
