/* What captures of Android devices are made of. Of this room only. */
#ifndef DEJANK_CAPTURE_ANDROID_PARTS_H
#define DEJANK_CAPTURE_ANDROID_PARTS_H

#include "capture/android_atrace.h"
#include "capture/android_save.h"
#include "capture/capture.h"
#include "capture/janky.h"

#define DJ_ANDROID_SHELL_NS (15 * DJ_SECOND_NS)

/* What a device is, as far as tracing goes. */
struct dj_android_probe {
    int api;       /* 0: it is no Android */
    int cpus;      /* ≥ 1 */
    bool perfetto; /* the command is there */
    bool atrace;
    char traced[32]; /* persist.traced.enable; "" where it has no value */
};

struct dj_android_capture;

/* One of the two ways to make one. */
struct dj_android_way {
    const char *source; /* "atrace", "perfetto" */
    /* An error leaves nothing behind that the notes do not name. */
    int (*start)(struct dj_android_capture *capture, struct dj_error *err);
    /* Whether it has ended by itself. */
    int (*ended)(struct dj_android_capture *capture, bool *ended, struct dj_error *err);
    /* Ends it and appends what was recorded to the file. */
    int (*save)(struct dj_android_capture *capture, struct dj_save *save,
                struct dj_error *err);
    /* Ends it where it goes on, and removes all it left on the device. May be called
     * again where the device was away. */
    int (*clear)(struct dj_android_capture *capture, struct dj_error *err);
};

extern const struct dj_android_way dj_android_atrace, dj_android_perfetto;

struct dj_android_capture {
    struct dj_capture base;
    struct dj_device *device; /* the caller's, or `own` */
    struct dj_device *own;    /* opened again after the connection was lost */
    const struct dj_android_way *way;
    struct dj_android_probe probe;
    struct dj_atrace_categories categories;
    struct dj_keep keep;
    struct dj_save save;     /* on its way to plan->output */
    int64_t begun_ns;        /* host_ns of when it had started; 0: it has not */
    int64_t start_dev_ns;    /* the device's; 0 unknown */
    int64_t looked_ns;       /* host_ns of the last look */
    int64_t dumped_ns;       /* host_ns of when the next dump is due */
    enum dj_capture_app app; /* DJ_APP_ANY: nobody looked */
    bool ended, stopped;
    bool broken; /* the device went away on the way */
    /* of atrace */
    bool tracing;   /* it is to be ended */
    char clock[8];  /* the trace's: "boot", "mono", "global"; "" unknown */
    char sync[256]; /* its own line that ties its clock to CLOCK_MONOTONIC; "" */
    /* of perfetto */
    char file[96];                     /* on the device; "" where there is none */
    char pattern[96];                  /* what `pkill -f` finds it by, without finding the
                                          shell that looks */
    char pid[16];                      /* its process's; "" where there is none */
    struct dj_device_process *process; /* where it goes on in the foreground */
    bool running;                      /* it may go on */
    bool enabled;                      /* persist.traced.enable was changed */
};

/* Asks what it is. */
int dj_android_ask(struct dj_device *device, struct dj_android_probe *probe,
                   struct dj_error *err);

/* Looks whether the app that was asked for runs, until it was seen once; tells that it
 * does not. */
void dj_android_look_for_app(struct dj_android_capture *capture);

/* Runs a command; DJ_E_UNSUPPORTED with what it said where it fails. `out` may be NULL.
 */
int dj_android_order(struct dj_device *device, const char *const *argv,
                     struct dj_text *out, struct dj_error *err);
/* The same with /bin/sh's -c, whose $0 is `word` (NULL: none). */
int dj_android_script(struct dj_device *device, const char *script, const char *word,
                      struct dj_text *out, struct dj_error *err);

/* The first line that says something, safe to print and cut where too long. */
void dj_android_says(const struct dj_shell_result *result, char *says, size_t size);

/* Runs a command whose output is the trace, however long, into the file. *said: what it
 * wrote to stderr. */
int dj_android_stream(struct dj_device *device, const char *const *argv,
                      struct dj_save *save, struct dj_text *said, struct dj_error *err);

/* Tells whoever keeps them of changes (capture.h). */
int dj_android_note(struct dj_android_capture *capture, const char *space,
                    const char *name, const char *value, struct dj_error *err);
void dj_android_forget(struct dj_android_capture *capture, const char *space,
                       const char *name);

/* What was saved becomes what the plan asks for, as far as that can be: what cannot is
 * said in a limit, and the trace is kept as it came. DJ_E_OUTPUT. */
int dj_android_shape(struct dj_android_capture *capture, struct dj_capture_result *result,
                     struct dj_error *err);

void dj_android_tell(struct dj_android_capture *capture, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
