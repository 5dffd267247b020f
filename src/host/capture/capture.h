/* capture makes system traces, on this machine (linux: tracefs, perf events, or what an
 * unprivileged process can see) and on devices behind adb (android: atrace, perfetto). It
 * restores what it changed. It does not read traces and prints nothing.
 *
 * A capture must not harm the measurement next to it: every call has a time limit, none
 * ends the process, and a capture that cannot start, or breaks, is an error that the
 * caller reports as a warning. One thread at a time uses a capture. A backend may have
 * threads of its own. */
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
    DJ_CAPTURE_LIMITS = 10, /* sentences about what a capture cannot show */
    DJ_CAPTURE_LIMIT = 200  /* bytes of one sentence, including NUL */
};

#define DJ_CAPTURE_BUFFER_BYTES (INT64_C(16) << 20)
#define DJ_CAPTURE_AROUND_NS (250 * DJ_MILLISECOND_NS)

enum { DJ_CAPTURE_BUFFER_MOST_MB = 1024 };

/* What to capture. Zero is the default of everything except `output`. Everything that is
 * pointed to must outlive the capture. */
struct dj_capture_plan {
    const char *output; /* the .pftrace file; it replaces an older file when the capture
                         * has stopped */
    const char *app; /* name in dumpsys: the trace contains its sections and frames; NULL:
                      * on this machine those of every recorded app, on Android none */
    /* Processes to watch, with their children, if only own threads can be seen. None:
     * those of the app. */
    const pid_t *pids;
    size_t pid_count;
    /* Kinds of events, in the backend's own words. None: its defaults. */
    const char *const *categories;
    size_t category_count;
    int64_t buffer_bytes;   /* total of the kernel's rings; 0: DJ_CAPTURE_BUFFER_BYTES, or
                             * the device's own size */
    int64_t size_max_bytes; /* of the file; if it is reached, the result says `cut` */
    int64_t duration_ns;    /* it ends by itself after this time; 0: when it is stopped */
    /* Keep only the time around janky frames: this long before and after each; 0:
     * DJ_CAPTURE_AROUND_NS. */
    bool around_janky;
    int64_t before_ns, after_ns;
    bool janky_told;  /* the caller calls dj_capture_keep() for each janky frame, so the
                       * backend does not look for them and the app is not dumped twice */
    bool level_asked; /* only `level` is acceptable; otherwise the best available level is
                       * used */
    enum dj_capture_level level;
    /* Receives messages for people during the capture. NULL: none. */
    void (*say)(void *user, const char *sentence);
    void *user;
    /* Receive changes of the device, so that they are restored even if this process ends
     * before. `note` is called before each change (spaces, names and values of
     * docs/format/journal.md), `forget` when it is undone. NULL: none. */
    int (*note)(void *keeper, const char *space, const char *name, const char *value,
                struct dj_error *err);
    void (*forget)(void *keeper, const char *space, const char *name);
    void *keeper;
};

/* Progress of a capture. */
struct dj_capture_progress {
    bool ended;    /* nothing is captured any more: its time is over, or it broke */
    bool cut;      /* it ended because of size_max_bytes; only on this machine */
    int64_t bytes; /* captured so far, if known */
    size_t janky;  /* janky frames with kept time around them */
};

/* Whether the plan's app ran during the capture. */
enum dj_capture_app {
    DJ_APP_ANY,        /* the plan has no app */
    DJ_APP_RECORDED,   /* it ran, at least part of the time, and could be recorded */
    DJ_APP_UNRECORDED, /* it ran without the recorder */
    DJ_APP_ABSENT      /* no process with that name ran */
};

/* What was captured. Zero-initialise it. */
struct dj_capture_result {
    enum dj_capture_level level;
    const char *source;        /* "tracefs", "perf", "own-threads", "atrace" or
                                * "perfetto" */
    int64_t start_ns, end_ns;  /* in the device's CLOCK_MONOTONIC; both 0: unknown */
    uint64_t events;           /* system events in the file; 0 on devices: not counted */
    uint64_t lost;             /* events that could not be stored */
    uint64_t sections, frames; /* of the app, in the file */
    uint64_t frames_lost;   /* overwritten in the recorder's ring before they were read */
    uint64_t frames_later;  /* began after `end_ns` */
    uint64_t frames_broken; /* without a start or an end */
    uint64_t janky;         /* frames with kept time around them */
    int64_t bytes;          /* of the file */
    bool cut;               /* size_max_bytes was reached */
    enum dj_capture_app app;
    /* Sentences about what the capture cannot show. The file contains them, too. */
    char limits[DJ_CAPTURE_LIMITS][DJ_CAPTURE_LIMIT];
    size_t limit_count;
};

/* Adds a sentence if there is space. */
void dj_capture_add_limit(struct dj_capture_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The first member of each backend's own struct. */
struct dj_capture {
    const struct dj_capture_backend *backend;
    const struct dj_capture_plan *plan;
};

/* What a backend implements. The functions below with the same names have their
 * contracts. */
struct dj_capture_backend {
    int (*start)(const struct dj_capture_plan *plan, struct dj_device *device,
                 struct dj_capture **capture, struct dj_error *err);
    int (*poll)(struct dj_capture *capture, struct dj_capture_progress *progress,
                struct dj_error *err);
    int (*keep)(struct dj_capture *capture, int64_t from_ns, int64_t to_ns,
                struct dj_error *err);
    void (*end)(struct dj_capture *capture); /* NULL: does nothing */
    int (*stop)(struct dj_capture *capture, struct dj_capture_result *result,
                struct dj_error *err);
    void (*destroy)(struct dj_capture *capture); /* also frees it */
};

extern const struct dj_capture_backend dj_capture_linux;
extern const struct dj_capture_backend dj_capture_android;

/* Returns DJ_E_USAGE if the plan has a category that this machine does not know; the
 * message names those that it knows. A device's categories are known only when a capture
 * starts. */
int dj_capture_check_categories(const struct dj_capture_plan *plan, struct dj_error *err);

/* Whether a file's name requests atrace's original text, which only Android has. */
bool dj_capture_is_text_file(const char *output);

/* Starts a capture on the device, which must outlive it (NULL or "local:": this machine).
 * Events are captured from its return on. After an error nothing is left to restore:
 * DJ_E_OUTPUT if plan->output cannot be written, DJ_E_OWNER if the requested level is not
 * permitted (the message says how to permit it), DJ_E_UNSUPPORTED, and errors of devices.
 * Also cleans up after a capture that was killed. Blocks for a few seconds at most. */
int dj_capture_start(const struct dj_capture_plan *plan, struct dj_device *device,
                     struct dj_capture **capture, struct dj_error *err);

/* Maintains the capture. Call it some times a second, at least every few seconds, until
 * it is stopped. An error says what broke; dj_capture_stop() still writes what was
 * captured before. Blocks no longer than one answer of the device. */
int dj_capture_poll(struct dj_capture *capture, struct dj_capture_progress *progress,
                    struct dj_error *err);

/* For around_janky: keeps events from `from_ns` to `to_ns` (device's CLOCK_MONOTONIC,
 * without `before` and `after`) that are still stored. For callers that see a janky frame
 * before the backend does. */
int dj_capture_keep(struct dj_capture *capture, int64_t from_ns, int64_t to_ns,
                    struct dj_error *err);

/* Stops capturing events. dj_capture_stop() still has to be called and may take its time.
 * For callers that end the app in between and want its frames to be counted. Backends
 * that cannot end early continue until dj_capture_stop(). */
void dj_capture_end(struct dj_capture *capture);

/* Ends the capture, restores the device and writes plan->output, also after an earlier
 * error. DJ_E_NO_DATA if nothing was captured; DJ_E_OUTPUT: *result is filled as far as
 * possible, and the file has what could be written. A second call does nothing. */
int dj_capture_stop(struct dj_capture *capture, struct dj_capture_result *result,
                    struct dj_error *err);

/* Stops the capture, if it runs, without writing anything, and frees it. NULL is
 * allowed. */
void dj_capture_destroy(struct dj_capture *capture);

#endif
