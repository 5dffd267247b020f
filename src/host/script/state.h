/* A running script: its Lua state, its waits, and how it ends. */
#ifndef DEJANK_SCRIPT_STATE_H
#define DEJANK_SCRIPT_STATE_H

#include <lua.h>

#include "measure/lease.h"
#include "script/lock.h"
#include "script/script.h"

/* The lease of a device that the script uses until it ends. */
struct dj_script_lease {
    char device[160];
    struct dj_lease lease;
};

struct dj_script {
    lua_State *L;
    const struct dj_script_options *options;
    struct dj_interrupt_request interrupt;
    struct dj_script_lock lock;
    struct dj_script_lock dialog_lock; /* Allows one question to the user at a time. */
    /* Device of a run, which waitForConnection() returns. NULL outside a run. */
    struct dj_device *lent;
    /* Log of a run, which gets windows and printed text. NULL outside a run. */
    struct dj_drive_log *log;
    _Atomic bool exited; /* True after os.exit() was called. */
    /* True after the interrupt has been thrown. The script may use the remaining time for
     * cleanup. */
    _Atomic bool interrupt_thrown;
    struct dj_script_outcome *outcome;
    struct dj_error failure; /* The uncaught error that ended the script. */
    /* The leases of the devices that the script uses. Owned by this struct. */
    struct dj_script_lease *leases;
    size_t lease_count;
};

/* Creates the state with all libraries. `options` must outlive `script`. */
void dj_script_open(const struct dj_script_options *options,
                    struct dj_script_outcome *outcome, struct dj_script *script);
void dj_script_close(struct dj_script *script);

/* Compiles the text and pushes it as a function. Returns DJ_E_INVALID for a syntax
 * error. */
int dj_script_load(struct dj_script *script, const struct dj_text *source,
                   struct dj_error *err);

/* Calls the function. Returns the errors of dj_script_run(), or DJ_E_NO_MEMORY, because a
 * script may request any amount of memory. */
int dj_script_call(struct dj_script *script, struct dj_error *err);

/* Reads a whole file, up to the maximum of `bytes`. Returns DJ_E_NO_DATA or
 * DJ_E_LIMIT. */
int dj_script_read(const char *file, struct dj_text *bytes, struct dj_error *err);

/* Returns the script to which a state or coroutine belongs. */
struct dj_script *dj_script_get(lua_State *L);

/* Leases a device that was just opened, so that no other dejank uses the device until the
 * script ends. This machine is never leased, because it runs many programs. Records the
 * device's replies if the options request it. The caller must hold script->lock. Closes
 * the device on an error. */
int dj_script_lease_device(struct dj_script *script, struct dj_device **device,
                           struct dj_error *err);
void dj_script_release_leases(struct dj_script *script);

/* Call these functions before and after anything that waits. In between, other threads
 * run Lua, so this thread must not use L. */
void dj_script_wait_begin(lua_State *L);
void dj_script_wait_end(lua_State *L);

/* Throws a table with two fields. `message` is "F.lua:3: what: …", which tostring()
 * returns as well. `code` is a short name, for example "gone". */
int dj_script_throw(lua_State *L, const char *what, const struct dj_error *err);

/* Throws the error unless the code is 0. */
void dj_script_throw_failure(lua_State *L, int code, const char *what,
                             const struct dj_error *err);

/* Throws an error with this code and message. */
int dj_script_fail(lua_State *L, const char *what, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Describes the thrown value, which is the first value on the stack. May throw. */
void dj_script_describe_error(lua_State *L, struct dj_error *err);

/* Sets a field of the table on top of the stack. */
void dj_script_set_integer(lua_State *L, const char *field, int64_t value);

/* Throws if the script was interrupted. The caller must not own memory that would be
 * lost. */
void dj_script_check_interrupt(lua_State *L);

/* Waits until ns have passed or the script is interrupted. Throws like
 * dj_script_check_interrupt(). */
void dj_script_sleep(lua_State *L, int64_t ns);

#endif
