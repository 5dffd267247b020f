/*
 * device: one device as the host sees it, either behind the adb server or this machine.
 * Runs commands, reads gfxinfo, and switches "Profile GPU rendering" on and off. The
 * module measure decides when to read gfxinfo and interprets the numbers.
 *
 * Only one thread at a time may use a device. Every call has a deadline, and the caller
 * can end a call earlier. Output from a device has a maximum. All words that reach the
 * shell of a device are quoted (quote.h).
 */
#ifndef DEJANK_DEVICE_DEVICE_H
#define DEJANK_DEVICE_DEVICE_H

#include "base/error.h"
#include "base/text.h"
#include "gfxinfo/parse.h"
#include "process/deadline.h"

/* How long a command may leave its input unread before a write fails. */
#define DJ_DEVICE_WRITE_NS (10 * DJ_SECOND_NS)

enum {
    /* Number of recent frames that Android keeps for each window and prints in a dump. */
    DJ_DEVICE_RING_ROWS = 120,
    /* Maximum number of bytes of stdout, and of stderr, that are read from a command. */
    DJ_DEVICE_OUTPUT_MAX = 64 * 1024 * 1024
};

/* The result of a command. Zero the struct before use. Finish it after use, also after an
 * error. */
struct dj_device_result {
    /* Output as the device wrote it. It may contain control characters. */
    struct dj_text out, err;
    /* The exit code, or 128 + signal if a signal ended the command. */
    int exit_code;
};

void dj_device_result_finish(struct dj_device_result *result);

/* A line of output from a device, for use in error messages. */
struct dj_device_line {
    char line[400];
};

/* Returns the first line of `text` that is not blank, with control characters escaped. */
struct dj_device_line dj_device_first_line(const char *text);
/* Returns this line of a failed command's stderr. If stderr is blank, returns the line of
 * stdout, or "it printed no message" if stdout is blank, too. */
struct dj_device_line dj_device_error_line(const struct dj_device_result *result);

/* The parts of gfxinfo to read. A row is the data of one frame. */
struct dj_gfxinfo_request {
    /* A process name or pid, as in `dumpsys gfxinfo NAME`. NULL reads the counters of
     * all processes of another device; no other field may then be set. */
    const char *package;
    bool framestats; /* True to read also the rows of recent frames. */
    /* If not −1, reads all rows of frames that completed at or after this time, and not
     * only the newest 120. Only dejank's dumpsys supports this. */
    int64_t since_ns;
    bool reset; /* True to reset the counters of the app after the dump. */
};

/* One dump of gfxinfo. Zero the struct before use. Finish it after use, also after an
 * error. */
struct dj_device_gfxinfo {
    /* The parsed dump. Its field not_found is set if no process has the requested
     * name. */
    struct dj_dump dump;
    /* The text that was parsed. Empty on this machine, where segments are read without
     * text. */
    struct dj_text raw;
    struct dj_parse_report report;
    /* CLOCK_MONOTONIC of the device at the start of the dump, or −1 if unknown. A dump
     * contains this time only in whole ms. */
    int64_t dev_ns;
    int64_t cost_ns; /* Duration of the dump, measured with the clock of the host. */
    /* Number of recent rows that the device keeps for each window. */
    uint32_t ring_rows;
    /* True if rows and counts from before a reset appear also in later dumps, as on
     * this machine. */
    bool reset_keeps_rows;
    /* True if a reset removes exactly the rows and counts of this dump, as with
     * dejank's dumpsys. Android may remove more. */
    bool reset_is_exact;
};

void dj_device_gfxinfo_finish(struct dj_device_gfxinfo *reading);

/* The setting "Profile GPU rendering" before dejank changed it. While the setting is on,
 * gfxinfo contains the simple dump, which is the table "Profile data in ms". */
struct dj_profile_switch {
    /* Name of the property: "debug.hwui.profile", or "" if the segment of the app
     * contains the setting. */
    char property[64];
    /* The previous value, which is restored later, or "" if the property had no value. */
    char previous[96];
};

struct dj_device;

/* A command that was started with dj_device_start(). */
struct dj_device_process;

struct dj_device_process_ops {
    int (*read)(struct dj_device_process *process, int64_t timeout_ns,
                struct dj_text *out, struct dj_text *err_text, struct dj_error *err);
    /* NULL in a replay, which discards input: its output is already recorded. */
    int (*write)(struct dj_device_process *process, const void *bytes, size_t size,
                 struct dj_error *err);
    int (*end_input)(struct dj_device_process *process, struct dj_error *err);
    /* Ends the command and frees `process`. */
    void (*close)(struct dj_device_process *process);
};

/* A running command. Each kind of device has its own struct for this, which begins with
 * this struct. */
struct dj_device_process {
    const struct dj_device_process_ops *ops;
    struct dj_device *device;
    bool ended;
    int exit_code;
};

/* The functions that each kind of device implements. The public functions below, which
 * have the same names, document them. */
struct dj_device_ops {
    int (*shell)(struct dj_device *device, const char *const *argv, int64_t timeout_ns,
                 struct dj_device_result *result, struct dj_error *err);
    int (*gfxinfo)(struct dj_device *device, const struct dj_gfxinfo_request *request,
                   struct dj_device_gfxinfo *reading, struct dj_error *err);
    int (*profile)(struct dj_device *device, const char *package, bool on,
                   struct dj_profile_switch *done, struct dj_error *err);
    int (*start)(struct dj_device *device, const char *const *argv,
                 struct dj_device_process **process, struct dj_error *err);
    /* Implements dj_device_connect(). NULL if this kind of device has no ports. */
    int (*connect)(struct dj_device *device, int port,
                   struct dj_device_process **connection, struct dj_error *err);
    int (*push)(struct dj_device *device, const char *local_path, const char *remote_path,
                unsigned mode, struct dj_error *err);
    int (*pull)(struct dj_device *device, const char *remote_path, struct dj_text *bytes,
                struct dj_error *err);
    int (*clock)(struct dj_device *device, int64_t *dev_ns, int64_t *uncertainty_ns,
                 struct dj_error *err);
    /* Frees the device and everything that it owns. */
    void (*close)(struct dj_device *device);
};

/* How long the device has slept since boot: CLOCK_BOOTTIME − CLOCK_MONOTONIC. */
struct dj_device_sleep {
    bool known;
    int64_t ns, uncertainty_ns;
    int64_t at_ns; /* Host time at which `ns` was measured. */
};

/* A device. Each kind of device has its own struct, which begins with this struct. */
struct dj_device {
    const struct dj_device_ops *ops;
    /* The adb serial, "local:", or "replay:FOLDER". */
    char name[128];
    /* An interrupt request that the caller may set. From the requested time on, all calls
     * return DJ_E_INTERRUPTED. */
    struct dj_interrupt_request interrupt;
    struct dj_device_sleep slept;
};

/*
 * Opens the device with this name: `local:` for this machine, `replay:FOLDER` for
 * recorded answers, an adb serial, `HOST:PORT` (which adb connects to if needed), or
 * `adb:` for the only connected device. Starts the adb server if none runs. Blocks for up
 * to about 20 s.
 *
 * Returns DJ_E_NOT_FOUND if there is no such device. The message lists the connected
 * devices, or says how to install adb. Returns DJ_E_GONE if the device is offline,
 * DJ_E_OWNER if the device does not trust this host, or DJ_E_TIMEOUT.
 */
int dj_device_open(const char *selector, struct dj_device **device, struct dj_error *err);

/*
 * Replaces *device by a new device that records all commands and their answers in
 * `folder`. `replay:FOLDER` replays them (docs/format/replay.md). The new device owns the
 * old device. Creates the folder if needed. The new device reads gfxinfo with the command
 * dumpsys, also on this machine. Returns DJ_E_OUTPUT if the folder cannot be used. Then
 * *device is unchanged.
 */
int dj_device_record(struct dj_device **device, const char *folder, struct dj_error *err);

/* Calls dj_device_record() for a sub-folder of `folder` that has the name of the device,
 * so that several devices can record at once. In this name, "_" replaces "/". */
int dj_device_record_named(struct dj_device **device, const char *folder,
                           struct dj_error *err);

/* Calls dj_device_open(), and then dj_device_record() if `folder` is not NULL. */
int dj_device_open_recorded(const char *selector, const char *folder,
                            struct dj_device **device, struct dj_error *err);

/* Closes the device and frees it. NULL is allowed. */
void dj_device_close(struct dj_device *device);

/* Runs argv[0] with its arguments and waits until it ends. A command that fails is not an
 * error: its exit code is in *result. Returns DJ_E_GONE if the device was disconnected,
 * DJ_E_TIMEOUT, or DJ_E_LIMIT after more than DJ_DEVICE_OUTPUT_MAX bytes of output. After
 * an error, *result contains the output so far. */
int dj_device_run(struct dj_device *device, const char *const *argv, int64_t timeout_ns,
                  struct dj_device_result *result, struct dj_error *err);

/* Like dj_device_run(), but returns the error code `failure` if the command fails. The
 * error contains the command and the first line of its message. Appends stdout to *out
 * unless `out` is NULL. */
int dj_device_run_or_fail(struct dj_device *device, const char *const *argv,
                          int64_t timeout_ns, int failure, struct dj_text *out,
                          struct dj_error *err);

/* Reads gfxinfo. If no process has the name, returns 0 and sets reading->dump.not_found.
 * Returns DJ_E_NO_DATA if the answer of the device is not gfxinfo. */
int dj_device_read_gfxinfo(struct dj_device *device,
                           const struct dj_gfxinfo_request *request,
                           struct dj_device_gfxinfo *reading, struct dj_error *err);

/* Switches "Profile GPU rendering" on or off. On Android, the setting is one property for
 * all apps, and *done contains its previous value. On Linux, returns DJ_E_NO_DATA if no
 * app with this name runs. */
int dj_device_set_profile(struct dj_device *device, const char *package, bool on,
                          struct dj_profile_switch *done, struct dj_error *err);

/*
 * Starts a command and returns while the command runs. The input of the command is open
 * until dj_device_process_end_input(). The device must outlive the command. Several
 * commands may run on one device at a time.
 *
 * If there is no such program, returns DJ_E_NOT_FOUND on this machine. On a device behind
 * adb, the command then ends with exit code 127, as in shells. Before Android 7, adb has
 * no shell v2, so stderr is part of stdout. Before Android 5, the command gets no input.
 *
 * When dejank ends, also if it is killed, the command and its process group end on this
 * machine. On a device behind adb, the command receives SIGHUP.
 */
int dj_device_start(struct dj_device *device, const char *const *argv,
                    struct dj_device_process **process, struct dj_error *err);

/*
 * Connects to a TCP port of the loopback interface of the device. No `adb forward` is
 * needed. The connection is read, written and closed with the functions for running
 * commands, and ends when the other side closes it. Returns DJ_E_GONE if no process
 * listens at the port or the device was disconnected, and DJ_E_UNSUPPORTED if this kind
 * of device has no ports.
 */
int dj_device_connect(struct dj_device *device, int port,
                      struct dj_device_process **connection, struct dj_error *err);

/*
 * Appends new output of the command, unchanged, including NUL bytes. Waits at most
 * timeout_ns for output. If there is none in this time, appends nothing and returns 0. A
 * timeout_ns of 0 does not wait. `err_text` may be the same text as `out`.
 *
 * Sets *ended when the command has ended and all of its output was returned. The exit
 * code of the command is then known. Returns DJ_E_GONE if the device was disconnected,
 * DJ_E_LIMIT if a text reached its maximum, or DJ_E_INTERRUPTED.
 */
int dj_device_process_read(struct dj_device_process *process, int64_t timeout_ns,
                           struct dj_text *out, struct dj_text *err_text, bool *ended,
                           struct dj_error *err);

/* Writes all bytes to the input of the command. Returns DJ_E_TIMEOUT if the command has
 * not read a part of them after 10 s, DJ_E_GONE if the command has ended or closed its
 * input, or DJ_E_INTERRUPTED. If dj_device_process_end_input() has closed the input,
 * returns DJ_E_USAGE on this machine and DJ_E_UNSUPPORTED over adb. adb also returns
 * DJ_E_UNSUPPORTED if the device is older than Android 5. A replay discards the bytes and
 * returns 0, because its output is already recorded. */
int dj_device_process_write(struct dj_device_process *process, const void *bytes,
                            size_t size, struct dj_error *err);

/* Closes the input of the command. Does nothing if the command has ended, its input is
 * already closed, or it is a replay. Returns DJ_E_UNSUPPORTED if the device cannot close
 * the input: a connection of dj_device_connect() over adb, or Android 6 and older. */
int dj_device_process_end_input(struct dj_device_process *process, struct dj_error *err);

/* Returns the exit code, 128 + signal if a signal ended the command, or −1 while the
 * command runs. */
int dj_device_process_exit_code(const struct dj_device_process *process);

/* Ends the command if it still runs, and frees `process`. NULL is allowed. */
void dj_device_process_close(struct dj_device_process *process);

/* Copies a file of this machine to the device. `mode` is the permissions, such as 0644.
 * adbd gives group and others the permissions of the owner. adb creates missing folders.
 * Returns DJ_E_NOT_FOUND if the file on this machine does not exist, DJ_E_IO if this file
 * cannot be read or the device refused the new file, DJ_E_GONE if the device was
 * disconnected, and DJ_E_TIMEOUT after 30 s without progress. */
int dj_device_push(struct dj_device *device, const char *local_path,
                   const char *remote_path, unsigned mode, struct dj_error *err);

/* Appends the contents of a file of the device. Returns DJ_E_NOT_FOUND if the file does
 * not exist, DJ_E_LIMIT if it has more than DJ_DEVICE_OUTPUT_MAX bytes, and the other
 * errors of dj_device_push(). Output of commands is binary-safe too, so for example
 * `screencap -p` needs no file. */
int dj_device_pull(struct dj_device *device, const char *remote_path,
                   struct dj_text *bytes, struct dj_error *err);

/*
 * Returns the CLOCK_MONOTONIC of the device, which is the clock of frames, at the time
 * when this call returns. The error is at most *uncertainty_ns: 0 on this machine, and
 * about half a round trip (1 to 5 ms) behind adb. The first call takes up to half a
 * second longer.
 *
 * Android reports only its time since boot, which includes sleep. A reading of gfxinfo
 * shows how long the device has slept. If gfxinfo has not been read yet, this function
 * runs another command to find out. Returns DJ_E_NO_DATA if the device does not report
 * its time.
 */
int dj_device_read_clock(struct dj_device *device, int64_t *dev_ns,
                         int64_t *uncertainty_ns, struct dj_error *err);

/* Opens this machine as a device. dj_device_open() calls this function if the name
 * requires it. */
int dj_device_open_local(struct dj_device **device, struct dj_error *err);

/* Opens a device behind the adb server. dj_device_open() calls this function if the name
 * requires it. */
int dj_device_open_adb(const char *selector, struct dj_device **device,
                       struct dj_error *err);
/* Opens a recording. Outputs of commands are read from their files only when they are
 * needed. Returns DJ_E_NOT_FOUND if the folder does not exist or contains no recording,
 * and DJ_E_INVALID if a file is invalid. The message of that error has file and line. */
int dj_device_open_replay(const char *selector, struct dj_device **device,
                          struct dj_error *err);

#endif
