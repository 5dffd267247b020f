/* MonkeyDevice: what waitForConnection() gives. */
#ifndef DEJANK_SCRIPT_MONKEY_DEVICE_H
#define DEJANK_SCRIPT_MONKEY_DEVICE_H

#include <lua.h>

#include "drive/inject.h"

extern const char dj_monkey_device_class[];

struct dj_monkey_device {
    struct dj_device *device;     /* NULL: closed */
    struct dj_injector *injector; /* NULL: none was needed yet */
    bool lent;                    /* of a run, which closes it */
    bool busy;                    /* one of the script's threads waits for it */
};

/* Pushes a new one, which owns the device. */
void dj_monkey_device_push(lua_State *L, struct dj_device *device);

/* Pushes the one a run lends: always the same. `wanted`, where not NULL, must match it.
 */
void dj_monkey_device_push_lent(lua_State *L, struct dj_device *device,
                                const char *wanted);

/* The one at that index, open; throws where it is none. */
struct dj_monkey_device *dj_monkey_device_check(lua_State *L, int at);

/* Around each use of the device: others run Lua meanwhile. Throws where another thread
 * uses this device just now, or the interrupt came: hold nothing that would be lost. */
void dj_monkey_device_take(lua_State *L, struct dj_monkey_device *self);
void dj_monkey_device_give(lua_State *L, struct dj_monkey_device *self);

/* dj_device_shell(), between take and give. */
int dj_monkey_device_shell(lua_State *L, struct dj_monkey_device *self,
                           const char *const *argv, int64_t timeout_ns,
                           struct dj_shell_result *result, struct dj_error *err);

/* dj_device_clock(), between take and give. Throws; `what` names the method. */
int64_t dj_monkey_device_clock(lua_State *L, struct dj_monkey_device *self,
                               const char *what, int64_t *uncertainty_ns);

/* No command of a script takes longer: a day. */
#define DJ_MONKEY_PATIENCE_NS (INT64_C(86400) * DJ_SECOND_NS)
/* What answers at once, or not at all. */
#define DJ_MONKEY_ANSWER_NS (20 * DJ_SECOND_NS)

/* What a command said, its stderr behind its stdout, without the blanks and line ends at
 * its end; pushes it. */
void dj_monkey_device_push_said(lua_State *L, const struct dj_shell_result *result);

/* Runs a command, pushes its output, and returns its exit code. Throws if it cannot be
 * run; `what` names the method. */
int dj_monkey_device_run(lua_State *L, struct dj_monkey_device *self, const char *what,
                         const char *const *argv, int64_t timeout_ns);

#endif
