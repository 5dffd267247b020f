/*
 * device: one device as the host sees it — reached through the adb server, or this very
 * machine. Shell commands, gfxinfo readings, the switch of the simple dump. Not when to
 * read and what the figures add up to (measure).
 *
 * A device is used by one thread at a time. Every call has a deadline, and its user can
 * end it before that; output from a device has a maximum, and words never reach a
 * device's shell unquoted (quote.h).
 */
#ifndef DEJANK_DEVICE_DEVICE_H
#define DEJANK_DEVICE_DEVICE_H

#include "base/error.h"
#include "base/text.h"
#include "gfxinfo/parse.h"
#include "process/deadline.h"

/* How long a command may read nothing of what is written to its input. */
#define DJ_DEVICE_WRITE_NS (10 * DJ_SECOND_NS)

enum {
    DJ_DEVICE_RING_ROWS =
        120, /* rows Android's ring keeps per window, and a dump prints */
    DJ_DEVICE_OUTPUT_MAX = 64 * 1024 * 1024 /* bytes taken from one command, per stream */
};

/* What a command did. Zero it; finish it also after an error. */
struct dj_shell_result {
    struct dj_text out, err; /* as the device wrote them, unescaped */
    int exit_code;           /* 128 + signal where a signal ended it */
};

void dj_shell_result_finish(struct dj_shell_result *result);

/* A line that a device has written, for an error's message. */
struct dj_said {
    char line[400];
};

/* The first line, escaped. */
struct dj_said dj_first_line(const char *text);
/* That of a command that failed: of its errors, or of its output where it has none. */
struct dj_said dj_shell_said(const struct dj_shell_result *result);

/* What to read of gfxinfo. */
struct dj_gfxinfo_request {
    const char *package; /* a process name or pid, as `dumpsys gfxinfo` takes it */
    bool framestats;     /* rows too */
    int64_t since_ns; /* dejank's own dumpsys: all rows completed from then on, not only
                         the newest 120; −1: not asked */
    bool reset; /* …and then start counting anew; printing comes first, as on Android */
};

/* One reading. Zero it; finish it also after an error. */
struct dj_gfxinfo {
    struct dj_dump dump; /* not_found is set where nobody has that name */
    struct dj_text
        raw; /* the text it was read from; empty for this machine, which has none */
    struct dj_parse_report report;
    int64_t dev_ns;  /* the device's CLOCK_MONOTONIC as the reading began (whole ms from a
                        dump); −1 unknown */
    int64_t cost_ns; /* how long the reading took, on the host's clock */
    uint32_t ring_rows; /* rows the device keeps per window */
    bool reset_keeps;   /* a reset takes neither rows nor counts from later readings (this
                           machine) */
    bool reset_exact;   /* …takes just what this reading held (dejank's own dumpsys;
                           Android's may take more) */
};

void dj_gfxinfo_finish(struct dj_gfxinfo *reading);

/* The simple dump's switch, as it was and where it acts. */
struct dj_profile_switch {
    char property[64]; /* "debug.hwui.profile", or "" where the app's own segment holds
                          the switch */
    char
        previous[96]; /* the property's value before, to be put back; "" if it had none */
};

struct dj_device;

/* A command that runs while one goes on. */
struct dj_device_process;

struct dj_device_process_ops {
    int (*read)(struct dj_device_process *process, int64_t timeout_ns,
                struct dj_text *out, struct dj_text *err_text, struct dj_error *err);
    /* Both may be NULL: input goes nowhere. */
    int (*write)(struct dj_device_process *process, const void *bytes, size_t size,
                 struct dj_error *err);
    int (*end_input)(struct dj_device_process *process, struct dj_error *err);
    void (*close)(struct dj_device_process *process); /* frees it, too */
};

/* First member of each kind's own struct. */
struct dj_device_process {
    const struct dj_device_process_ops *ops;
    struct dj_device *device;
    bool ended;
    int exit_code;
};

/* What each kind of device knows to do. Contracts stand with the functions of the same
 * names below. */
struct dj_device_ops {
    int (*shell)(struct dj_device *device, const char *const *argv, int64_t timeout_ns,
                 struct dj_shell_result *result, struct dj_error *err);
    int (*gfxinfo)(struct dj_device *device, const struct dj_gfxinfo_request *request,
                   struct dj_gfxinfo *reading, struct dj_error *err);
    int (*profile)(struct dj_device *device, const char *package, bool on,
                   struct dj_profile_switch *done, struct dj_error *err);
    int (*start)(struct dj_device *device, const char *const *argv,
                 struct dj_device_process **process, struct dj_error *err);
    /* NULL: it has no ports. */
    int (*connect)(struct dj_device *device, int port,
                   struct dj_device_process **connection, struct dj_error *err);
    int (*push)(struct dj_device *device, const char *local_path, const char *remote_path,
                unsigned mode, struct dj_error *err);
    int (*pull)(struct dj_device *device, const char *remote_path, struct dj_text *bytes,
                struct dj_error *err);
    int (*clock)(struct dj_device *device, int64_t *dev_ns, int64_t *uncertainty_ns,
                 struct dj_error *err);
    void (*close)(
        struct dj_device *device); /* frees what the kind owns, the device included */
};

/* CLOCK_BOOTTIME − CLOCK_MONOTONIC: how long a device has slept. */
struct dj_slept {
    bool known;
    int64_t ns, uncertainty_ns;
    int64_t at_ns; /* host_ns of when that was known */
};

/* First member of each kind's own struct. */
struct dj_device {
    const struct dj_device_ops *ops;
    char name[128];                /* the serial, or "local:" */
    struct dj_interrupt interrupt; /* whoever uses the device may lend one: calls end by
                                      then at the latest, with DJ_E_INTERRUPTED */
    struct dj_slept slept;
};

/*
 * Opens the device a user named: `local:`, `replay:FOLDER` (what a folder recorded), an
 * adb serial, `HOST:PORT` (connected to where it is not yet), or `adb:` for the only one
 * there is. Starts the adb server where none runs. DJ_E_NOT_FOUND (the message lists the
 * devices there are, or says how to install adb), DJ_E_GONE (offline), DJ_E_OWNER
 * (unauthorized), DJ_E_TIMEOUT. Blocks up to some 20 s.
 */
int dj_device_open(const char *selector, struct dj_device **device, struct dj_error *err);

/*
 * Puts a device in front of *device, which from then on is its, that writes all it is
 * asked and answers into the folder (made where it lacks; docs/format/replay.md), for
 * `replay:FOLDER` to answer the same. gfxinfo of this machine is read through its dumpsys
 * then. DJ_E_OUTPUT where the folder cannot be used: *device is as it was.
 */
int dj_device_record(struct dj_device **device, const char *folder, struct dj_error *err);

/* The same into a folder of its own name in `folder`, where several devices record at
 * once; a '/' in the name is '_' there. */
int dj_device_record_named(struct dj_device **device, const char *folder,
                           struct dj_error *err);

/* dj_device_open(), recording into the folder; NULL: not. */
int dj_device_open_recorded(const char *selector, const char *folder,
                            struct dj_device **device, struct dj_error *err);

/* NULL is fine. */
void dj_device_close(struct dj_device *device);

/* Runs argv[0] with its arguments and waits for its end. A command that fails is a
 * result, not an error. DJ_E_GONE where the device went away meanwhile, DJ_E_TIMEOUT,
 * DJ_E_LIMIT past DJ_DEVICE_OUTPUT_MAX; what came until then is in *result. */
int dj_device_shell(struct dj_device *device, const char *const *argv, int64_t timeout_ns,
                    struct dj_shell_result *result, struct dj_error *err);

/* Reads gfxinfo. "No such process" is a result (dump.not_found), not an error;
 * DJ_E_NO_DATA where the answer was no gfxinfo at all. */
int dj_device_gfxinfo(struct dj_device *device, const struct dj_gfxinfo_request *request,
                      struct dj_gfxinfo *reading, struct dj_error *err);

/* Switches the simple per-stage dump ("Profile GPU rendering"). On Linux DJ_E_NO_DATA
 * where no such package runs; on Android it is one property for all apps, whose previous
 * value is told. */
int dj_device_profile(struct dj_device *device, const char *package, bool on,
                      struct dj_profile_switch *done, struct dj_error *err);

/*
 * Starts a command and returns while it runs. Its input stays open until it is ended; the
 * device must outlive it, and several may run on one device. DJ_E_NOT_FOUND where this
 * machine has no such program (a device behind adb answers 127 then, as shells do).
 * Where a device has no shell v2 (before Android 7) its stderr comes with its stdout, and
 * before Android 5 nothing can be written to it.
 *
 * On this machine it dies with dejank, and with it all of its process group, also where
 * dejank is killed; on a device behind adb it gets a SIGHUP then.
 */
int dj_device_start(struct dj_device *device, const char *const *argv,
                    struct dj_device_process **process, struct dj_error *err);

/*
 * Connects to a TCP port of the device's own loopback, without a forward; what comes from
 * there is read, written and closed as of a running command, which ends where the other
 * end hangs up. DJ_E_GONE where nobody listens (or the device went away),
 * DJ_E_UNSUPPORTED where the device kind has no such ports.
 */
int dj_device_connect(struct dj_device *device, int port,
                      struct dj_device_process **connection, struct dj_error *err);

/*
 * Appends what it wrote, and returns as soon as anything came (bytes as they are, also
 * NUL). Nothing within timeout_ns (0: no waiting) is 0 with nothing appended; DJ_E_GONE
 * where the device went away, DJ_E_INTERRUPTED, DJ_E_LIMIT where a text outgrew its own
 * maximum. *ended: it has ended, everything it wrote has been handed out, and its exit
 * code is known. `err_text` may be `out`.
 */
int dj_device_process_read(struct dj_device_process *process, int64_t timeout_ns,
                           struct dj_text *out, struct dj_text *err_text, bool *ended,
                           struct dj_error *err);

/* Writes all of it to its input; up to 10 s where it does not read: DJ_E_TIMEOUT then.
 * DJ_E_GONE where it has ended. */
int dj_device_process_write(struct dj_device_process *process, const void *bytes,
                            size_t size, struct dj_error *err);

/* It reads the end of its input next. */
int dj_device_process_end_input(struct dj_device_process *process, struct dj_error *err);

/* 128 + signal where one ended it; −1 while it runs. */
int dj_device_process_exit_code(const struct dj_device_process *process);

/* Ends it if it still runs. NULL is fine. */
void dj_device_process_close(struct dj_device_process *process);

/* Copies a file of this machine to the device, with these permissions (0644; adbd
 * gives group and others what the owner has). Folders that lack are made behind adb.
 * DJ_E_NOT_FOUND where there is no such file here, DJ_E_IO with the reason, the device's
 * own where it refused; DJ_E_GONE; DJ_E_TIMEOUT where nothing moves for 30 s. */
int dj_device_push(struct dj_device *device, const char *local_path,
                   const char *remote_path, unsigned mode, struct dj_error *err);

/* Appends a file of the device. DJ_E_NOT_FOUND, DJ_E_LIMIT past DJ_DEVICE_OUTPUT_MAX,
 * else as dj_device_push(). (What a command writes is binary-safe, too: `screencap -p`
 * needs no file.) */
int dj_device_pull(struct dj_device *device, const char *remote_path,
                   struct dj_text *bytes, struct dj_error *err);

/*
 * The device's CLOCK_MONOTONIC (that of frames) at the return of this call, ±
 * *uncertainty_ns: 0 on this machine; behind adb some half a round trip (1 to 5 ms) from
 * the second call on, the first takes up to half a second more. Android tells its time
 * since boot with its sleep; how long it has slept is taken from the gfxinfo readings
 * made of the device, else asked for. DJ_E_NO_DATA where the device tells no time.
 */
int dj_device_clock(struct dj_device *device, int64_t *dev_ns, int64_t *uncertainty_ns,
                    struct dj_error *err);

/* What the kinds are made from. */
int dj_local_open(struct dj_device **device, struct dj_error *err);
int dj_adb_open(const char *selector, struct dj_device **device, struct dj_error *err);
/* DJ_E_NOT_FOUND where there is no such folder or nothing recorded in it, DJ_E_INVALID
 * with file and line. Answers are read from their files as they are asked for. */
int dj_replay_open(const char *selector, struct dj_device **device, struct dj_error *err);

#endif
