/*
 * script: scripts in Lua that do with devices what MonkeyRunner's did, by its names. Not
 * when a run counts (measure), nor what a gesture is made of (drive).
 *
 * A script is its user's own program: all of Lua's library is there, and nothing stands
 * between it and this machine. docs/script.md is its manual.
 */
#ifndef DEJANK_SCRIPT_SCRIPT_H
#define DEJANK_SCRIPT_SCRIPT_H

#include "base/text.h"
#include "drive/driver.h"

/* How MonkeyRunner.alert(), choice() and input() reach a person. The calls come one at a
 * time. */
struct dj_script_talk {
    void (*show)(void *user, const char *text);
    /* Shows the prompt and appends a line, without its newline. DJ_E_NO_DATA at the end
     * of input: cancelled. DJ_E_INTERRUPTED. */
    int (*ask)(void *user, const char *prompt, struct dj_text *line,
               struct dj_error *err);
    void *user;
};

struct dj_script_options {
    const char *file;
    const char *const *args; /* the script's own: arg[1]… */
    size_t arg_count;
    const char *device; /* what waitForConnection() takes unless told; NULL: the first
                           that adb has */
    const char *record; /* folder in which the devices it opens are recorded, each in one
                           of its own name; NULL: none */
    struct dj_interrupt interrupt;     /* ends the script, too */
    const struct dj_script_talk *talk; /* NULL: nobody is there, all is cancelled */
};

/* What a script left behind. Zero it; finish it also after an error. */
struct dj_script_outcome {
    int exit_code; /* of os.exit(), where `exited` */
    bool exited;
    struct dj_text traceback; /* of an error: where it came from, a line per call */
};

void dj_script_outcome_finish(struct dj_script_outcome *outcome);

/*
 * Runs a script to its end. An error it did not catch is DJ_E_INVALID, its message with
 * the file and line ("F.lua:3: …"); or the device's own code where that was the reason;
 * DJ_E_NO_DATA where the file cannot be read; DJ_E_INTERRUPTED.
 */
int dj_script_run(const struct dj_script_options *options,
                  struct dj_script_outcome *outcome, struct dj_error *err);

/*
 * Makes a driver of a script: each drive runs it anew, from its first line, and
 * waitForConnection() gives the device that is driven. dejank.window{} tells the windows.
 * The file is read here, once: what is no Lua is an error before any run starts. The
 * driver's `self` is owned; the options' words must outlive it.
 */
int dj_script_driver(const struct dj_script_options *options, struct dj_driver *driver,
                     struct dj_error *err);

/* A driver not made, zeroed, is fine. */
void dj_script_driver_finish(struct dj_driver *driver);

#endif
