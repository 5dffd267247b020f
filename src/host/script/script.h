/* script: runs Lua scripts that control devices with the functions and names of
 * MonkeyRunner. It does not decide which runs count (measure) or how gestures are made
 * (drive).
 *
 * A script is the user's own program: it has the whole Lua library and full access to
 * this machine. Manual: docs/script.md. */
#ifndef DEJANK_SCRIPT_SCRIPT_H
#define DEJANK_SCRIPT_SCRIPT_H

#include "base/text.h"
#include "drive/driver.h"

/* How MonkeyRunner.alert(), choice() and input() reach the user. The calls come one at
 * a time. */
struct dj_script_dialogs {
    void (*show)(void *user, const char *text);
    /* Shows the prompt and appends a line without its newline. Returns DJ_E_NO_DATA at
     * the end of input, which cancels, or DJ_E_INTERRUPTED. */
    int (*read_line)(void *user, const char *prompt, struct dj_text *line,
                     struct dj_error *err);
    void *user;
};

struct dj_script_options {
    const char *file;
    const char *const *args; /* arguments of the script: arg[1]… */
    size_t arg_count;
    const char *device; /* device of waitForConnection() by default; NULL: the first
                         * device of adb */
    const char *record; /* folder for recordings of all devices that the script opens,
                         * one sub-folder each; NULL: none */
    struct dj_interrupt_request interrupt; /* also ends the script */
    const struct dj_script_dialogs *talk; /* NULL: no user; all questions are cancelled */
};

/* The result of a script. Initialize it with zero. Finish it also after an error. */
struct dj_script_outcome {
    int exit_code; /* of os.exit(), if `exited` */
    bool exited;
    struct dj_text traceback; /* of an error: the calls that led to it, one per line */
};

void dj_script_outcome_finish(struct dj_script_outcome *outcome);

/* Runs a script to its end. Returns DJ_E_INVALID for an uncaught error, with file and
 * line in the message ("F.lua:3: …"), or the device's code if that was the cause;
 * DJ_E_NO_DATA if the file cannot be read; DJ_E_INTERRUPTED. */
int dj_script_run(const struct dj_script_options *options,
                  struct dj_script_outcome *outcome, struct dj_error *err);

/* Initializes a driver that runs a script. Each drive starts the script at its first
 * line, and waitForConnection() returns the driven device. dejank.window{} marks the
 * windows. The file is read and compiled once, here, so syntax errors are found before
 * any run. The driver owns its `self`. The options' strings must outlive it. */
int dj_script_init_driver(const struct dj_script_options *options,
                          struct dj_driver *driver, struct dj_error *err);

/* Accepts a driver that was only initialized with zero. */
void dj_script_driver_finish(struct dj_driver *driver);

#endif
