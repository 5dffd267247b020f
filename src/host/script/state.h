/* One script while it runs: its Lua state, what it may wait for, and how it ends. */
#ifndef DEJANK_SCRIPT_STATE_H
#define DEJANK_SCRIPT_STATE_H

#include <lua.h>

#include "measure/lease.h"
#include "script/lock.h"
#include "script/script.h"

/* A device that this script has for itself, until it ends. */
struct dj_script_lease {
    char device[160];
    struct dj_lease lease;
};

struct dj_script {
    lua_State *L;
    const struct dj_script_options *options;
    struct dj_interrupt interrupt;
    struct dj_script_lock lock;
    struct dj_script_lock talking; /* one question at a time */
    struct dj_device *lent;   /* of a run: what waitForConnection() gives; else NULL */
    struct dj_drive_log *log; /* of a run: takes windows and what is printed; else NULL */
    _Atomic bool exited;      /* os.exit() */
    _Atomic bool told; /* the interrupt, once: what then tidies up may use its time */
    struct dj_script_outcome *outcome;
    struct dj_error failure;        /* what was thrown and not caught */
    struct dj_script_lease *leases; /* owned */
    size_t lease_count;
};

/* Makes the state, with all libraries in it. `options` outlives it. */
void dj_script_open(const struct dj_script_options *options,
                    struct dj_script_outcome *outcome, struct dj_script *script);
void dj_script_close(struct dj_script *script);

/* Compiles the text, and leaves its function on the stack. DJ_E_INVALID. */
int dj_script_load(struct dj_script *script, const struct dj_text *source,
                   struct dj_error *err);

/* Calls it. Errors as dj_script_run() has them; DJ_E_NO_MEMORY too, as a script may ask
 * for any amount of memory. */
int dj_script_call(struct dj_script *script, struct dj_error *err);

/* Reads a whole file, at most the text's maximum: DJ_E_NO_DATA, DJ_E_LIMIT. */
int dj_script_read(const char *file, struct dj_text *bytes, struct dj_error *err);

/* The script a state belongs to; also of its coroutines. */
struct dj_script *dj_script_of(lua_State *L);

/* Takes a device that was just opened: no other dejank drives or measures it until the
 * script ends (this machine has many programs, and is nobody's alone), and what it
 * answers is written down where that is wanted. Under the lock of scripts. An error
 * closes it. */
int dj_script_take(struct dj_script *script, struct dj_device **device,
                   struct dj_error *err);
void dj_script_give_back_leases(struct dj_script *script);

/* Around whatever waits: the script's other threads run Lua meanwhile, this one must not
 * touch L. */
void dj_script_wait_begin(lua_State *L);
void dj_script_wait_end(lua_State *L);

/* Throws: a table with `message` ("F.lua:3: what: …", also by tostring) and `code`, a
 * short name such as "gone". */
int dj_script_throw(lua_State *L, const char *what, const struct dj_error *err);

/* The same unless the code is 0. */
void dj_script_throw_failure(lua_State *L, int code, const char *what,
                             const struct dj_error *err);

/* The same of an error that is made here. */
int dj_script_fail(lua_State *L, const char *what, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* What was thrown, the first on the stack. May throw itself. */
void dj_script_explain(lua_State *L, struct dj_error *err);

/* Sets a field of the table on top. */
void dj_script_set_integer(lua_State *L, const char *field, int64_t value);

/* Throws where the interrupt came. Hold nothing that would be lost. */
void dj_script_check(lua_State *L);

/* Waits, at most until the interrupt. Throws as dj_script_check(). */
void dj_script_sleep(lua_State *L, int64_t ns);

#endif
