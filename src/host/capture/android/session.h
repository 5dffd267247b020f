/* Types and functions of Android captures that both ways (atrace, perfetto) share. */
#ifndef DEJANK_CAPTURE_ANDROID_SESSION_H
#define DEJANK_CAPTURE_ANDROID_SESSION_H

#include "capture/android/atrace.h"
#include "capture/android/captured_file.h"
#include "capture/capture.h"
#include "capture/janky.h"

#define DJ_ANDROID_SHELL_NS (15 * DJ_SECOND_NS)

/* What a device can do for tracing. */
struct dj_android_probe {
    int api;       /* 0: not Android */
    int cpus;      /* ≥ 1 */
    bool perfetto; /* it has the command */
    bool atrace;
    char traced[32]; /* persist.traced.enable; "" if it is not set */
};

struct dj_android_capture;

/* A way to capture: atrace or perfetto. */
struct dj_android_way {
    const char *source; /* "atrace" or "perfetto" */
    /* Starts it. After an error, only what the journal contains is left to restore. */
    int (*start)(struct dj_android_capture *capture, struct dj_error *err);
    /* Sets *ended if it has ended by itself. */
    int (*ended)(struct dj_android_capture *capture, bool *ended, struct dj_error *err);
    /* Ends it and appends the recorded data to `save`. */
    int (*save)(struct dj_android_capture *capture, struct dj_captured_file *save,
                struct dj_error *err);
    /* Ends it if it runs, and removes everything it left on the device. May be called
     * again if the device was away. */
    int (*clear)(struct dj_android_capture *capture, struct dj_error *err);
};

extern const struct dj_android_way dj_android_atrace, dj_android_perfetto;

struct dj_android_capture {
    struct dj_capture base;
    struct dj_device *device; /* the caller's device, or `own` */
    struct dj_device *own;    /* opened again after the connection was lost; owned */
    const struct dj_android_way *way;
    struct dj_android_probe probe;
    struct dj_atrace_categories categories;
    struct dj_keep keep;
    struct dj_captured_file save; /* writes plan->output */
    int64_t begun_ns;             /* host_ns of its start; 0: not started */
    int64_t start_dev_ns;         /* device_ns of its start; 0: unknown */
    int64_t looked_ns;            /* host_ns of the last check */
    int64_t dumped_ns;            /* host_ns at which the next dump is due */
    enum dj_capture_app app;      /* DJ_APP_ANY: not checked */
    bool ended, stopped;
    bool broken; /* the device was lost during the capture */
    /* of atrace: */
    bool tracing;   /* it has to be ended */
    char clock[8];  /* the trace's clock: "boot", "mono", "global"; "": unknown */
    char sync[256]; /* atrace's line that relates its clock to CLOCK_MONOTONIC; "" */
    /* of perfetto: */
    char file[96];                     /* on the device; "": none */
    char pattern[96];                  /* pattern with which `pkill -f` finds the process
                                        * but not its own shell */
    char pid[16];                      /* of perfetto's process; "": none */
    struct dj_device_process *process; /* if it runs in the foreground */
    bool running;                      /* it may be running */
    bool enabled;                      /* persist.traced.enable was changed */
};

/* Finds out what the device is. Blocks for a few commands. */
int dj_android_probe_device(struct dj_device *device, struct dj_android_probe *probe,
                            struct dj_error *err);

/* Checks whether the plan's app runs, until it was seen once. Reports to the plan's
 * listener if it does not. */
void dj_android_find_app(struct dj_android_capture *capture);

/* Runs a command. Returns DJ_E_UNSUPPORTED with its message if it fails. `out` may be
 * NULL. */
int dj_android_run(struct dj_device *device, const char *const *argv, struct dj_text *out,
                   struct dj_error *err);
/* The same for a script of /bin/sh -c. `word` is its $0 (NULL: none). */
int dj_android_run_script(struct dj_device *device, const char *script, const char *word,
                          struct dj_text *out, struct dj_error *err);

/* Copies the first line with text to `says`, safe to print and truncated if it is too
 * long. */
void dj_android_copy_message(const struct dj_device_result *result, char *says,
                             size_t size);

/* Runs a command and writes its output, of any length, to the file. *said: its stderr. */
int dj_android_run_to_file(struct dj_device *device, const char *const *argv,
                           struct dj_captured_file *save, struct dj_text *said,
                           struct dj_error *err);

/* Report a change to the plan's journal, and its end (see capture.h). */
int dj_android_add_change(struct dj_android_capture *capture, const char *space,
                          const char *name, const char *value, struct dj_error *err);
void dj_android_remove_change(struct dj_android_capture *capture, const char *space,
                              const char *name);

/* Converts what was saved to what the plan requests. If that is not possible, the trace
 * is kept as it came, and a limit says so. DJ_E_OUTPUT. */
int dj_android_convert(struct dj_android_capture *capture,
                       struct dj_capture_result *result, struct dj_error *err);

void dj_android_report(struct dj_android_capture *capture, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
