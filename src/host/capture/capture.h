/* capture: makes system traces, on this machine (folder linux: tracefs, perf events,
 * or what an unprivileged process can see) and on Android devices (folder android:
 * atrace, perfetto). It restores what it changed. It does not read traces and prints
 * nothing.
 *
 * A capture must not harm a measurement that runs at the same time. So every call has
 * a time limit, and none ends the process. If a capture cannot start or breaks, the
 * call returns an error, which the caller reports as a warning. Only one thread at a
 * time may use a capture. A backend may have threads of its own. */
#ifndef DEJANK_CAPTURE_CAPTURE_H
#define DEJANK_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"
#include "capture/level.h"
#include "device/device.h"

enum {
    DJ_CAPTURE_LIMITS = 10, /* Maximum number of sentences about what a capture cannot
                             * show. */
    DJ_CAPTURE_LIMIT = 200  /* Size of one such sentence in bytes, including the NUL. */
};

#define DJ_CAPTURE_BUFFER_BYTES (INT64_C(16) << 20)
#define DJ_CAPTURE_AROUND_NS (250 * DJ_MILLISECOND_NS)

enum { DJ_CAPTURE_BUFFER_MOST_MB = 1024 };

/* What to capture. 0 or NULL requests the default of each member except `output`.
 * Everything that a member points to must exist until the capture is destroyed. */
struct dj_capture_plan {
    const char *output; /* Path of the .pftrace file. When the capture stops, the file
                         * replaces an older one. */
    /* Name of an app in dumpsys, whose sections and frames the trace contains. If
     * NULL, the trace contains those of every recorded app on this machine, and none
     * on Android. */
    const char *app;
    /* Processes to watch together with their children, at the level own-threads. If
     * there are none, the app's processes are watched. */
    const pid_t *pids;
    size_t pid_count;
    /* Categories of events, in the names of the backend. If there are none, the
     * backend's defaults are used. */
    const char *const *categories;
    size_t category_count;
    int64_t buffer_bytes;   /* Total size of the kernel's buffers. 0 requests
                             * DJ_CAPTURE_BUFFER_BYTES, or the device's own size. */
    int64_t size_max_bytes; /* Maximum size of the file. If the capture reaches it,
                             * `cut` is set in the result. */
    int64_t duration_ns;    /* Time after which the capture ends by itself. If 0, it
                             * runs until it is stopped. */
    /* Keep only the time around janky frames: before_ns before each frame, and
     * after_ns after it. If these are 0, DJ_CAPTURE_AROUND_NS is used. */
    bool around_janky;
    int64_t before_ns, after_ns;
    /* True if the caller calls dj_capture_keep() for each janky frame. The backend
     * then does not look for janky frames, so that the app is not dumped twice. */
    bool janky_reported;
    bool level_required; /* True if only the level `level` is acceptable. Otherwise the
                          * best permitted level is used. */
    enum dj_capture_level level;
    /* Receives messages for people during the capture, or NULL. */
    void (*say)(void *user, const char *sentence);
    void *user;
    /* Receive changes of the device, so that the changes can be undone even if this
     * process dies. `note` is called before each change, with the spaces, names and
     * values of docs/format/journal.md. `forget` is called after a change was undone.
     * Both may be NULL. */
    int (*note)(void *keeper, const char *space, const char *name, const char *value,
                struct dj_error *err);
    void (*forget)(void *keeper, const char *space, const char *name);
    void *keeper;
};

/* The progress of a capture. */
struct dj_capture_progress {
    bool ended;    /* True if nothing is captured any more, because the time is over or
                    * the capture broke. */
    bool cut;      /* True if the capture ended because of size_max_bytes. Only on this
                    * machine. */
    int64_t bytes; /* Number of bytes captured so far, or 0 if unknown. */
    size_t janky;  /* Number of janky frames so far whose time is kept. */
};

/* Whether the plan's app ran during the capture. */
enum dj_capture_app {
    DJ_APP_ANY,        /* The plan has no app. */
    DJ_APP_RECORDED,   /* The app ran under the recorder, at least for a part of the
                        * time. */
    DJ_APP_UNRECORDED, /* The app ran, but not under the recorder. */
    DJ_APP_ABSENT      /* No process of the app ran. */
};

/* What was captured. Zero-initialise it. */
struct dj_capture_result {
    enum dj_capture_level level;
    const char *source;        /* "tracefs", "perf", "own-threads", "atrace" or
                                * "perfetto". */
    int64_t start_ns, end_ns;  /* Start and end in the device's CLOCK_MONOTONIC. Both
                                * are 0 if unknown. */
    uint64_t events;           /* Number of system events in the file. 0 on a device,
                                * where they are not counted. */
    uint64_t lost;             /* Number of events that could not be stored. */
    uint64_t sections, frames; /* Number of sections and of frames of the app in the
                                * file. */
    uint64_t frames_lost;      /* Number of frames that were overwritten in the recorder's
                                * ring before they were read. */
    uint64_t frames_later;     /* Number of frames that began after `end_ns`. */
    uint64_t frames_broken;    /* Number of frames without a start or an end. */
    uint64_t janky;            /* Number of janky frames whose time is kept. */
    int64_t bytes;             /* Size of the file. */
    bool cut;                  /* True if the capture reached size_max_bytes. */
    enum dj_capture_app app;
    /* Sentences about what the capture cannot show. The file contains them too. */
    char limits[DJ_CAPTURE_LIMITS][DJ_CAPTURE_LIMIT];
    size_t limit_count;
};

/* Adds a sentence to `limits`. Does nothing if there are DJ_CAPTURE_LIMITS already. */
void dj_capture_add_limit(struct dj_capture_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The first member of the struct of each backend. */
struct dj_capture {
    const struct dj_capture_backend *backend;
    const struct dj_capture_plan *plan;
};

/* The functions of a backend. Each has the contract of the function below with the
 * same name. */
struct dj_capture_backend {
    int (*start)(const struct dj_capture_plan *plan, struct dj_device *device,
                 struct dj_capture **capture, struct dj_error *err);
    int (*poll)(struct dj_capture *capture, struct dj_capture_progress *progress,
                struct dj_error *err);
    int (*keep)(struct dj_capture *capture, int64_t from_ns, int64_t to_ns,
                struct dj_error *err);
    void (*end)(struct dj_capture *capture); /* May be NULL. */
    int (*stop)(struct dj_capture *capture, struct dj_capture_result *result,
                struct dj_error *err);
    void (*destroy)(struct dj_capture *capture); /* Also frees the struct. */
};

extern const struct dj_capture_backend dj_capture_linux;
extern const struct dj_capture_backend dj_capture_android;

/* Returns DJ_E_USAGE if the plan has a category that this machine does not have. The
 * message lists the categories of this machine. The categories of a device are known
 * only when a capture starts. */
int dj_capture_check_categories(const struct dj_capture_plan *plan, struct dj_error *err);

/* Returns true if the file's name requests atrace's original text, which only Android
 * has. */
bool dj_capture_is_text_file(const char *output);

/* Starts a capture on the device. The device must exist until the capture is
 * destroyed. NULL or "local:" is this machine. Events are captured from the return of
 * this function on. After an error nothing is left to restore. Returns 0, DJ_E_OUTPUT
 * if plan->output cannot be written, DJ_E_OWNER if the required level is not permitted
 * (the message says how to permit it), DJ_E_UNSUPPORTED, or an error of the device.
 * Also removes what a killed capture has left. Blocks for a few seconds at most. */
int dj_capture_start(const struct dj_capture_plan *plan, struct dj_device *device,
                     struct dj_capture **capture, struct dj_error *err);

/* Does the periodic work of a capture. Call it several times per second, and at least
 * every few seconds, until the capture is stopped. After an error dj_capture_stop()
 * still writes what was captured before. Blocks no longer than one command of the
 * device. */
int dj_capture_poll(struct dj_capture *capture, struct dj_capture_progress *progress,
                    struct dj_error *err);

/* Keeps the events from `from_ns` to `to_ns` that are still stored, and the time
 * before and after, for a plan with around_janky. The times are in the device's
 * CLOCK_MONOTONIC. For callers that find a janky frame before the backend does. */
int dj_capture_keep(struct dj_capture *capture, int64_t from_ns, int64_t to_ns,
                    struct dj_error *err);

/* Stops capturing events. The caller must still call dj_capture_stop(), at any later
 * time. This function is for callers that end the app in between, so that the frames
 * at the app's end are counted. A backend that cannot stop early continues until
 * dj_capture_stop(). */
void dj_capture_end(struct dj_capture *capture);

/* Ends the capture, restores the device and writes plan->output, even after an earlier
 * error. Returns 0, or DJ_E_NO_DATA if nothing was captured, or DJ_E_OUTPUT. In the
 * last case *result is set as far as possible, and the file contains what could be
 * written. A second call does nothing. */
int dj_capture_stop(struct dj_capture *capture, struct dj_capture_result *result,
                    struct dj_error *err);

/* Stops the capture if it runs, without writing anything, and frees it. NULL is
 * allowed. */
void dj_capture_destroy(struct dj_capture *capture);

#endif
