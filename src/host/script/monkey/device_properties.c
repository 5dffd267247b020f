/* Implements getProperty(): reads the variables of the program `monkey` with other
 * commands. */
#include <inttypes.h>
#include <lauxlib.h>
#include <string.h>
#include <strings.h>

#include "script/monkey/device.h"
#include "script/monkey/device_methods.h"

/* Pushes the value of a variable, or nil if it is unknown. `from` is from the variable's
 * row in `variables`. */
typedef void push_fn(lua_State *L, struct dj_monkey_device *self, const char *from);

/* Pushes and returns the output of a command. Throws if the command cannot run. */
static const char *read_command(lua_State *L, struct dj_monkey_device *self,
                                const char *const *argv)
{
    dj_monkey_device_run(L, self, "getProperty", argv, DJ_MONKEY_ANSWER_TIMEOUT_NS);
    return lua_tostring(L, -1);
}

static void push_property(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    const char *argv[] = {"getprop", from, NULL};
    if (read_command(L, self, argv)[0] == '\0') {
        lua_pushnil(L);
    }
}

/* Returns the last value of `name` in the output of wm. A line such as "Physical size:
 * 1080x2400" may be followed by a line with an override. */
static const char *find_last_value(const char *output, const char *name)
{
    const char *value = NULL;
    for (const char *at = strstr(output, name); at != NULL; at = strstr(at, name)) {
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

static void push_size(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    static const char *const argv[] = {"wm", "size", NULL};
    const char *value = find_last_value(read_command(L, self, argv), "size");
    char *end = NULL;
    long width = value != NULL ? strtol(value, &end, 10) : 0;
    long height = end != NULL && *end == 'x' ? strtol(end + 1, NULL, 10) : 0;
    push_number(L, strcmp(from, "width") == 0 ? width : height);
}

/* Pushes the density in the unit of apps: 1.0 means 160 dots per inch. */
static void push_density(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    (void)from;
    static const char *const argv[] = {"wm", "density", NULL};
    const char *value = find_last_value(read_command(L, self, argv), "density");
    long dots = value != NULL ? strtol(value, NULL, 10) : 0;
    if (dots > 0) {
        lua_pushfstring(L, "%f", (LUAI_UACNUMBER)dots / 160.0);
    } else {
        lua_pushnil(L);
    }
}

static void push_uptime(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    (void)from;
    int64_t uncertainty_ns;
    int64_t dev_ns = dj_monkey_device_clock(L, self, "getProperty", &uncertainty_ns);
    lua_pushfstring(L, "%I", (LUAI_UACINT)(dev_ns / DJ_MILLISECOND_NS));
}

static void push_seconds(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    bool realtime = strcmp(from, "realtime") == 0;
    static const char *const since_boot[] = {"cat", "/proc/uptime", NULL};
    static const char *const since_1970[] = {"date", "+%s", NULL};
    const char *output = read_command(L, self, realtime ? since_boot : since_1970);
    char *end;
    double seconds = strtod(output, &end);
    bool is_time = end != output && seconds > 0 && seconds < 1e15;
    push_number(L, is_time ? (int64_t)(seconds * 1000.0) : 0);
}

/* Finds the component in "ActivityRecord{1d5ddd6 u0 com.example/.Main t12}" after a name
 * that depends on the Android release. Pushes the component, or nil. */
static bool push_component(lua_State *L, const char *output)
{
    static const char *const names[] = {"topResumedActivity", "mResumedActivity",
                                        "ResumedActivity", "mFocusedActivity"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *at = strstr(output, names[i]);
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

/* Finds the component's Intent { act=… cat=[…] dat=… cmp=com.example/.Main } in the
 * output, and pushes the value that follows `name` (for example " act="), or nil. */
static void push_intent_part(lua_State *L, const char *output, const char *component,
                             const char *name)
{
    const char *cmp = lua_pushfstring(L, "cmp=%s", component);
    const char *at = strstr(output, cmp);
    const char *intent = NULL;
    const char *line = at;
    while (line != NULL && line > output && line[-1] != '\n') {
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

void dj_monkey_device_push_front(lua_State *L, struct dj_monkey_device *self)
{
    push_component(L, read_command(L, self, activities));
}

static void push_activity(lua_State *L, struct dj_monkey_device *self, const char *from)
{
    const char *output = read_command(L, self, activities);
    if (!push_component(L, output)) {
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
        push_intent_part(L, output, component, from);
    }
}

static const struct {
    const char *name;
    push_fn *value;
    const char *from;
} variables[] = {
    {"am.current.action", push_activity, " act="},
    {"am.current.categories", push_activity, " cat="},
    {"am.current.comp.class", push_activity, "class"},
    {"am.current.comp.package", push_activity, "package"},
    {"am.current.data", push_activity, " dat="},
    {"am.current.package", push_activity, "package"},
    {"build.board", push_property, "ro.product.board"},
    {"build.brand", push_property, "ro.product.brand"},
    {"build.cpu_abi", push_property, "ro.product.cpu.abi"},
    {"build.device", push_property, "ro.product.device"},
    {"build.display", push_property, "ro.build.display.id"},
    {"build.fingerprint", push_property, "ro.build.fingerprint"},
    {"build.host", push_property, "ro.build.host"},
    {"build.id", push_property, "ro.build.id"},
    {"build.manufacturer", push_property, "ro.product.manufacturer"},
    {"build.model", push_property, "ro.product.model"},
    {"build.product", push_property, "ro.product.name"},
    {"build.tags", push_property, "ro.build.tags"},
    {"build.type", push_property, "ro.build.type"},
    {"build.user", push_property, "ro.build.user"},
    {"build.version.codename", push_property, "ro.build.version.codename"},
    {"build.version.incremental", push_property, "ro.build.version.incremental"},
    {"build.version.release", push_property, "ro.build.version.release"},
    {"build.version.sdk", push_property, "ro.build.version.sdk"},
    {"clock.millis", push_seconds, "millis"},
    {"clock.realtime", push_seconds, "realtime"},
    {"clock.uptime", push_uptime, NULL},
    {"display.density", push_density, NULL},
    {"display.height", push_size, "height"},
    {"display.width", push_size, "width"},
};
enum { VARIABLE_COUNT = COUNT_OF(variables) };

int dj_monkey_device_get_property(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 2);
    const char *key = lua_tostring(L, 1);
    for (size_t i = 0; i < VARIABLE_COUNT; i++) {
        if (strcasecmp(variables[i].name, key) == 0) {
            variables[i].value(L, self, variables[i].from);
            return 1;
        }
    }
    push_property(L, self, key);
    return 1;
}

int dj_monkey_device_get_system_property(lua_State *L)
{
    push_property(L, dj_monkey_device_check(L, 2), lua_tostring(L, 1));
    return 1;
}

int dj_monkey_device_get_property_list(lua_State *L)
{
    lua_createtable(L, VARIABLE_COUNT, 0);
    for (size_t i = 0; i < VARIABLE_COUNT; i++) {
        lua_pushstring(L, variables[i].name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
