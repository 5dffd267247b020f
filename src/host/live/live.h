/*
 * live: the frames that an app draws now, and its figures over the last 10 s. `dejank
 * serve` and `dejank top` show them. An app is one process or several processes with one
 * name, each with one window or several. On this machine, live reads the segments of the
 * app without stopping it. On other devices, it reads gfxinfo as often as the device's
 * ring of rows requires. It never resets the app's counters.
 *
 * live does not wait: the caller calls dj_live_update() again and again, at best at the
 * times of dj_live_next_ns(). It starts no thread. Only one thread at a time may use a
 * struct dj_live. Different threads may use different ones.
 *
 * All times are those of the app's device (CLOCK_MONOTONIC).
 */
#ifndef DEJANK_LIVE_LIVE_H
#define DEJANK_LIVE_LIVE_H

#include "base/error.h"
#include "device/device.h"
#include "frame/findings.h"
#include "frame/stages.h"
#include "process/deadline.h"

/* Length of the time span whose frames the figures cover. */
#define DJ_LIVE_SPAN_NS (10 * DJ_SECOND_NS)

enum {
    DJ_LIVE_NAME = 256, /* Maximum length of a name, including NUL. */
    /* Maximum number of frames that are kept. If an app draws more in 10 s, only the
     * newest are kept, and the figures cover less time. */
    DJ_LIVE_FRAMES_MAX = 32768,
    /* Maximum number of windows that are kept. The windows that ended first are removed
     * first. */
    DJ_LIVE_WINDOWS_MAX = 64,
    /* Suggested number of updates per second for an app of this machine. */
    DJ_LIVE_UPDATES_HZ = 20
};

enum dj_live_state {
    DJ_LIVE_WAITING, /* No process of the app has run since dj_live_open(). */
    DJ_LIVE_RUNNING, /* At least one process of the app runs. */
    DJ_LIVE_ENDED    /* All processes of the app have ended. A new one may start. */
};

/* Returns "waiting", "running" or "ended". */
const char *dj_live_state_name(enum dj_live_state state);

struct dj_live_frame {
    /* Position among all frames of this struct dj_live, from 1, in the order of reading.
     * Suits an event id from which a viewer resumes. */
    uint64_t sequence;
    /* Number of the frame in its window. Numbers increase and are never reused. A frame
     * that was not drawn or was lost leaves a gap. For an app of this machine, the number
     * counts from the window's first frame, even if that was before dj_live_open(). */
    uint64_t number;
    /* Number of frames of the same window that were overwritten directly before this one,
     * or −1 if that number is unknown. 0 means that the previous frame of the window is
     * the one before this frame. */
    int64_t lost_before;
    uint32_t window;  /* Id of the frame's window (struct dj_live_window). */
    int64_t start_ns; /* IntendedVsync of the frame, or its first known timestamp. */
    /* Frame time as the app's release measures it, or −1 if unknown. */
    int64_t frame_time_ns;
    bool is_judged; /* Whether the jank rule of the app's release applies to the frame. */
    bool is_janky;  /* Whether the frame is janky by the rule of the app's release. */
    struct dj_stages stages; /* The known stages and their durations. */
    /* Findings of the frame: bit 1 << id is set for each rule (enum dj_finding_id) that
     * found it. */
    uint32_t findings;
};

struct dj_live_window {
    uint32_t id;                /* Id of the window, from 1. Ids are never reused. */
    int64_t pid;                /* Id of the window's process, or −1 if unknown. */
    char process[DJ_LIVE_NAME]; /* Name of the window's process, or "". */
    char title[DJ_LIVE_NAME];   /* Title of the window, or "". */
    /* Frame interval of the display in ns. If is_interval_assumed is set, it is the
     * interval of 60 Hz. */
    int64_t interval_ns;
    bool is_interval_assumed;
    /* Whether the window gets no more frames: its process has ended or has replaced
     * itself with exec(), or the window was closed. A new process has new windows. */
    bool is_ended;
    uint64_t frames; /* Number of the window's frames that were read so far. */
};

/* Figures of all windows together. A number without a value is −1. `fps` without a value
 * is NaN. */
struct dj_live_figures {
    int64_t span_ns; /* Length of the time span that the figures cover. */
    uint64_t frames, judged, janky;
    uint64_t lost; /* Number of lost frames, as far as the number is known. */
    uint64_t lost_ranges;
    /* Percentiles and maximum of the frame time. The percentiles since dj_live_open()
     * have an error of at most 1 %. */
    int64_t p50_ns, p90_ns, p95_ns, p99_ns, longest_ns;
    double fps; /* Frames per second of span_ns, including pauses of the app. */
};

/* Returns the percentage of janky frames among the judged ones, or NaN. */
double dj_live_janky_percent(const struct dj_live_figures *figures);

struct dj_live;

/* Returns whether the name of a device means this machine. NULL means this machine. */
bool dj_live_is_local(const char *device);

/*
 * Starts to watch an app. `device` is the name of a device, as for dj_device_open(), or
 * NULL for this machine. `app` is a process name or a pid, as in `dumpsys gfxinfo NAME`.
 * The app need not run yet. Processes that have already ended are ignored.
 *
 * Reads nothing from a local app. Blocks for up to about 20 s for other devices, and
 * returns the errors of dj_device_open().
 */
int dj_live_open(const char *device, const char *app, struct dj_live **live,
                 struct dj_error *err);

/* Like dj_live_open() with an open device, which `live` owns afterwards, even after an
 * error. */
int dj_live_open_device(struct dj_device *device, const char *app, struct dj_live **live,
                        struct dj_error *err);

/* Starts to watch a recorded process of this machine (live/apps.h). dj_live_get_app()
 * then returns `name`. */
int dj_live_open_process(const char *name, int64_t pid, struct dj_live **live,
                         struct dj_error *err);

/* Frees `live` and closes its device. NULL is allowed. */
void dj_live_close(struct dj_live *live);

/* Sets a request that can end dj_live_update() early while it waits for a device. Does
 * nothing if the app runs on this machine. */
void dj_live_set_interrupt(struct dj_live *live,
                           const struct dj_interrupt_request *interrupt);

/*
 * Reads the new frames of the app. The first call also returns the frames of the 10 s
 * before dj_live_open() that the app still has. Takes well under a millisecond for a
 * local app. For other devices, blocks while the device answers; if it is too early for
 * the next reading, does nothing.
 *
 * Returns 0 also if the app does not run (see dj_live_get_state()), and if a device did
 * not answer in time. An error, such as DJ_E_GONE if the device was disconnected, does
 * not change the frames that were already read. The next call tries again.
 */
int dj_live_update(struct dj_live *live, struct dj_error *err);

/* Returns the host time (dj_host_now_ns()) at which the next update is useful. */
int64_t dj_live_next_ns(const struct dj_live *live);

enum dj_live_state dj_live_get_state(const struct dj_live *live);
/* Returns the name of the device, for example "local:". */
const char *dj_live_get_device(const struct dj_live *live);
/* Returns the name of the device, for example "local:". */
const char *dj_live_get_app(const struct dj_live *live);

/* Returns the name of the app, as it was passed to dj_live_open(). */
int64_t dj_live_get_opened_ns(const struct dj_live *live);

/* Returns the pid of the process that started last, or −1. */
int64_t dj_live_get_pid(const struct dj_live *live);

/* Returns how many times a process of the app started after another one had ended. */
unsigned dj_live_get_restarts(const struct dj_live *live);

/* Returns the time of the app's device at the last update, or −1 if unknown. */
int64_t dj_live_get_now_ns(const struct dj_live *live);

/* Returns the number of frames that the last dj_live_update() read. They are the newest
 * frames of dj_live_get_frame(). */
size_t dj_live_new_count(const struct dj_live *live);

/* Returns the number of frames that are kept. */
size_t dj_live_frame_count(const struct dj_live *live);

/* Returns the kept frame with this index. The oldest kept frame has index 0. `index` must
 * be less than dj_live_frame_count(). The pointer is valid until the next
 * dj_live_update(). */
const struct dj_live_frame *dj_live_get_frame(const struct dj_live *live, size_t index);

/* Returns the index for dj_live_get_frame() of the first kept frame whose sequence is
 * greater than `sequence`, or dj_live_frame_count() if there is none. */
size_t dj_live_find_after(const struct dj_live *live, uint64_t sequence);

/* Returns the window with this id, or NULL if it is no longer kept. The pointer is valid
 * until the next dj_live_update(). */
const struct dj_live_window *dj_live_find_window(const struct dj_live *live, uint32_t id);

/* Returns the kept window with this index, or NULL if there is none. The oldest kept
 * window has index 0. */
const struct dj_live_window *dj_live_get_window(const struct dj_live *live, size_t index);

/* Compute figures. The first function covers the last 10 s before the last update, or
 * before the last frame if the app has ended. It takes O(n) in the number of kept frames,
 * so call it about once per second. The second function covers all frames since
 * dj_live_open(). */
int dj_live_compute_last(const struct dj_live *live, struct dj_live_figures *figures,
                         struct dj_error *err);
/* Like dj_live_compute_last(), but covers the kept frames that start at the device time
 * start_ns or later. */
int dj_live_compute_since(const struct dj_live *live, int64_t start_ns,
                          struct dj_live_figures *figures, struct dj_error *err);
void dj_live_compute_total(const struct dj_live *live, struct dj_live_figures *figures);

#endif
