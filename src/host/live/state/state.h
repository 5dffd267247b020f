/* The state of a struct dj_live: processes, windows and the newest frames. The sources
 * (local.c, remote.c) find processes and windows and add their new rows. */
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

/* A process of the app. A process that replaces itself with exec() becomes another one
 * here. */
struct dj_live_process {
    uint32_t id; /* From 1. */
    int64_t pid;
    char name[DJ_LIVE_NAME];
    bool is_ended;
    bool is_seen; /* Whether the current reading contains the process. */
    /* Of a local process. */
    struct dj_segment_file file;
    /* Time at which the process's segment was created, or −1 before the first read. */
    int64_t created_ns;
    int64_t last_ns;
    /* Of another device. */
    size_t section_count; /* Number of sections with its pid in the dump. */
    bool has_total;
    uint32_t total; /* Number of frames in the process's statistics at the last read. */
};

struct dj_live_window_state {
    struct dj_live_window window; /* Must be first. */
    uint32_t process_id;
    /* Of a local window: its slot in the segment and its current use. */
    uint32_t slot;
    uint64_t key, opened_index;
    /* Of another device: number of earlier windows with the same title. */
    size_t ordinal;
    bool is_seen;
    uint64_t next_number;  /* Number of the next row. */
    int64_t last_start_ns; /* IntendedVsync of the last row that was read, or −1. */
    int64_t last_end_ns;   /* FrameCompleted of this row, or −1. */
    /* Lost frames that no later frame reports yet, as in struct dj_live_frame. */
    int64_t pending_lost;
    struct dj_frame context[DJ_LIVE_CONTEXT];
    size_t context_count;
};

struct dj_live {
    struct dj_device *device; /* NULL for this machine. */
    bool is_device_shared;    /* Whether a group owns the device. */
    char device_name[128];
    char app[DJ_LIVE_NAME];      /* Name for people. */
    char selected[DJ_LIVE_NAME]; /* Name or pid that selects processes. */
    enum dj_live_state state;
    unsigned restarts;
    int64_t now_ns, opened_ns; /* Device times, or −1 if unknown. */
    int64_t next_ns;           /* Host time of the next useful update. */

    struct dj_live_process *processes;
    size_t process_count;
    uint32_t last_process_id;
    struct dj_live_window_state *windows;
    size_t window_count;
    uint32_t last_window_id;

    /* Ring of the newest frames. */
    struct dj_live_frame *ring;
    size_t ring_size, ring_first, frame_count, new_count;
    uint64_t last_sequence;
    bool has_discarded; /* Whether a frame of the last 10 s was removed from the ring. */

    /* Figures of all frames since dj_live_open(). */
    struct dj_live_figures total;
    struct dj_histogram times;
    int64_t first_start_ns, last_end_ns; /* Of all frames, or −1. */
    int64_t total_start_ns;              /* First start since dj_live_open(), or −1. */

    /* Of this machine. */
    int64_t scan_ns;   /* Host time of the next search for segments. */
    int64_t forget_ns; /* Ended segments with no frame after this time are ignored. */
    size_t rows;       /* Number of rows to read from each window. */
    /* Of another device. */
    struct dj_poll_plan plan;
    int64_t read_ns; /* Host time at the end of the last reading, or −1. */
    bool has_read;
    uint32_t listed_total; /* Number of frames when the group listed the process. */
    bool is_listed;        /* Whether the current listing contains the process. */
    bool is_idle;          /* Whether the app draws nothing now. */
};

/* Rows of one window that were not read before. */
struct dj_live_rows {
    const struct dj_frame *frames;
    size_t count;
    uint64_t first_number; /* Number of the first row. The next rows follow it. */
    int64_t lost_before;   /* As in struct dj_live_frame. */
    int64_t interval_ns;   /* Interval of the window, or 0 to use that of the dump. */
    /* The dump, process and window with the properties by which the rows are judged.
     * Their own rows are not used. */
    const struct dj_dump *dump;
    const struct dj_dump_process *process;
    const struct dj_dump_window *window;
};

/* Like dj_live_open_device(), for a process of a device that a group owns. */
int dj_live_open_device_process(struct dj_device *device, const char *name, int64_t pid,
                                struct dj_live **live, struct dj_error *err);

/* Returns 0 after a failure that the next reading may not have, such as a time-out.
 * Otherwise returns `code` and copies the failure. */
int dj_live_ignore_transient(int code, const struct dj_error *failure,
                             struct dj_error *err);

/* Read the new frames. */
int dj_live_read_local(struct dj_live *live, struct dj_error *err);
int dj_live_read_device(struct dj_live *live, struct dj_error *err);

/* Add a process or a window. Return NULL if there is no memory. Pointers to others become
 * invalid. */
struct dj_live_process *dj_live_add_process(struct dj_live *live, int64_t pid,
                                            const char *name);
struct dj_live_window_state *dj_live_add_window(struct dj_live *live,
                                                const struct dj_live_process *process,
                                                const char *title);

/* Marks a process and its windows as ended. */
void dj_live_end_process(struct dj_live *live, struct dj_live_process *process);

bool dj_live_has_running(const struct dj_live *live);

/* Sets the state from the processes. */
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
