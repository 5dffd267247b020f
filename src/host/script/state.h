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
    struct dj_script_lock talking; /* one question at a time */
    struct dj_device *lent;   /* the device of a run, returned by waitForConnection();
                               * otherwise NULL */
    struct dj_drive_log *log; /* the log of a run, which receives windows and printed
                               * text; otherwise NULL */
    _Atomic bool exited;      /* os.exit() */
    _Atomic bool interrupt_thrown; /* the interrupt was thrown once; cleanup code may use
                                    * the remaining time */
    struct dj_script_outcome *outcome;
    struct dj_error failure;        /* the error that was thrown and not caught */
    struct dj_script_lease *leases; /* owned */
    size_t lease_count;
};

/* Creates the state with all libraries. `options` must outlive it. */
void dj_script_open(const struct dj_script_options *options,
                    struct dj_script_outcome *outcome, struct dj_script *script);
void dj_script_close(struct dj_script *script);

/* Compiles the text and leaves its function on the stack. Returns DJ_E_INVALID for a
 * syntax error. */
int dj_script_load(struct dj_script *script, const struct dj_text *source,
                   struct dj_error *err);

/* Calls the function. Returns the errors of dj_script_run(), or DJ_E_NO_MEMORY,
 * because a script may request any amount of memory. */
int dj_script_call(struct dj_script *script, struct dj_error *err);

/* Reads a whole file, up to the text's maximum. Returns DJ_E_NO_DATA or DJ_E_LIMIT. */
int dj_script_read(const char *file, struct dj_text *bytes, struct dj_error *err);

/* Returns the script of a state or of one of its coroutines. */
struct dj_script *dj_script_get(lua_State *L);

/* Leases a device that was just opened, so that no other dejank uses it until the
 * script ends. This machine is never leased, because it runs many programs. Records
 * the device's answers if requested. The caller holds the lock of scripts. Closes the
 * device on an error. */
int dj_script_lease_device(struct dj_script *script, struct dj_device **device,
                           struct dj_error *err);
void dj_script_release_leases(struct dj_script *script);

/* Call these around anything that waits. Other threads run Lua meanwhile, so this
 * thread must not touch L. */
void dj_script_wait_begin(lua_State *L);
void dj_script_wait_end(lua_State *L);

/* Throws a table with `message` ("F.lua:3: what: …", also its tostring) and `code`, a
 * short name such as "gone". */
int dj_script_throw(lua_State *L, const char *what, const struct dj_error *err);

/* Throws the error unless the code is 0. */
void dj_script_throw_failure(lua_State *L, int code, const char *what,
                             const struct dj_error *err);

/* Throws an error with this code and message. */
int dj_script_fail(lua_State *L, const char *what, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Describes the thrown value, the first one on the stack. May throw. */
void dj_script_describe_error(lua_State *L, struct dj_error *err);

/* Sets a field of the table on top of the stack. */
void dj_script_set_integer(lua_State *L, const char *field, int64_t value);

/* Throws if the script was interrupted. The caller must hold nothing that would be
 * lost. */
void dj_script_check_interrupt(lua_State *L);

/* Waits, at most until the interrupt. Throws like dj_script_check_interrupt(). */
void dj_script_sleep(lua_State *L, int64_t ns);

#endif
