/* MonkeyDevice: the result of waitForConnection(). */
#ifndef DEJANK_SCRIPT_MONKEY_DEVICE_H
#define DEJANK_SCRIPT_MONKEY_DEVICE_H

#include <lua.h>

#include "drive/inject.h"

extern const char dj_monkey_device_class[];

struct dj_monkey_device {
    struct dj_device *device;     /* NULL: closed */
    struct dj_injector *injector; /* NULL: not used yet */
    bool lent;                    /* a run owns the device and closes it */
    bool busy;                    /* one of the script's threads is using it */
};

/* Pushes a new object, which owns the device. */
void dj_monkey_device_push(lua_State *L, struct dj_device *device);

/* Pushes the object of the device that a run lends, always the same one. If `wanted`
 * is not NULL, it must match the device. */
void dj_monkey_device_push_lent(lua_State *L, struct dj_device *device,
                                const char *wanted);

/* Returns the open device at that index. Throws for any other value. */
struct dj_monkey_device *dj_monkey_device_check(lua_State *L, int at);

/* Call these around each use of the device, so that other threads run Lua meanwhile.
 * Throws if another thread uses the device or the script was interrupted, so the
 * caller must hold nothing that would be lost. */
void dj_monkey_device_acquire(lua_State *L, struct dj_monkey_device *self);
void dj_monkey_device_release(lua_State *L, struct dj_monkey_device *self);

/* Same as dj_device_run(), between take and give. */
int dj_monkey_device_shell(lua_State *L, struct dj_monkey_device *self,
                           const char *const *argv, int64_t timeout_ns,
                           struct dj_device_result *result, struct dj_error *err);

/* Same as dj_device_read_clock(), between take and give. Throws on errors. `what` names
 * the method. */
int64_t dj_monkey_device_clock(lua_State *L, struct dj_monkey_device *self,
                               const char *what, int64_t *uncertainty_ns);

/* Maximum time of a script's command: one day. */
#define DJ_MONKEY_COMMAND_TIMEOUT_NS (INT64_C(86400) * DJ_SECOND_NS)
/* Maximum time of commands that normally answer at once. */
#define DJ_MONKEY_ANSWER_TIMEOUT_NS (20 * DJ_SECOND_NS)

/* Pushes the output of a command, stdout and then stderr, without white space at its
 * end. */
void dj_monkey_device_push_output(lua_State *L, const struct dj_device_result *result);

/* Runs a command, pushes its output and returns its exit code. Throws if the command
 * cannot run. `what` names the method. */
int dj_monkey_device_run(lua_State *L, struct dj_monkey_device *self, const char *what,
                         const char *const *argv, int64_t timeout_ns);

#endif
