/* MonkeyDevice, the class of the result of waitForConnection(). */
#ifndef DEJANK_SCRIPT_MONKEY_DEVICE_H
#define DEJANK_SCRIPT_MONKEY_DEVICE_H

#include <lua.h>

#include "drive/inject.h"

extern const char dj_monkey_device_class[];

struct dj_monkey_device {
    struct dj_device *device; /* The open device, or NULL after it was closed. */
    /* The injector for input, or NULL before the first input. */
    struct dj_injector *injector;
    bool lent; /* True if a run owns the device and closes it. */
    bool busy; /* True while a thread of the script uses the device. */
};

/* Pushes a new object, which owns the device. */
void dj_monkey_device_push(lua_State *L, struct dj_device *device);

/* Pushes the object of the device that a run lends. The object is the same for every
 * call. Throws if `wanted` is not NULL and does not match the device. */
void dj_monkey_device_push_lent(lua_State *L, struct dj_device *device,
                                const char *wanted);

/* Returns the open device at the index `at`. Throws if there is another value. */
struct dj_monkey_device *dj_monkey_device_check(lua_State *L, int at);

/* Acquires the device for a use. Until dj_monkey_device_release(), other threads may run
 * Lua. Throws if another thread uses the device or the script was interrupted, so the
 * caller must not own memory that would be lost. */
void dj_monkey_device_acquire(lua_State *L, struct dj_monkey_device *self);

/* Ends the use of the device. */
void dj_monkey_device_release(lua_State *L, struct dj_monkey_device *self);

/* Runs a command like dj_device_run(). Acquires and releases the device. */
int dj_monkey_device_shell(lua_State *L, struct dj_monkey_device *self,
                           const char *const *argv, int64_t timeout_ns,
                           struct dj_device_result *result, struct dj_error *err);

/* Reads the clock like dj_device_read_clock(). Acquires and releases the device. Throws
 * on errors. `what` is the name of the method for the error. */
int64_t dj_monkey_device_clock(lua_State *L, struct dj_monkey_device *self,
                               const char *what, int64_t *uncertainty_ns);

/* Maximum time of a script's command: one day. */
#define DJ_MONKEY_COMMAND_TIMEOUT_NS (INT64_C(86400) * DJ_SECOND_NS)
/* Maximum time of commands that normally end at once. */
#define DJ_MONKEY_ANSWER_TIMEOUT_NS (20 * DJ_SECOND_NS)

/* Pushes the output of a command, stdout and then stderr, without white space at the
 * end. */
void dj_monkey_device_push_output(lua_State *L, const struct dj_device_result *result);

/* Runs a command, pushes its output and returns its exit code. Throws if the command
 * cannot run. `what` is the name of the method for the error. */
int dj_monkey_device_run(lua_State *L, struct dj_monkey_device *self, const char *what,
                         const char *const *argv, int64_t timeout_ns);

#endif
