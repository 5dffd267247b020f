/*
 * script runs Lua scripts that control devices with the functions and names of
 * MonkeyRunner. It does not decide which runs count (see the module measure) or how
 * gestures are made (see the module drive).
 *
 * A script is the user's own program, so it has the whole Lua library and full access to
 * this machine. The manual is docs/script.md.
 */
#ifndef DEJANK_SCRIPT_SCRIPT_H
#define DEJANK_SCRIPT_SCRIPT_H

#include "base/text.h"
#include "drive/driver.h"

/* Functions with which MonkeyRunner.alert(), choice() and input() communicate with the
 * user. Only one thread calls them at a time. */
struct dj_script_dialogs {
    void (*show)(void *user, const char *text);
    /* Shows the prompt, reads a line and appends it without its newline. Returns
     * DJ_E_NO_DATA at the end of input, which cancels the question, or
     * DJ_E_INTERRUPTED. */
    int (*read_line)(void *user, const char *prompt, struct dj_text *line,
                     struct dj_error *err);
    void *user;
};

struct dj_script_options {
    const char *file;
    const char *const *args; /* Arguments of the script: arg[1] and following. */
    size_t arg_count;
    /* Device that waitForConnection() returns by default, or NULL for the first device of
     * adb. */
    const char *device;
    /* Folder for recordings of all devices that the script opens, with one sub-folder for
     * each device, or NULL. */
    const char *record;
    /* Interrupt request that ends the script and its waits. */
    struct dj_interrupt_request interrupt;
    /* Asks the user, or NULL if there is no user. Then all questions are cancelled. */
    const struct dj_script_dialogs *dialogs;
};

/* The result of a script. Initialize it with zero. Finish it even after an error. */
struct dj_script_outcome {
    int exit_code; /* Argument of os.exit(), valid if `exited` is true. */
    bool exited;
    struct dj_text traceback; /* The calls that led to an uncaught error, one per line. */
};

void dj_script_outcome_finish(struct dj_script_outcome *outcome);

/* Runs a script to its end. Returns DJ_E_INVALID for an uncaught error, with file and
 * line in the message ("F.lua:3: …"), or the device's error code if the device caused it.
 * Returns DJ_E_NO_DATA if the file cannot be read, or DJ_E_INTERRUPTED. */
int dj_script_run(const struct dj_script_options *options,
                  struct dj_script_outcome *outcome, struct dj_error *err);

/* Initializes a driver that runs a script. Each drive starts the script at its first
 * line, waitForConnection() returns the driven device, and dejank.window{} marks the
 * windows. This function reads and compiles the file, so that syntax errors are found
 * before any run. The driver owns its `self`. The strings of `options` must outlive the
 * driver. */
int dj_script_init_driver(const struct dj_script_options *options,
                          struct dj_driver *driver, struct dj_error *err);

/* Frees the driver. The driver may also be only initialized with zero. */
void dj_script_driver_finish(struct dj_driver *driver);

#endif
