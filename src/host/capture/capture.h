/*
 * capture: one capture — what is wanted of it, and start, poll, stop. Where it is made is
 * a backend's: this machine (linux*), or a device behind adb (android*).
 *
 * Nothing of it may harm what is measured beside it: every call has a bound, none ends
 * the process, and a capture that cannot be made, or breaks, is an error that its user
 * tells as a warning. A capture is used by one thread at a time; a backend may have
 * threads of its own.
 */
#ifndef DEJANK_CAPTURE_CAPTURE_H
#define DEJANK_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"
#include "capture/levels.h"
#include "device/device.h"

enum {
    DJ_CAPTURE_LIMITS = 10, /* sentences on what a capture cannot show */
    DJ_CAPTURE_LIMIT = 200  /* bytes of one, NUL included */
};

#define DJ_CAPTURE_BUFFER_BYTES (INT64_C(16) << 20)
#define DJ_CAPTURE_AROUND_NS (250 * DJ_MILLISECOND_NS)

enum { DJ_CAPTURE_BUFFER_MOST_MB = 1024 };

/* What is wanted. Zero is the default of everything but `output`; all that is pointed to
 * outlives the capture. */
struct dj_capture_plan {
    const char *output; /* the .pftrace: there once the capture has stopped, and what was
                           there before until then */
    const char *app; /* as dumpsys names it: its sections and frames are in it; NULL: on
                        this machine those of all that is recorded, on Android none */
    /* Where only own threads may be seen: processes whose threads are, with those that
     * they start. 0 of them: those of the app. */
    const pid_t *pids;
    size_t pid_count;
    /* Kinds of events, each backend's own words; 0 of them: its usual ones. */
    const char *const *categories;
    size_t category_count;
    int64_t buffer_bytes;   /* of the kernel's rings, all together; 0:
                               DJ_CAPTURE_BUFFER_BYTES, or as a device has them */
    int64_t size_max_bytes; /* of the file; what does not fit is told as cut */
    int64_t duration_ns;    /* it ends by itself then; 0: when it is stopped */
    /* Only what was around janky frames is kept, so long before each and after; 0:
     * DJ_CAPTURE_AROUND_NS. */
    bool around_janky;
    int64_t before_ns, after_ns;
    bool janky_told; /* dj_capture_keep() is called for each janky frame: the backend asks
                        for none itself, and the app is not dumped twice */
    bool level_asked; /* no other than `level` will do; else the best there is */
    enum dj_capture_level level;
    /* Something to tell a person, while it goes on. NULL: nobody listens. */
    void (*say)(void *user, const char *sentence);
    void *user;
    /* Whoever remembers what is changed on a device, so that it is put back also where
     * this process ends before it could: told before each change (spaces, names and
     * values of docs/format/journal.md), and when it is undone. NULL: nobody does. */
    int (*note)(void *keeper, const char *space, const char *name, const char *value,
                struct dj_error *err);
    void (*forget)(void *keeper, const char *space, const char *name);
    void *keeper;
};

/* How far it has come. */
struct dj_capture_progress {
    bool ended;    /* nothing is captured any more: the duration is over, or it broke */
    bool cut;      /* it ended because of size_max_bytes; only this machine's says so */
    int64_t bytes; /* captured so far, as far as that is known */
    size_t janky;  /* frames around which something is kept */
};

/* Whether the app of the plan was there while it went on. */
enum dj_capture_app {
    DJ_APP_ANY,        /* none was asked for */
    DJ_APP_RECORDED,   /* it ran, at least for a part of it, and could be recorded */
    DJ_APP_UNRECORDED, /* it ran, but not under the recorder */
    DJ_APP_ABSENT      /* no process of that name ran */
};

/* What it came to. Zero it. */
struct dj_capture_result {
    enum dj_capture_level level;
    const char *source;       /* "tracefs", "perf", "own-threads", "atrace", "perfetto" */
    int64_t start_ns, end_ns; /* of the device's CLOCK_MONOTONIC; 0, 0: not known */
    uint64_t events;          /* of the system, that are in the file; 0 of a device: not
                                 counted */
    uint64_t lost;            /* events that came and could not be kept */
    uint64_t sections, frames; /* of the app, that are in the file */
    uint64_t frames_lost;   /* overwritten in the recorder's ring before they were read */
    uint64_t frames_later;  /* that began after `end_ns` */
    uint64_t frames_broken; /* without a start or an end */
    uint64_t janky;         /* frames around which something was kept */
    int64_t bytes;          /* of the file */
    bool cut;               /* size_max_bytes was reached */
    enum dj_capture_app app;
    /* What it cannot show, a sentence each: these stand in the file as well. */
    char limits[DJ_CAPTURE_LIMITS][DJ_CAPTURE_LIMIT];
    size_t limit_count;
};

/* Adds a sentence, where there is room. */
void dj_capture_limit(struct dj_capture_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The first member of each backend's own struct. */
struct dj_capture {
    const struct dj_capture_backend *backend;
    const struct dj_capture_plan *plan;
};

/* What each backend knows to do. The functions of the same names below have their
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
    void (*destroy)(struct dj_capture *capture); /* frees it, too */
};

extern const struct dj_capture_backend dj_capture_linux;
extern const struct dj_capture_backend dj_capture_android;

/* DJ_E_USAGE where the plan asks for a category that this machine does not have; the
 * message names those that it has. A device's are known once a capture of it begins. */
int dj_capture_check_categories(const struct dj_capture_plan *plan, struct dj_error *err);

/* Whether a file's name asks for atrace's text as it came, which only Android has. */
bool dj_capture_wants_text(const char *output);

/*
 * Begins a capture on the device, which must outlive it (NULL, or "local:": this
 * machine). What is to be captured happens from its return on. On an error nothing is
 * left behind: DJ_E_OUTPUT where plan->output cannot be written, DJ_E_OWNER where the
 * level asked for is not permitted (the message says what would), DJ_E_UNSUPPORTED, and
 * what devices say. Also puts away what a capture left that was killed. Blocks some
 * seconds at most.
 */
int dj_capture_start(const struct dj_capture_plan *plan, struct dj_device *device,
                     struct dj_capture **capture, struct dj_error *err);

/* Looks after it: to be called some times a second, or at least each few seconds, until
 * it is stopped. An error says what broke; what was captured until then is still to be
 * had by dj_capture_stop(). Blocks no longer than one answer of the device. */
int dj_capture_poll(struct dj_capture *capture, struct dj_capture_progress *progress,
                    struct dj_error *err);

/* Of around_janky: keeps what happened from `from_ns` to `to_ns` (device's
 * CLOCK_MONOTONIC, `before` and `after` not in it), as far as it is still there. For
 * whoever sees a janky frame sooner than the backend itself. */
int dj_capture_keep(struct dj_capture *capture, int64_t from_ns, int64_t to_ns,
                    struct dj_error *err);

/* Nothing that happens from now on is captured; dj_capture_stop() still has to be called,
 * and may take its time. For callers that end the app in between, so that the app's
 * frames can be counted. Backends that cannot end early go on until dj_capture_stop(). */
void dj_capture_end(struct dj_capture *capture);

/* Ends it, leaves the device as it was, and writes plan->output. Also after an error in
 * between. DJ_E_NO_DATA where nothing was captured, DJ_E_OUTPUT: *result is filled as far
 * as it goes, and what could be written is in the file. A second call does nothing. */
int dj_capture_stop(struct dj_capture *capture, struct dj_capture_result *result,
                    struct dj_error *err);

/* Stops it without writing anything where it still goes on. NULL is fine. */
void dj_capture_destroy(struct dj_capture *capture);

#endif
