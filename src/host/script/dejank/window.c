#include <lauxlib.h>
#include <string.h>

#include "gfxinfo/print.h"
#include "measure/gather.h"
#include "memory/memory.h"
#include "script/libraries.h"
#include "script/monkey/device.h"
#include "script/state.h"

static const char what[] = "dejank.window";

struct window {
    const char *name;
    /* Package to read frames from, or NULL if the script requests no frames. */
    const char *package;
    struct dj_monkey_device *device;
    int function, device_at; /* Stack indexes of the function and of the device. */
    struct dj_span span;
    int64_t uncertainty_ns;
};

static const char *get_text_field(lua_State *L, const char *field, const char *otherwise)
{
    int type = lua_getfield(L, 1, field);
    if (type == LUA_TNIL) {
        return otherwise;
    }
    if (type != LUA_TSTRING || strlen(lua_tostring(L, -1)) != lua_rawlen(L, -1)) {
        luaL_error(L, "%s: %s must be a string without a zero byte", what, field);
    }
    return lua_tostring(L, -1);
}

static void check_unknown_options(lua_State *L)
{
    static const char known[] = " name package device f ";
    lua_pushnil(L);
    while (lua_next(L, 1) != 0) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) == 1) {
            continue;
        }
        const char *key = luaL_tolstring(L, -1, NULL);
        const char *spaced = lua_pushfstring(L, " %s ", key);
        if (strstr(known, spaced) == NULL) {
            luaL_error(
                L,
                "%s: unknown option '%s' (options: name, package, device and a function)",
                what, key);
        }
        lua_pop(L, 2);
    }
}

static void read_options(lua_State *L, struct window *window)
{
    struct dj_script *script = dj_script_get(L);
    check_unknown_options(L);
    window->name = get_text_field(L, "name", "window");
    window->package = get_text_field(L, "package", NULL);
    if (lua_getfield(L, 1, "f") == LUA_TNIL) {
        lua_pop(L, 1);
        lua_rawgeti(L, 1, 1);
    }
    window->function = lua_gettop(L);
    if (!lua_isfunction(L, window->function)) {
        luaL_error(
            L, "%s: expected a function: dejank.window{name = \"…\", function() … end}",
            what);
    }
    if (lua_getfield(L, 1, "device") == LUA_TNIL && script->lent != NULL) {
        dj_monkey_device_push_lent(L, script->lent, NULL);
    }
    window->device_at = lua_gettop(L);
    if (luaL_testudata(L, window->device_at, dj_monkey_device_class) == NULL) {
        luaL_error(L,
                   "%s: expected device = … (a MonkeyDevice), which is optional only in "
                   "`dejank run`",
                   what);
    }
    window->device = dj_monkey_device_check(L, window->device_at);
}

static int64_t read_clock(lua_State *L, struct window *window)
{
    int64_t uncertainty_ns = 0;
    int64_t dev_ns = dj_monkey_device_clock(L, window->device, what, &uncertainty_ns);
    if (uncertainty_ns > window->uncertainty_ns) {
        window->uncertainty_ns = uncertainty_ns;
    }
    return dev_ns;
}

static int finish_gather(lua_State *L)
{
    dj_measure_gather_finish(lua_touserdata(L, 1));
    return 0;
}

/* Pushes a struct dj_gather that Lua finishes, even after an error. */
static struct dj_gather *push_gather(lua_State *L)
{
    struct dj_gather *gather = lua_newuserdatauv(L, sizeof(*gather), 0);
    *gather = (struct dj_gather){0};
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, finish_gather);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    return gather;
}

static void read_frames(lua_State *L, struct window *window, struct dj_gather *gather,
                        bool opening)
{
    const struct dj_gfxinfo_request request = {.package = window->package,
                                               .framestats = true,
                                               .since_ns =
                                                   opening ? -1 : window->span.start_ns};
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    struct dj_error err = {0};
    dj_monkey_device_acquire(L, window->device);
    int code = dj_device_read_gfxinfo(window->device->device, &request, &reading, &err);
    if (code == 0 && reading.dump.not_found != NULL) {
        code = dj_error_set(&err, DJ_E_NO_DATA, "%s: No process found for: %s",
                            window->device->device->name, window->package);
    }
    if (code == 0) {
        code = opening ? dj_measure_gather_open(gather, &reading, &err)
                       : dj_measure_gather_add(gather, &reading, &err);
    }
    dj_monkey_device_release(L, window->device);
    dj_device_gfxinfo_finish(&reading);
    dj_script_throw_failure(L, code, what, &err);
}

/* Sets fields of the table on top of the stack. Figures that were not counted stay
 * nil. */
static void set_figures(lua_State *L, const struct dj_dump *dump,
                        const struct dj_recovery *recovery)
{
    static const unsigned percents[] = {50, 90, 95, 99};
    struct dj_stats sum = {0};
    bool counted = false;
    for (size_t i = 0; i < dump->process_count; i++) {
        if (dump->processes[i].stats.present) {
            dj_frame_stats_merge(&sum, &dump->processes[i].stats.stats);
            counted = true;
        }
    }
    dj_script_set_integer(L, "rows", recovery->recovered);
    if (!counted) {
        return;
    }
    dj_script_set_integer(L, "frames", sum.counter[DJ_COUNTER_TOTAL]);
    dj_script_set_integer(L, "janky", sum.counter[DJ_COUNTER_JANKY]);
    for (size_t i = 0; i < 4 && sum.counter[DJ_COUNTER_TOTAL] > 0; i++) {
        char field[16];
        snprintf(field, sizeof(field), "p%u_ms", percents[i]);
        dj_script_set_integer(L, field, dj_frame_stats_percentile_ms(&sum, percents[i]));
    }
}

/* Sets the window's dump as text in the format of gfxinfo. */
static void set_text(lua_State *L, const struct dj_dump *dump)
{
    struct dj_text text = {0};
    struct dj_print_options print = {.dialect = dj_gfxinfo_dump_dialect(dump, NULL),
                                     .framestats = true};
    dj_gfxinfo_print_dump(&text, dump, &print);
    lua_pushlstring(L, dj_xtext(&text), text.length);
    dj_text_finish(&text);
    lua_setfield(L, -2, "gfxinfo");
}

static void set_frames(lua_State *L, const struct window *window,
                       struct dj_gather *gather)
{
    struct dj_dump dump = {.uptime_ms = -1, .realtime_ms = -1};
    struct dj_recovery recovery = {0};
    dj_measure_gather_get_dump(gather, &window->span, &dump, &recovery);
    set_figures(L, &dump, &recovery);
    set_text(L, &dump);
    dj_gfxinfo_dump_finish(&dump);
}

static void push_window(lua_State *L, const struct window *window)
{
    lua_createtable(L, 0, 12);
    lua_pushstring(L, window->name);
    lua_setfield(L, -2, "name");
    dj_script_set_integer(L, "start_ns", window->span.start_ns);
    dj_script_set_integer(L, "end_ns", window->span.end_ns);
    dj_script_set_integer(L, "uncertainty_ns", window->uncertainty_ns);
}

static void log_window(lua_State *L, struct dj_drive_log *log,
                       const struct window *window)
{
    dj_xcheck(dj_drive_log_add_window(log, window->name, window->span));
    if (log->ended != NULL) {
        dj_monkey_device_acquire(L, window->device);
        log->ended(log->user);
        dj_monkey_device_release(L, window->device);
    }
    if (window->uncertainty_ns > log->uncertainty_ns) {
        log->uncertainty_ns = window->uncertainty_ns;
    }
}

int dj_script_measure_window(lua_State *L)
{
    struct dj_script *script = dj_script_get(L);
    struct window window = {0};
    struct dj_gather *gather = NULL;
    read_options(L, &window);
    /* In a run, the measure module reads the frames, and further readings would only
     * disturb the app. */
    if (window.package != NULL && script->log == NULL) {
        gather = push_gather(L);
        read_frames(L, &window, gather, true);
    }
    window.span.start_ns = read_clock(L, &window);
    int top = lua_gettop(L);
    lua_pushvalue(L, window.function);
    lua_pushvalue(L, window.device_at);
    lua_call(L, 1, LUA_MULTRET);
    int results = lua_gettop(L) - top;
    window.span.end_ns = read_clock(L, &window);
    if (script->log != NULL) {
        log_window(L, script->log, &window);
    }
    if (gather != NULL) {
        read_frames(L, &window, gather, false);
    }
    push_window(L, &window);
    if (gather != NULL) {
        set_frames(L, &window, gather);
    }
    lua_insert(L, top + 1);
    return results + 1;
}
