/* Defines the state of a struct dj_live: processes, windows and the newest frames. The
 * sources (local.c for this machine, device.c for other devices) find processes and
 * windows and add their new rows. */
#ifndef DEJANK_LIVE_STATE_STATE_H
#define DEJANK_LIVE_STATE_STATE_H

#include "device/device.h"
#include "live/live.h"
#include "measure/poll_plan.h"
#include "segment/select.h"
#include "stats/exponential.h"

enum {
    /* Number of earlier rows that are judged again with new ones, because the jank rules
     * and the findings depend on previous frames. */
    DJ_LIVE_CONTEXT = 16,
    DJ_LIVE_PROCESSES_MAX = 64
};

/* A process of the app. If a process replaces itself with exec(), a new struct represents
 * its new program. */
struct dj_live_process {
    uint32_t id; /* Id of the process in this struct dj_live, from 1. */
    int64_t pid;
    char name[DJ_LIVE_NAME];
    bool is_ended;
    bool is_seen; /* Whether the current reading contains the process. */
    /* The next members are used for processes of this machine. */
    struct dj_segment_file file;
    /* Time at which the process's segment was created, or −1 before the first read. */
    int64_t created_ns;
    int64_t last_ns;
    /* The next members are used for processes of another device. */
    /* Number of sections of the dump that have the pid of the process. */
    size_t section_count;
    bool has_total;
    uint32_t total; /* Number of frames in the process's statistics at the last read. */
};

struct dj_live_window_state {
    /* Properties of the window. It must be the first member. */
    struct dj_live_window window;
    uint32_t process_id;
    /* For a window of this machine: its slot in the segment, and the values that identify
     * the current use of the slot. */
    uint32_t slot;
    uint64_t key, opened_index;
    /* For a window of another device: number of windows with the same title that precede
     * it in the dump. */
    size_t ordinal;
    bool is_seen;
    uint64_t next_number;  /* Number of the next row. */
    int64_t last_start_ns; /* IntendedVsync of the last row that was read, or −1. */
    int64_t last_end_ns;   /* FrameCompleted of the last row that was read, or −1. */
    /* Lost frames that no later frame reports yet, as in struct dj_live_frame. */
    int64_t pending_lost;
    struct dj_frame context[DJ_LIVE_CONTEXT];
    size_t context_count;
};

struct dj_live {
    struct dj_device *device; /* Device of the app, or NULL for this machine. */
    bool is_device_shared;    /* Whether a group owns the device. */
    char device_name[128];
    char app[DJ_LIVE_NAME]; /* Name of the app for users. */
    /* Name or pid by which the app's processes are selected. */
    char selected[DJ_LIVE_NAME];
    enum dj_live_state state;
    unsigned restarts;
    /* Device time of the last update and of dj_live_open(), or −1 if unknown. */
    int64_t now_ns, opened_ns;
    int64_t next_ns; /* Host time of the next useful update. */

    struct dj_live_process *processes;
    size_t process_count;
    uint32_t last_process_id;
    struct dj_live_window_state *windows;
    size_t window_count;
    uint32_t last_window_id;

    /* Ring buffer of the newest frames. Owned by this struct. */
    struct dj_live_frame *ring;
    size_t ring_size, ring_first, frame_count, new_count;
    uint64_t last_sequence;
    bool has_discarded; /* Whether a frame of the last 10 s was removed from the ring. */

    /* Figures of all frames since dj_live_open(). */
    struct dj_live_figures total;
    struct dj_histogram times;
    /* Start of the first frame and end of the last frame that were read, or −1. */
    int64_t first_start_ns, last_end_ns;
    /* Start of the first frame since dj_live_open(), or −1. */
    int64_t total_start_ns;

    /* The next members are used for apps of this machine. */
    int64_t scan_ns;   /* Host time of the next search for segments. */
    int64_t forget_ns; /* Ended segments with no frame after this time are ignored. */
    size_t rows;       /* Number of rows to read from each window. */
    /* The next members are used for apps of other devices. */
    struct dj_poll_plan plan;
    int64_t read_ns; /* Host time at the end of the last reading of the device, or −1. */
    bool has_read;
    /* Number of frames of the process when the group last listed it. */
    uint32_t listed_total;
    bool is_listed; /* Whether the group's current listing contains the process. */
    bool is_idle;   /* Whether the app has drawn nothing for a while. */
};

/* Rows of one window that were not read before. */
struct dj_live_rows {
    const struct dj_frame *frames;
    size_t count;
    uint64_t first_number; /* Number of the first row. The next rows follow it. */
    /* Number of lost frames before the first row, as in struct dj_live_frame. */
    int64_t lost_before;
    int64_t interval_ns; /* Interval of the window, or 0 to use that of the dump. */
    /* The dump, process and window that define how the rows are judged, for example the
     * release. Rows of the dump itself are not used. */
    const struct dj_dump *dump;
    const struct dj_dump_process *process;
    const struct dj_dump_window *window;
};

/* Like dj_live_open_device(), but watches one process of a device that a group owns. */
int dj_live_open_device_process(struct dj_device *device, const char *name, int64_t pid,
                                struct dj_live **live, struct dj_error *err);

/* Returns 0 if `code` is a failure that the next reading may not have, such as a
 * time-out. Returns `code` for any other failure, and copies its message. */
int dj_live_ignore_transient(int code, const struct dj_error *failure,
                             struct dj_error *err);

/* Reads the new frames of an app on this machine. */
int dj_live_read_local(struct dj_live *live, struct dj_error *err);

/* Reads the new frames of an app on another device. */
int dj_live_read_device(struct dj_live *live, struct dj_error *err);

/* Adds a process and returns it. Returns NULL if there is no memory. Pointers to other
 * processes become invalid. */
struct dj_live_process *dj_live_add_process(struct dj_live *live, int64_t pid,
                                            const char *name);

/* Adds a window and returns it. Returns NULL if there is no memory. Pointers to other
 * windows become invalid. */
struct dj_live_window_state *dj_live_add_window(struct dj_live *live,
                                                const struct dj_live_process *process,
                                                const char *title);

/* Marks a process and its windows as ended. */
void dj_live_end_process(struct dj_live *live, struct dj_live_process *process);

bool dj_live_has_running(const struct dj_live *live);

/* Sets live->state from the states of the processes. */
void dj_live_set_state(struct dj_live *live);

/* Judges rows and adds their frames. */
int dj_live_add_rows(struct dj_live *live, struct dj_live_window_state *window,
                     const struct dj_live_rows *rows, struct dj_error *err);

/* Adds a frame to the ring and to the figures since dj_live_open(). Sets its sequence.
 * Returns false if there is no memory. */
bool dj_live_add_frame(struct dj_live *live, struct dj_live_frame *frame, int64_t end_ns);

/* Counts lost frames. `lost` is as in struct dj_live_frame. */
void dj_live_count_lost(struct dj_live_figures *figures, int64_t lost);

#endif
