/*
 * capture: records system traces. On this machine it uses tracefs, perf events, or the
 * data that an unprivileged process can read (folder linux). On Android devices it uses
 * atrace or perfetto (folder android). It restores everything that it changed. It does
 * not read traces and prints nothing.
 *
 * A capture must not disturb a measurement that runs at the same time. Therefore every
 * call has a time limit, and no call ends the process. If a capture cannot start or fails
 * later, the call returns an error, which the caller reports as a warning.
 *
 * Only one thread at a time may use a capture. A capture may have threads of its own.
 */
#ifndef DEJANK_CAPTURE_CAPTURE_H
#define DEJANK_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"
#include "capture/level.h"
#include "capture/stack_options.h"
#include "device/device.h"

enum {
    /* A limit is a phrase that says what a trace does not show. This is the maximum
     * number of limits of a capture. */
    DJ_CAPTURE_LIMITS = 16,
    DJ_CAPTURE_LIMIT = 200 /* Size of a limit in bytes, including the NUL. */
};

#define DJ_CAPTURE_BUFFER_BYTES (INT64_C(16) << 20)
#define DJ_CAPTURE_AROUND_NS (250 * DJ_MILLISECOND_NS)

enum { DJ_CAPTURE_BUFFER_MOST_MB = 1024 };

/* What to capture. If a member other than `output` is 0 or NULL, the default applies. All
 * strings and arrays of the plan must stay valid until the capture is destroyed. */
struct dj_capture_plan {
    /* Path of the .pftrace file. An existing file is replaced when the capture stops. */
    const char *output;
    /* Name of an app in dumpsys. The trace contains the sections and frames of this app.
     * If NULL, the trace contains the sections and frames of all recorded apps on this
     * machine, and no sections or frames on Android. */
    const char *app;
    /* Processes to watch at the level own-threads, together with their child processes.
     * If there are none, the app's processes are watched. */
    const pid_t *pids;
    size_t pid_count;
    /* Names of event categories. A capture on this machine and a capture on Android have
     * different categories. If there are none, the default categories are captured. */
    const char *const *categories;
    size_t category_count;
    /* Total size of the kernel's buffers. If 0, the size is DJ_CAPTURE_BUFFER_BYTES on
     * this machine, and the default for atrace or perfetto on Android. */
    int64_t buffer_bytes;
    int64_t size_max_bytes; /* Maximum size of the file. If the capture reaches it,
                             * `cut` is set in the result. */
    /* Time after which the capture ends by itself, or 0 if only the caller stops it. */
    int64_t duration_ns;
    /* If true, the trace contains only the time around janky frames: from before_ns
     * before each frame to after_ns after it. If before_ns or after_ns is 0,
     * DJ_CAPTURE_AROUND_NS is used. */
    bool around_janky;
    int64_t before_ns, after_ns;
    /* True if the caller finds the janky frames itself and calls dj_capture_keep() for
     * each of them. The capture then does not search for janky frames, so the app's
     * frames are not dumped twice. */
    bool janky_reported;
    /* If true, the capture fails if `level` is not permitted. If false, the capture uses
     * the best permitted level. */
    bool level_required;
    enum dj_capture_level level;
    /* Call stacks to sample. Only captures on this machine sample stacks. */
    struct dj_capture_stacks stacks;
    /* Receives messages that the caller may show to the user during the capture. May be
     * NULL. */
    void (*say)(void *user, const char *sentence);
    void *user;
    /* `note` receives each change of the device before the change is made. So another
     * process can undo the change if this process dies. docs/format/journal.md defines
     * the spaces, names and values of changes. `forget` is called after a change was
     * undone. Both functions may be NULL. */
    int (*note)(void *keeper, const char *space, const char *name, const char *value,
                struct dj_error *err);
    void (*forget)(void *keeper, const char *space, const char *name);
    void *keeper;
};

/* The state of a running capture. */
struct dj_capture_progress {
    /* True if the capture ended because the file reached size_max_bytes. Always false on
     * Android devices. */
    bool ended;
    /* True if the capture ended because the file reached size_max_bytes. Always false on
     * Android devices. */
    bool cut;
    int64_t bytes; /* Number of bytes captured so far, or 0 if unknown. */
    /* Number of janky frames so far for which the trace keeps the time around the frame.
     */
    size_t janky;
};

/* Whether the plan's app ran during the capture. */
enum dj_capture_app {
    DJ_APP_ANY, /* The plan has no app, or the app was not checked yet. */
    /* The recorder was loaded into the app, at least for a part of the capture. */
    DJ_APP_RECORDED,
    DJ_APP_UNRECORDED, /* The app ran, but the recorder was not loaded into it. */
    DJ_APP_ABSENT      /* No process of the app ran. */
};

/* The call stacks of a capture. */
struct dj_capture_stack_counts {
    bool wanted; /* True if the plan requests stacks. */
    /* How stacks were sampled: "cpus" if each CPU was sampled, "threads" if the app's
     * threads were sampled, "user-threads" if they were sampled only while they ran their
     * own code. NULL if there are no stacks. */
    const char *source;
    int64_t rate_hz; /* Requested samples per second and CPU. */
    uint64_t samples;
    uint64_t waits;      /* Number of samples that were taken when a thread began to
                          * wait. */
    uint64_t incomplete; /* Number of samples without their outer functions. */
    uint64_t guessed;    /* Number of samples in which at least one caller was guessed. */
    uint64_t lost;       /* Number of lost records. */
    /* Number of times that the kernel paused sampling because it took too long. */
    uint64_t throttled;
};

/* The result of a capture. Zero the struct before use. */
struct dj_capture_result {
    enum dj_capture_level level;
    /* Source of the events: "tracefs", "perf", "own-threads", "atrace" or "perfetto". */
    const char *source;
    /* Start and end of the capture in the device's CLOCK_MONOTONIC. Both are 0 if
     * unknown. */
    int64_t start_ns, end_ns;
    /* Number of system events in the file. 0 on Android, where events are not counted. */
    uint64_t events;
    uint64_t lost; /* Number of events that were lost because a buffer was full. */
    uint64_t sections, frames; /* Number of sections and of frames of the app in the
                                * file. */
    uint64_t frames_lost;      /* Number of frames that were overwritten in the recorder's
                                * ring before they were read. */
    /* Number of frames that began after the end of the capture. The trace does not
     * contain these frames. */
    uint64_t frames_later;
    uint64_t frames_broken; /* Number of frames without a start or an end. */
    /* Number of janky frames for which the trace contains the time around the frame. */
    uint64_t janky;
    int64_t bytes; /* Size of the file in bytes. */
    bool cut;      /* True if the capture reached size_max_bytes. */
    enum dj_capture_app app;
    struct dj_capture_stack_counts stacks;
    /* Phrases that say which information the trace lacks. The file contains these
     * phrases too. */
    char limits[DJ_CAPTURE_LIMITS][DJ_CAPTURE_LIMIT];
    size_t limit_count;
};

/* Adds a phrase to `limits`. Does nothing if `limits` already contains DJ_CAPTURE_LIMITS
 * phrases. */
void dj_capture_add_limit(struct dj_capture_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A running capture. The struct of each backend starts with this struct. */
struct dj_capture {
    const struct dj_capture_backend *backend;
    const struct dj_capture_plan *plan;
};

/* The functions of a backend: the Linux backend captures on this machine, the Android
 * backend on a device. Each function does what the function dj_capture_… with the same
 * name does. */
struct dj_capture_backend {
    int (*start)(const struct dj_capture_plan *plan, struct dj_device *device,
                 struct dj_capture **capture, struct dj_error *err);
    int (*poll)(struct dj_capture *capture, struct dj_capture_progress *progress,
                struct dj_error *err);
    int (*keep)(struct dj_capture *capture, int64_t from_ns, int64_t to_ns,
                struct dj_error *err);
    /* Function that stops recording events. May be NULL. */
    void (*end)(struct dj_capture *capture);
    int (*stop)(struct dj_capture *capture, struct dj_capture_result *result,
                struct dj_error *err);
    /* Frees the contents of the struct and the struct. */
    void (*destroy)(struct dj_capture *capture);
};

extern const struct dj_capture_backend dj_capture_linux;
extern const struct dj_capture_backend dj_capture_android;

/* Returns DJ_E_USAGE if the plan names a category that this machine does not have. The
 * message lists the categories of this machine. Does not check the categories of an
 * Android device, because dejank knows them only after the capture has started. */
int dj_capture_check_categories(const struct dj_capture_plan *plan, struct dj_error *err);

/* Returns true if the suffix of the file name requests the text of atrace instead of a
 * Perfetto trace. Only captures on Android can write this text. */
bool dj_capture_is_text_file(const char *output);

/* Starts a capture on the device. If `device` is NULL or "local:", captures on this
 * machine. The device must exist until the capture is destroyed. All events after the
 * return of this function are recorded. Also removes what a killed dejank process has
 * left. Blocks for a few seconds at most. Returns 0, DJ_E_OUTPUT if plan->output cannot
 * be written, DJ_E_OWNER if the required level is not permitted (the message says how to
 * permit it), DJ_E_UNSUPPORTED, or an error of the device. After an error the caller need
 * not restore anything. */
int dj_capture_start(const struct dj_capture_plan *plan, struct dj_device *device,
                     struct dj_capture **capture, struct dj_error *err);

/* Does the periodic work of a capture. Call this function several times per second, and
 * at least every few seconds, until the capture is stopped. Blocks no longer than one
 * command of the device. After an error the caller must still call dj_capture_stop(),
 * which writes everything that was captured before the error. */
int dj_capture_poll(struct dj_capture *capture, struct dj_capture_progress *progress,
                    struct dj_error *err);

/* Keeps the events from `from_ns` to `to_ns`, for a plan with around_janky. Also keeps
 * the events in the time before and after that the plan requests. Events that were
 * already overwritten are missing. The times are in the device's CLOCK_MONOTONIC. Callers
 * that find janky frames themselves use this function. */
int dj_capture_keep(struct dj_capture *capture, int64_t from_ns, int64_t to_ns,
                    struct dj_error *err);

/* Stops recording events. The caller must still call dj_capture_stop() later. Use this
 * function before ending the app, so that the app's last frames can still be collected. A
 * backend without this function records events until dj_capture_stop(). */
void dj_capture_end(struct dj_capture *capture);

/* Stops the capture, restores the device and writes plan->output, even after an earlier
 * error. A second call does nothing. Returns 0, DJ_E_NO_DATA if nothing was captured, or
 * DJ_E_OUTPUT. After DJ_E_OUTPUT, the file contains everything that could be written, and
 * *result contains everything that is known about the capture. */
int dj_capture_stop(struct dj_capture *capture, struct dj_capture_result *result,
                    struct dj_error *err);

/* Frees the capture. If the capture still runs, stops it without writing a file. NULL is
 * allowed. */
void dj_capture_destroy(struct dj_capture *capture);

#endif
