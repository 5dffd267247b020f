/* Types and functions that Android captures with atrace and with perfetto share. */
#ifndef DEJANK_CAPTURE_ANDROID_SESSION_H
#define DEJANK_CAPTURE_ANDROID_SESSION_H

#include "capture/android/atrace.h"
#include "capture/android/captured_file.h"
#include "capture/capture.h"
#include "capture/janky.h"

#define DJ_ANDROID_SHELL_NS (15 * DJ_SECOND_NS)

/* The tracing tools of a device. */
struct dj_android_probe {
    int api;       /* API level, or 0 if the device is not an Android device. */
    int cpus;      /* Number of CPUs, at least 1. */
    bool perfetto; /* True if the device has the command perfetto. */
    bool atrace;
    char traced[32]; /* Value of persist.traced.enable, or "" if it is not set. */
};

struct dj_android_capture;

/* A way to capture: atrace or perfetto. */
struct dj_android_way {
    const char *source; /* Tool that captures: "atrace" or "perfetto". */
    /* Starts the capture. If it fails, no capture runs on the device. Changes that were
     * already made to the device are in the journal, and the caller restores them. */
    int (*start)(struct dj_android_capture *capture, struct dj_error *err);
    /* Sets *ended to true if the capture has ended by itself. */
    int (*ended)(struct dj_android_capture *capture, bool *ended, struct dj_error *err);
    /* Ends the capture and appends the recorded data to `save`. */
    int (*save)(struct dj_android_capture *capture, struct dj_captured_file *save,
                struct dj_error *err);
    /* Ends the capture if it runs, and removes everything that the capture has left on
     * the device. If the connection was lost during a call, the caller may call it again.
     */
    int (*clear)(struct dj_android_capture *capture, struct dj_error *err);
};

extern const struct dj_android_way dj_android_atrace, dj_android_perfetto;

struct dj_android_capture {
    struct dj_capture base;
    struct dj_device *device; /* Device of the capture: the caller's device, or `own`. */
    /* Second connection to the device, which was opened after the first one was lost, or
     * NULL. Owned by this struct. */
    struct dj_device *own;
    const struct dj_android_way *way;
    struct dj_android_probe probe;
    struct dj_atrace_categories categories;
    struct dj_keep keep;
    struct dj_captured_file save; /* The file that receives the trace of plan->output. */
    int64_t begun_ns;             /* Start of the capture in the host's clock, or 0 if
                                   * it was not started. */
    int64_t start_dev_ns;         /* Start of the capture in the device's clock, or 0
                                   * if unknown. */
    /* Time of the last check whether the app runs, in the host's clock. */
    int64_t checked_ns;
    int64_t dumped_ns; /* Time of the next gfxinfo dump, in the host's clock. */
    /* Whether the app runs, or DJ_APP_ANY if that was not checked yet. */
    enum dj_capture_app app;
    bool ended, stopped;
    bool broken; /* True if the connection was lost during the capture. */
    /* The following members are used by atrace. */
    bool tracing; /* True if atrace was started and not stopped yet. */
    /* Name of the trace's clock: "boot", "mono" or "global", or "" if unknown. */
    char clock[8];
    /* The line with which atrace relates the trace's clock to CLOCK_MONOTONIC, or "" if
     * unknown. */
    char sync[256];
    /* The following members are used by perfetto. */
    char file[96];    /* Path of the trace on the device, or "" if there is none. */
    char pattern[96]; /* Pattern with which `pkill -f` finds perfetto
                       * but not the shell that runs pkill. */
    char pid[16];     /* Process id of perfetto, or "" if it does not run. */
    /* Connection to perfetto if perfetto runs in the foreground, or NULL. */
    struct dj_device_process *process;
    bool running; /* True if perfetto may be running. */
    bool enabled; /* True if persist.traced.enable was changed. */
};

/* Finds out what the device offers. Blocks for a few commands. */
int dj_android_probe_device(struct dj_device *device, struct dj_android_probe *probe,
                            struct dj_error *err);

/* Checks whether the plan's app runs, unless an earlier call has found it. Reports to the
 * plan's listener that the app does not run, and later that it has started. */
void dj_android_find_app(struct dj_android_capture *capture);

/* Runs a command and appends its output to `out`, which may be NULL. If the command
 * fails, returns DJ_E_UNSUPPORTED, and the error contains the message of the command. */
int dj_android_run(struct dj_device *device, const char *const *argv, struct dj_text *out,
                   struct dj_error *err);
/* Runs a script with /bin/sh -c, and otherwise does the same as dj_android_run(). `word`
 * is $0 in the script. It may be NULL. */
int dj_android_run_script(struct dj_device *device, const char *script, const char *word,
                          struct dj_text *out, struct dj_error *err);

/* Runs a command and writes its complete output to the file. Appends its stderr to
 * `errors`. */
int dj_android_run_to_file(struct dj_device *device, const char *const *argv,
                           struct dj_captured_file *save, struct dj_text *errors,
                           struct dj_error *err);

/* Reports a change to plan->note before it is made, if the plan has this function (see
 * struct dj_capture_plan). */
int dj_android_add_change(struct dj_android_capture *capture, const char *space,
                          const char *name, const char *value, struct dj_error *err);

/* Reports to plan->forget that a change was undone, if the plan has this function. */
void dj_android_remove_change(struct dj_android_capture *capture, const char *space,
                              const char *name);

/* Converts the saved trace to the format that the plan requests, and keeps only the
 * requested time. If that is not possible, keeps the unchanged trace and adds a limit
 * that says so. Returns 0, DJ_E_OUTPUT or DJ_E_NO_MEMORY. */
int dj_android_convert(struct dj_android_capture *capture,
                       struct dj_capture_result *result, struct dj_error *err);

void dj_android_report(struct dj_android_capture *capture, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
