#include "script/state.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdarg.h>
#include <string.h>

#include "memory/memory.h"
#include "script/libraries.h"

enum {
    /* The interrupt is checked after this many Lua instructions, which take far less than
     * 1 ms. */
    INSTRUCTIONS_PER_LOOK = 1000
};

#define SLICE_NS (50 * DJ_MILLISECOND_NS)

struct dj_script *dj_script_get(lua_State *L)
{
    return *(struct dj_script **)lua_getextraspace(L);
}

static int64_t get_latest_ns(void *user)
{
    const struct dj_script *script = user;
    return script->exited ? 0 : dj_interrupt_latest_ns(&script->options->interrupt);
}

static void check_hook(lua_State *L, lua_Debug *event)
{
    (void)event;
    struct dj_script *script = dj_script_get(L);
    dj_script_check_interrupt(L);
    if (dj_script_lock_is_contended(&script->lock)) {
        dj_script_wait_begin(L);
        dj_script_wait_end(L);
    }
}

void dj_script_check_interrupt(lua_State *L)
{
    struct dj_script *script = dj_script_get(L);
    int64_t latest = get_latest_ns(script);
    bool over = dj_host_now_ns() >= latest;
    if (latest == INT64_MAX || (script->interrupt_thrown && !over)) {
        return;
    }
    script->interrupt_thrown = true;
    if (over) {
        /* From now on, the script is interrupted at every instruction. Otherwise a script
         * that catches every error would run forever. */
        lua_sethook(L, check_hook, LUA_MASKCOUNT, 1);
    }
    dj_script_fail(L, NULL, DJ_E_INTERRUPTED, "interrupted");
}

void dj_script_wait_begin(lua_State *L)
{
    dj_script_lock_release(&dj_script_get(L)->lock);
}

void dj_script_wait_end(lua_State *L)
{
    dj_script_lock_acquire(&dj_script_get(L)->lock);
}

void dj_script_set_integer(lua_State *L, const char *field, int64_t value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, field);
}

void dj_script_sleep(lua_State *L, int64_t ns)
{
    struct dj_script *script = dj_script_get(L);
    int64_t end_ns = dj_host_now_ns() + ns;
    dj_script_check_interrupt(L);
    dj_script_wait_begin(L);
    for (;;) {
        int64_t now_ns = dj_host_now_ns();
        int64_t latest = get_latest_ns(script);
        if (now_ns >= end_ns || now_ns >= latest ||
            (latest != INT64_MAX && !script->interrupt_thrown)) {
            break;
        }
        dj_host_sleep_ns(end_ns - now_ns < SLICE_NS ? end_ns - now_ns : SLICE_NS);
    }
    dj_script_wait_end(L);
    dj_script_check_interrupt(L);
}

static const char error_class[] = "dejank.error";

/* The name of each error code. The index is the code without its sign. */
static const char *const code_names[] = {
    "internal",
    [-DJ_E_INVALID] = "invalid",
    [-DJ_E_TRUNCATED] = "truncated",
    [-DJ_E_VERSION] = "version",
    [-DJ_E_OWNER] = "owner",
    [-DJ_E_NOT_FOUND] = "not-found",
    [-DJ_E_IO] = "io",
    [-DJ_E_LIMIT] = "limit",
    [-DJ_E_NO_MEMORY] = "no-memory",
    [-DJ_E_TIMEOUT] = "timeout",
    [-DJ_E_GONE] = "gone",
    [-DJ_E_PROTOCOL] = "protocol",
    [-DJ_E_UNSUPPORTED] = "unsupported",
    [-DJ_E_NO_DATA] = "no-data",
    [-DJ_E_USAGE] = "usage",
    [-DJ_E_INTERRUPTED] = "interrupted",
    [-DJ_E_OUTPUT] = "output",
};

static int find_code(const char *name)
{
    for (size_t i = 1; i < COUNT_OF(code_names); i++) {
        if (strcmp(code_names[i], name) == 0) {
            return -(int)i;
        }
    }
    return DJ_E_INVALID;
}

/* Pushes "F.lua:3: " for the running line, or for the line that called the running C
 * function. */
static void push_where(lua_State *L)
{
    lua_Debug running;
    bool lua = lua_getstack(L, 0, &running) != 0 && lua_getinfo(L, "l", &running) != 0 &&
               running.currentline > 0;
    luaL_where(L, lua ? 0 : 1);
}

int dj_script_throw(lua_State *L, const char *what, const struct dj_error *err)
{
    lua_createtable(L, 0, 2);
    push_where(L);
    if (what != NULL) {
        lua_pushfstring(L, "%s: ", what);
        lua_concat(L, 2);
    }
    lua_pushstring(L, err->message);
    lua_concat(L, 2);
    lua_setfield(L, -2, "message");
    lua_pushstring(L, code_names[-err->code]);
    lua_setfield(L, -2, "code");
    luaL_setmetatable(L, error_class);
    return lua_error(L);
}

void dj_script_throw_failure(lua_State *L, int code, const char *what,
                             const struct dj_error *err)
{
    if (code != 0) {
        dj_script_throw(L, what, err);
    }
}

int dj_script_fail(lua_State *L, const char *what, int code, const char *format, ...)
{
    struct dj_error err = {.code = code};
    va_list list;
    va_start(list, format);
    vsnprintf(err.message, sizeof(err.message), format, list);
    va_end(list);
    return dj_script_throw(L, what, &err);
}

static int error_to_string(lua_State *L)
{
    lua_getfield(L, 1, "message");
    return 1;
}

static int concatenate_errors(lua_State *L)
{
    luaL_tolstring(L, 1, NULL);
    luaL_tolstring(L, 2, NULL);
    lua_concat(L, 2);
    return 1;
}

void dj_script_describe_error(lua_State *L, struct dj_error *err)
{
    int code = DJ_E_INVALID;
    if (lua_getmetatable(L, 1)) {
        luaL_getmetatable(L, error_class);
        if (lua_rawequal(L, -1, -2)) {
            lua_getfield(L, 1, "code");
            code = find_code(lua_isstring(L, -1) ? lua_tostring(L, -1) : "");
            lua_pop(L, 1);
        }
        lua_pop(L, 2);
    }
    dj_error_set(err, code, "%s", luaL_tolstring(L, 1, NULL));
    lua_pop(L, 1);
}

static void open_errors(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"__tostring", error_to_string}, {"__concat", concatenate_errors}, {NULL, NULL}};
    luaL_newmetatable(L, error_class);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}

static int exit_script(lua_State *L)
{
    struct dj_script *script = dj_script_get(L);
    script->outcome->exit_code = lua_isboolean(L, 1) ? (lua_toboolean(L, 1) ? 0 : 1)
                                                     : (int)luaL_optinteger(L, 1, 0);
    script->outcome->exited = true;
    script->exited = true;
    dj_script_check_interrupt(L);
    return 0;
}

/* Implements print(). In a run, the text is stored as evidence, because the terminal
 * belongs to the run. */
static int print_values(lua_State *L)
{
    struct dj_script *script = dj_script_get(L);
    struct dj_text line = {0};
    int count = lua_gettop(L);
    for (int i = 1; i <= count; i++) {
        size_t length;
        const char *string = luaL_tolstring(L, i, &length);
        dj_text_append(&line, "\t", i > 1 ? 1 : 0);
        dj_text_append(&line, string, length);
        lua_pop(L, 1);
    }
    dj_text_append(&line, "\n", 1);
    const char *printed = dj_xtext(&line);
    if (script->log != NULL) {
        dj_text_append(&script->log->stream, printed, line.length);
    } else {
        fwrite(printed, 1, line.length, stdout);
        fflush(stdout);
    }
    dj_text_finish(&line);
    return 0;
}

static void open_arguments(lua_State *L, const struct dj_script_options *options)
{
    const char *slash = strrchr(options->file, '/');
    lua_createtable(L, (int)options->arg_count, 1);
    lua_pushstring(L, options->file);
    lua_rawseti(L, -2, 0);
    for (size_t i = 0; i < options->arg_count; i++) {
        lua_pushstring(L, options->args[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setglobal(L, "arg");
    /* require() also finds files in the script's folder. */
    lua_getglobal(L, "package");
    lua_pushlstring(
        L, slash != NULL ? options->file : ".",
        slash != NULL ? (size_t)(slash - options->file) + (slash == options->file) : 1);
    lua_pushstring(L, "/?.lua;");
    lua_getfield(L, -3, "path");
    lua_concat(L, 3);
    lua_setfield(L, -2, "path");
    lua_pop(L, 1);
}

static int open_all(lua_State *L)
{
    luaL_openlibs(L);
    open_errors(L);
    lua_getglobal(L, "os");
    lua_pushcfunction(L, exit_script);
    lua_setfield(L, -2, "exit");
    lua_pop(L, 1);
    lua_pushcfunction(L, print_values);
    lua_setglobal(L, "print");
    open_arguments(L, dj_script_get(L)->options);
    dj_libraries_open(L);
    return 0;
}

void dj_script_open(const struct dj_script_options *options,
                    struct dj_script_outcome *outcome, struct dj_script *script)
{
    *script = (struct dj_script){.L = luaL_newstate(),
                                 .options = options,
                                 .interrupt = {get_latest_ns, script},
                                 .outcome = outcome};
    dj_script_lock_init(&script->lock);
    dj_script_lock_init(&script->dialog_lock);
    dj_script_lock_acquire(&script->lock);
    dj_xcheck(script->L != NULL);
    *(struct dj_script **)lua_getextraspace(script->L) = script;
    lua_pushcfunction(script->L, open_all);
    dj_xcheck(lua_pcall(script->L, 0, 0, 0) == LUA_OK);
}

void dj_script_close(struct dj_script *script)
{
    lua_close(script->L);
    dj_script_release_leases(script);
    dj_script_lock_release(&script->lock);
    dj_script_lock_finish(&script->lock);
    dj_script_lock_finish(&script->dialog_lock);
    *script = (struct dj_script){.L = NULL};
}

int dj_script_read(const char *file, struct dj_text *bytes, struct dj_error *err)
{
    int code = 0;
    FILE *stream = fopen(file, "rbe");
    if (stream == NULL) {
        return dj_error_set(err, DJ_E_NO_DATA, "cannot open %s: %s", file,
                            strerror(errno));
    }
    char block[16384];
    size_t got;
    while (code == 0 && (got = fread(block, 1, sizeof(block), stream)) > 0) {
        dj_text_append(bytes, block, got);
        code = !bytes->full ? 0
                            : dj_error_set(err, DJ_E_LIMIT, "%s has more than %zu MiB",
                                           file, bytes->maximum / (1024 * 1024));
    }
    if (code == 0 && ferror(stream)) {
        code =
            dj_error_set(err, DJ_E_NO_DATA, "cannot read %s: %s", file, strerror(errno));
    }
    fclose(stream);
    return code;
}

int dj_script_load(struct dj_script *script, const struct dj_text *source,
                   struct dj_error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    lua_State *L = script->L;
    const char *text = dj_xtext(source);
    size_t length = source->length;
    if (strncmp(text, mark, sizeof(mark) - 1) == 0) {
        text += sizeof(mark) - 1;
        length -= sizeof(mark) - 1;
    }
    if (text[0] == '#') {
        /* Skips a line "#!/usr/bin/env …" but not its newline, so that line numbers are
         * right. */
        size_t first = strcspn(text, "\n");
        text += first;
        length -= first < length ? first : length;
    }
    lua_pushfstring(L, "@%s", script->options->file);
    int status = luaL_loadbufferx(L, text, length, lua_tostring(L, -1), "t");
    lua_remove(L, -2);
    dj_xcheck(status != LUA_ERRMEM);
    return status == LUA_OK ? 0
                            : dj_error_set(err, DJ_E_INVALID, "%s", lua_tostring(L, -1));
}

/* Message handler of lua_pcall(). It runs before the stack is unwound. It may throw,
 * because a thrown value may have a __tostring that throws. */
static int note_failure(lua_State *L)
{
    struct dj_script *script = dj_script_get(L);
    dj_script_describe_error(L, &script->failure);
    luaL_traceback(L, L, NULL, 1);
    dj_text_clear(&script->outcome->traceback);
    dj_text_add(&script->outcome->traceback, lua_tostring(L, -1));
    lua_pop(L, 1);
    return 1;
}

int dj_script_call(struct dj_script *script, struct dj_error *err)
{
    lua_State *L = script->L;
    int count = (int)script->options->arg_count;
    lua_sethook(L, check_hook, LUA_MASKCOUNT, INSTRUCTIONS_PER_LOOK);
    lua_pushcfunction(L, note_failure);
    lua_insert(L, -2);
    luaL_checkstack(L, count, "arguments");
    for (int i = 0; i < count; i++) {
        lua_pushstring(L, script->options->args[i]);
    }
    int status = lua_pcall(L, count, 0, -count - 2);
    lua_sethook(L, NULL, 0, 0);
    if (status == LUA_OK || script->exited) {
        return 0;
    }
    if (status != LUA_ERRRUN) {
        return status == LUA_ERRMEM
                   ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                   : dj_error_set(err, DJ_E_INVALID,
                                  "%s: an error occurred while an error was reported",
                                  script->options->file);
    }
    return dj_error_set(err, script->failure.code, "%s", script->failure.message);
}
