/*
 * device: one device as the host sees it, either behind the adb server or this machine.
 * Runs commands, reads gfxinfo, and sets the switch of the simple dump. When to read and
 * what the numbers mean is decided elsewhere (measure).
 *
 * One thread uses a device at a time. Every call has a deadline, and the caller can end
 * it earlier. Output from a device has a maximum, and words are always quoted before they
 * reach a device's shell (quote.h).
 */
#ifndef DEJANK_DEVICE_DEVICE_H
#define DEJANK_DEVICE_DEVICE_H

#include "base/error.h"
#include "base/text.h"
#include "gfxinfo/parse.h"
#include "process/deadline.h"

/* How long a command may leave its input unread. */
#define DJ_DEVICE_WRITE_NS (10 * DJ_SECOND_NS)

enum {
    DJ_DEVICE_RING_ROWS =
        120, /* rows per window that the ring of Android keeps, and a dump prints */
    DJ_DEVICE_OUTPUT_MAX = 64 * 1024 * 1024 /* bytes read from one command, per stream */
};

/* The result of a command. Zero it. Finish it also after an error. */
struct dj_device_result {
    struct dj_text out, err; /* as the device wrote them, not escaped */
    int exit_code;           /* 128 + signal if a signal ended the command */
};

void dj_device_result_finish(struct dj_device_result *result);

/* A line that a device has written, for error messages. */
struct dj_device_line {
    char line[400];
};

/* Returns the first line, escaped. */
struct dj_device_line dj_device_first_line(const char *text);
/* Returns the first line, escaped, of the errors of a command that failed, or of its
 * output if it wrote no errors. */
struct dj_device_line dj_device_error_line(const struct dj_device_result *result);

/* What to read from gfxinfo. */
struct dj_gfxinfo_request {
    const char *package; /* a process name or pid, as `dumpsys gfxinfo` takes it */
    bool framestats;     /* also read rows */
    int64_t since_ns;    /* read all rows completed since then, not only the newest 120
                            (dejank's dumpsys only); −1: not requested */
    bool reset;          /* reset the counters after printing, as Android does */
};

/* One reading of gfxinfo. Zero it. Finish it also after an error. */
struct dj_device_gfxinfo {
    struct dj_dump dump; /* not_found is set if no process has that name */
    struct dj_text
        raw; /* the text that was parsed; empty for this machine, which has none */
    struct dj_parse_report report;
    int64_t dev_ns;  /* the device's CLOCK_MONOTONIC at the start of the reading (whole ms
                        from a dump); −1: unknown */
    int64_t cost_ns; /* duration of the reading on the host's clock */
    uint32_t ring_rows;    /* rows per window that the device keeps */
    bool reset_keeps_rows; /* a reset removes neither rows nor counts from later readings
                         (this machine) */
    bool reset_is_exact;   /* a reset removes exactly what this reading contains (dejank's
                           dumpsys; Android may remove more) */
};

void dj_device_gfxinfo_finish(struct dj_device_gfxinfo *reading);

/* The switch of the simple dump: what it was, and where it is. */
struct dj_profile_switch {
    char property[64]; /* "debug.hwui.profile"; "": the app's segment contains the switch
                        */
    char previous[96]; /* the previous value of the property, to be restored; "": none */
};

struct dj_device;

/* A command that runs after dj_device_start() has returned. */
struct dj_device_process;

struct dj_device_process_ops {
    int (*read)(struct dj_device_process *process, int64_t timeout_ns,
                struct dj_text *out, struct dj_text *err_text, struct dj_error *err);
    /* Both may be NULL: the command gets no input. */
    int (*write)(struct dj_device_process *process, const void *bytes, size_t size,
                 struct dj_error *err);
    int (*end_input)(struct dj_device_process *process, struct dj_error *err);
    void (*close)(struct dj_device_process *process); /* also frees it */
};

/* The first member of each kind's own struct. */
struct dj_device_process {
    const struct dj_device_process_ops *ops;
    struct dj_device *device;
    bool ended;
    int exit_code;
};

/* The functions of each kind of device. The functions of the same names below describe
 * them. */
struct dj_device_ops {
    int (*shell)(struct dj_device *device, const char *const *argv, int64_t timeout_ns,
                 struct dj_device_result *result, struct dj_error *err);
    int (*gfxinfo)(struct dj_device *device, const struct dj_gfxinfo_request *request,
                   struct dj_device_gfxinfo *reading, struct dj_error *err);
    int (*profile)(struct dj_device *device, const char *package, bool on,
                   struct dj_profile_switch *done, struct dj_error *err);
    int (*start)(struct dj_device *device, const char *const *argv,
                 struct dj_device_process **process, struct dj_error *err);
    /* NULL: the kind has no ports */
    int (*connect)(struct dj_device *device, int port,
                   struct dj_device_process **connection, struct dj_error *err);
    int (*push)(struct dj_device *device, const char *local_path, const char *remote_path,
                unsigned mode, struct dj_error *err);
    int (*pull)(struct dj_device *device, const char *remote_path, struct dj_text *bytes,
                struct dj_error *err);
    int (*clock)(struct dj_device *device, int64_t *dev_ns, int64_t *uncertainty_ns,
                 struct dj_error *err);
    void (*close)(
        struct dj_device *device); /* frees all that the kind owns, and the device */
};

/* CLOCK_BOOTTIME − CLOCK_MONOTONIC: how long the device has slept. */
struct dj_device_sleep {
    bool known;
    int64_t ns, uncertainty_ns;
    int64_t at_ns; /* host time of that measurement */
};

/* The first member of each kind's own struct. */
struct dj_device {
    const struct dj_device_ops *ops;
    char name[128];                        /* the serial, or "local:" */
    struct dj_interrupt_request interrupt; /* the caller may set one: calls end by then at
                                      the latest, with DJ_E_INTERRUPTED */
    struct dj_device_sleep slept;
};

/*
 * Opens the device that a user has named: `local:`, `replay:FOLDER` (recorded answers),
 * an adb serial, `HOST:PORT` (connects if needed), or `adb:` for the only one that is
 * connected. Starts the adb server if none runs. Blocks up to about 20 s.
 *
 * DJ_E_NOT_FOUND: the message lists the devices, or how to install adb. DJ_E_GONE:
 * offline. DJ_E_OWNER: unauthorized. DJ_E_TIMEOUT.
 */
int dj_device_open(const char *selector, struct dj_device **device, struct dj_error *err);

/*
 * Replaces *device by one that records all commands and answers in the folder, for
 * `replay:FOLDER` (docs/format/replay.md). The new device owns the old one. Creates the
 * folder if needed. Reads gfxinfo of this machine through its dumpsys. DJ_E_OUTPUT: the
 * folder cannot be used; *device is unchanged.
 */
int dj_device_record(struct dj_device **device, const char *folder, struct dj_error *err);

/* The same in a sub-folder of `folder` with the name of the device, so that several
 * devices can record at once. "_" replaces "/" in the name. */
int dj_device_record_named(struct dj_device **device, const char *folder,
                           struct dj_error *err);

/* dj_device_open(), then dj_device_record() if `folder` is not NULL. */
int dj_device_open_recorded(const char *selector, const char *folder,
                            struct dj_device **device, struct dj_error *err);

/* NULL is allowed. */
void dj_device_close(struct dj_device *device);

/* Runs argv[0] with its arguments and waits until it ends. A command that fails is a
 * result, not an error. DJ_E_GONE: the device was disconnected. DJ_E_TIMEOUT. DJ_E_LIMIT:
 * more than DJ_DEVICE_OUTPUT_MAX. After an error *result contains the output so far. */
int dj_device_run(struct dj_device *device, const char *const *argv, int64_t timeout_ns,
                  struct dj_device_result *result, struct dj_error *err);

/* Reads gfxinfo. "No such process" is a result (dump.not_found), not an error.
 * DJ_E_NO_DATA: the answer is not gfxinfo. */
int dj_device_read_gfxinfo(struct dj_device *device,
                           const struct dj_gfxinfo_request *request,
                           struct dj_device_gfxinfo *reading, struct dj_error *err);

/* Sets the switch of the simple dump ("Profile GPU rendering"). On Android it is one
 * property for all apps, and *done contains its previous value. On Linux DJ_E_NO_DATA
 * means that no such package runs. */
int dj_device_set_profile(struct dj_device *device, const char *package, bool on,
                          struct dj_profile_switch *done, struct dj_error *err);

/*
 * Starts a command and returns while it runs. Its input is open until
 * dj_device_process_end_input(). The device must outlive the command, and several
 * commands may run on one device. DJ_E_NOT_FOUND: this machine has no such program. (A
 * device behind adb ends with exit code 127 then, as shells do.) Without shell v2 (before
 * Android 7) errors are part of the output. Before Android 5 the command gets no input.
 *
 * On this machine, the command and its process group end with dejank, also if dejank is
 * killed. On a device behind adb, the command receives SIGHUP then.
 */
int dj_device_start(struct dj_device *device, const char *const *argv,
                    struct dj_device_process **process, struct dj_error *err);

/*
 * Connects to a TCP port of the loopback interface of the device, without a forward. The
 * connection is read, written and closed as a running command, and ends when the other
 * side closes it. DJ_E_GONE: no process listens, or the device was disconnected.
 * DJ_E_UNSUPPORTED: the kind of device has no ports.
 */
int dj_device_connect(struct dj_device *device, int port,
                      struct dj_device_process **connection, struct dj_error *err);

/*
 * Appends what the command has written and returns as soon as there is any. Bytes are
 * unchanged, also NUL. Returns 0 with nothing appended if nothing came within timeout_ns
 * (0: does not wait). *ended: the command has ended, all of its output was returned, and
 * its exit code is known. `err_text` may be `out`. DJ_E_GONE: the device was
 * disconnected. DJ_E_INTERRUPTED. DJ_E_LIMIT: a text reached its maximum.
 */
int dj_device_process_read(struct dj_device_process *process, int64_t timeout_ns,
                           struct dj_text *out, struct dj_text *err_text, bool *ended,
                           struct dj_error *err);

/* Writes all bytes to the command's input. DJ_E_TIMEOUT: the command did not read them
 * for 10 s. DJ_E_GONE: it has ended. */
int dj_device_process_write(struct dj_device_process *process, const void *bytes,
                            size_t size, struct dj_error *err);

/* Ends the command's input. */
int dj_device_process_end_input(struct dj_device_process *process, struct dj_error *err);

/* Returns the exit code, 128 + signal if a signal ended the command, −1 while it runs. */
int dj_device_process_exit_code(const struct dj_device_process *process);

/* Ends the command if it still runs. NULL is allowed. */
void dj_device_process_close(struct dj_device_process *process);

/* Copies a file of this machine to the device, with these permissions (0644; adbd gives
 * group and others those of the owner). adb creates missing folders. DJ_E_NOT_FOUND: no
 * such file on this machine. DJ_E_IO: the message contains the reason, from the device if
 * it refused. DJ_E_GONE. DJ_E_TIMEOUT: no progress for 30 s. */
int dj_device_push(struct dj_device *device, const char *local_path,
                   const char *remote_path, unsigned mode, struct dj_error *err);

/* Appends a file of the device. DJ_E_NOT_FOUND. DJ_E_LIMIT: more than
 * DJ_DEVICE_OUTPUT_MAX. Otherwise as dj_device_push(). (The output of a command is
 * binary-safe too: `screencap -p` needs no file.) */
int dj_device_pull(struct dj_device *device, const char *remote_path,
                   struct dj_text *bytes, struct dj_error *err);

/*
 * Returns the device's CLOCK_MONOTONIC (the clock of frames) at the return of this call,
 * ± *uncertainty_ns. The uncertainty is 0 on this machine, and about half a round trip (1
 * to 5 ms) behind adb. The first call takes up to half a second longer. Android reports
 * its time since boot including sleep. How long the device has slept is known from
 * gfxinfo readings, or else asked for. DJ_E_NO_DATA: the device does not report its time.
 */
int dj_device_read_clock(struct dj_device *device, int64_t *dev_ns,
                         int64_t *uncertainty_ns, struct dj_error *err);

/* Open one kind of device. */
int dj_device_open_local(struct dj_device **device, struct dj_error *err);
int dj_device_open_adb(const char *selector, struct dj_device **device,
                       struct dj_error *err);
/* DJ_E_NOT_FOUND: the folder does not exist, or contains no recording. DJ_E_INVALID: the
 * message has file and line. Outputs are read from their files when they are needed. */
int dj_device_open_replay(const char *selector, struct dj_device **device,
                          struct dj_error *err);

#endif
