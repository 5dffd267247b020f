/* getProperty(): the variables of `monkey`, from the commands that know them. */
#include <inttypes.h>
#include <lauxlib.h>
#include <string.h>
#include <strings.h>

#include "script/device_methods.h"
#include "script/monkey_device.h"
#include "script/state.h"

/* Pushes the value, or nil if it is unknown. `from` comes from the table row. */
typedef void tell(lua_State *L, struct dj_monkey_device *self, const char *from);

/* Pushes the output of a command. Throws if it cannot run. */
static const char *ask(lua_State *L, struct dj_monkey_device *self,
                       const char *const *argv)
{
    dj_monkey_device_run(L, self, "getProperty", argv, DJ_MONKEY_ANSWER_NS);
    return lua_tostring(L, -1);
}

static void tell_property(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    const char *argv[] = {"getprop", from, NULL};
    if (ask(L, self, argv)[0] == '\0') {
        lua_pushnil(L);
    }
}

/* ---- the display: "Physical size: 1080x2400", followed by an override ---- */

static const char *last_value(const char *said, const char *name)
{
    const char *value = NULL;
    for (const char *at = strstr(said, name); at != NULL; at = strstr(at, name)) {
        at += strlen(name);
        value = at + strspn(at, ": ");
    }
    return value;
}

static void push_number(lua_State *L, int64_t number)
{
    if (number > 0) {
        lua_pushfstring(L, "%I", (LUAI_UACINT)number);
    } else {
        lua_pushnil(L);
    }
}

static void tell_size(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    static const char *const argv[] = {"wm", "size", NULL};
    const char *value = last_value(ask(L, self, argv), "size");
    char *end = NULL;
    long width = value != NULL ? strtol(value, &end, 10) : 0;
    long height = end != NULL && *end == 'x' ? strtol(end + 1, NULL, 10) : 0;
    push_number(L, strcmp(from, "width") == 0 ? width : height);
}

/* In the unit of apps: 1.0 means 160 dots per inch. */
static void tell_density(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    (void)from;
    static const char *const argv[] = {"wm", "density", NULL};
    const char *value = last_value(ask(L, self, argv), "density");
    long dots = value != NULL ? strtol(value, NULL, 10) : 0;
    if (dots > 0) {
        lua_pushfstring(L, "%f", (LUAI_UACNUMBER)dots / 160.0);
    } else {
        lua_pushnil(L);
    }
}

/* ---- clocks, in milliseconds ---- */

static void tell_uptime(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    (void)from;
    int64_t uncertainty_ns;
    int64_t dev_ns = dj_monkey_device_clock(L, self, "getProperty", &uncertainty_ns);
    lua_pushfstring(L, "%I", (LUAI_UACINT)(dev_ns / DJ_MILLISECOND_NS));
}

static void tell_seconds(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    bool realtime = strcmp(from, "realtime") == 0;
    static const char *const since_boot[] = {"cat", "/proc/uptime", NULL};
    static const char *const since_1970[] = {"date", "+%s", NULL};
    const char *said = ask(L, self, realtime ? since_boot : since_1970);
    char *end;
    double seconds = strtod(said, &end);
    bool is_time = end != said && seconds > 0 && seconds < 1e15;
    push_number(L, is_time ? (int64_t)(seconds * 1000.0) : 0);
}

/* ---- the activity in the foreground ---- */

/* Finds "ActivityRecord{1d5ddd6 u0 com.example/.Main t12}" after a name that depends
 * on the release. Pushes the component, or nil. */
static bool push_component(lua_State *L, const char *said)
{
    static const char *const names[] = {"topResumedActivity", "mResumedActivity",
                                        "ResumedActivity", "mFocusedActivity"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *at = strstr(said, names[i]);
        const char *record = at != NULL ? strstr(at, "ActivityRecord{") : NULL;
        const char *slash = record != NULL ? strpbrk(record, "/\n}") : NULL;
        if (slash != NULL && *slash == '/') {
            const char *start = slash;
            while (start > record && start[-1] != ' ') {
                start--;
            }
            lua_pushlstring(L, start, strcspn(start, " }\r\n"));
            return true;
        }
    }
    lua_pushnil(L);
    return false;
}

/* Pushes "act=…" from its Intent { act=… cat=[…] dat=… cmp=com.example/.Main }. */
static void push_intent_part(lua_State *L, const char *said, const char *component,
                             const char *name)
{
    const char *cmp = lua_pushfstring(L, "cmp=%s", component);
    const char *at = strstr(said, cmp);
    const char *intent = NULL;
    const char *line = at;
    while (line != NULL && line > said && line[-1] != '\n') {
        line--;
    }
    if (line != NULL) {
        intent = strstr(line, name);
    }
    if (intent == NULL || intent > at) {
        lua_pushnil(L);
        return;
    }
    intent += strlen(name);
    size_t length = strcspn(intent, *intent == '[' ? "]\n" : " }\n");
    lua_pushlstring(L, intent + (*intent == '['), length - (*intent == '['));
}

static const char *const activities[] = {"dumpsys", "activity", "activities", NULL};

void dj_device_push_front(lua_State *L, struct dj_monkey_device *self)
{
    push_component(L, ask(L, self, activities));
}

static void tell_activity(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    const char *said = ask(L, self, activities);
    if (!push_component(L, said)) {
        return;
    }
    const char *component = lua_tostring(L, -1);
    const char *slash = strchr(component, '/');
    if (strcmp(from, "package") == 0) {
        lua_pushlstring(L, component, (size_t)(slash - component));
    } else if (strcmp(from, "class") == 0) {
        lua_pushlstring(L, component, slash[1] == '.' ? (size_t)(slash - component) : 0);
        lua_pushstring(L, slash + 1);
        lua_concat(L, 2);
    } else {
        push_intent_part(L, said, component, from);
    }
}

static const struct {
    const char *name;
    tell *value;
    const char *from;
} variables[] = {
    {"am.current.action", tell_activity, " act="},
    {"am.current.categories", tell_activity, " cat="},
    {"am.current.comp.class", tell_activity, "class"},
    {"am.current.comp.package", tell_activity, "package"},
    {"am.current.data", tell_activity, " dat="},
    {"am.current.package", tell_activity, "package"},
    {"build.board", tell_property, "ro.product.board"},
    {"build.brand", tell_property, "ro.product.brand"},
    {"build.cpu_abi", tell_property, "ro.product.cpu.abi"},
    {"build.device", tell_property, "ro.product.device"},
    {"build.display", tell_property, "ro.build.display.id"},
    {"build.fingerprint", tell_property, "ro.build.fingerprint"},
    {"build.host", tell_property, "ro.build.host"},
    {"build.id", tell_property, "ro.build.id"},
    {"build.manufacturer", tell_property, "ro.product.manufacturer"},
    {"build.model", tell_property, "ro.product.model"},
    {"build.product", tell_property, "ro.product.name"},
    {"build.tags", tell_property, "ro.build.tags"},
    {"build.type", tell_property, "ro.build.type"},
    {"build.user", tell_property, "ro.build.user"},
    {"build.version.codename", tell_property, "ro.build.version.codename"},
    {"build.version.incremental", tell_property, "ro.build.version.incremental"},
    {"build.version.release", tell_property, "ro.build.version.release"},
    {"build.version.sdk", tell_property, "ro.build.version.sdk"},
    {"clock.millis", tell_seconds, "millis"},
    {"clock.realtime", tell_seconds, "realtime"},
    {"clock.uptime", tell_uptime, NULL},
    {"display.density", tell_density, NULL},
    {"display.height", tell_size, "height"},
    {"display.width", tell_size, "width"},
};
enum { VARIABLE_COUNT = COUNT_OF(variables) };

int dj_device_get_property(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 2);
    const char *key = lua_tostring(L, 1);
    for (size_t i = 0; i < VARIABLE_COUNT; i++) {
        if (strcasecmp(variables[i].name, key) == 0) {
            variables[i].value(L, self, variables[i].from);
            return 1;
        }
    }
    tell_property(L, self, key);
    return 1;
}

int dj_device_get_system_property(lua_State *L)
{
    tell_property(L, dj_monkey_device_check(L, 2), lua_tostring(L, 1));
    return 1;
}

int dj_device_get_property_list(lua_State *L)
{
    lua_createtable(L, VARIABLE_COUNT, 0);
    for (size_t i = 0; i < VARIABLE_COUNT; i++) {
        lua_pushstring(L, variables[i].name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
