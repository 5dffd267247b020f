/* Sends keys, touches and text with an injector of the drive module. Each device opens
 * its injector at the first call and keeps it open, because opening one costs the device
 * some frames. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drive/inject.h"
#include "script/monkey/device.h"
#include "script/monkey/device_methods.h"
#include "script/state.h"

enum { STEPS_MAX = 10000, COORDINATE_MAX = 1000000 };

/* The bits of a press. */
enum press { PRESS_DOWN = 1, PRESS_UP = 2, PRESS_MOVE = 4 };

/* The constants and names of MonkeyRunner. */
static const struct {
    const char *constant, *name;
    int press;
} types[] = {{"DOWN_AND_UP", "downAndUp", PRESS_DOWN | PRESS_UP},
             {"DOWN", "down", PRESS_DOWN},
             {"UP", "up", PRESS_UP},
             {"MOVE", "move", PRESS_MOVE}};

void dj_monkey_device_add_press_types(lua_State *L)
{
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        lua_pushstring(L, types[i].name);
        lua_setfield(L, -2, types[i].constant);
    }
}

static int get_press(lua_State *L, int at, const char *what)
{
    const char *type = luaL_optstring(L, at, "downAndUp");
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        if (strcmp(types[i].name, type) == 0) {
            return types[i].press;
        }
    }
    return luaL_error(
        L, "%s: type must be MonkeyDevice.DOWN, UP, DOWN_AND_UP or MOVE, not '%s'", what,
        type);
}

/* Opens the injector if it is not open. Must be called between dj_monkey_device_acquire()
 * and dj_monkey_device_release(). */
static int open_injector(struct dj_monkey_device *self, struct dj_error *err)
{
    if (self->injector != NULL) {
        return 0;
    }
    return strcmp(self->device->name, "local:") == 0
               ? dj_drive_injector_open_xtest(self->device, &self->injector, err)
               : dj_drive_injector_open_android(self->device, 1, &self->injector, err);
}

/* The input to inject. One of `text`, `plan` and `key` is not NULL. */
struct input {
    const char *text;
    const struct dj_touch_plan *plan;
    const char *key;
    int press; /* Kind of press: bits of enum press. */
};

static int inject_touch(struct dj_injector *injector, const struct dj_touch_plan *plan,
                        struct dj_error *err)
{
    bool whole = plan->events[0].kind == DJ_TOUCH_DOWN &&
                 plan->events[plan->count - 1].kind == DJ_TOUCH_UP;
    if (!whole && strcmp(injector->name, "input") == 0) {
        return dj_error_set(
            err, DJ_E_UNSUPPORTED,
            "this device only supports whole touches (with `input`): use DOWN_AND_UP");
    }
    return dj_drive_injector_touch(injector, plan, err);
}

static int inject(struct dj_injector *injector, const struct input *input,
                  struct dj_error *err)
{
    if (input->text != NULL) {
        return dj_drive_injector_text(injector, input->text, err);
    }
    if (input->plan != NULL) {
        return inject_touch(injector, input->plan, err);
    }
    return input->press == (PRESS_DOWN | PRESS_UP)
               ? dj_drive_injector_key(injector, input->key, err)
               : dj_drive_injector_key_part(injector, input->key,
                                            input->press == PRESS_DOWN, err);
}

static int use_injector(lua_State *L, struct dj_monkey_device *self, const char *what,
                        struct input input)
{
    struct dj_error err = {0};
    dj_monkey_device_acquire(L, self);
    int code = open_injector(self, &err);
    code = code != 0 ? code : inject(self->injector, &input, &err);
    if (code == DJ_E_PROTOCOL) {
        /* The injector has ended. The next call opens another one. */
        dj_drive_injector_close(self->injector);
        self->injector = NULL;
    }
    dj_monkey_device_release(L, self);
    return code == 0 ? 0 : dj_script_throw(L, what, &err);
}

/* Pushes a plan with space for its events. Lua owns both, so an error loses no memory. */
static struct dj_touch_plan *push_plan(lua_State *L, size_t events)
{
    struct dj_touch_plan *plan = lua_newuserdatauv(L, sizeof(*plan), 1);
    *plan = (struct dj_touch_plan){.fingers = 1};
    plan->events = lua_newuserdatauv(L, events * sizeof(*plan->events), 0);
    lua_setiuservalue(L, -2, 1);
    return plan;
}

static void add_event(struct dj_touch_plan *plan, int64_t at_ns, enum dj_touch_kind kind,
                      double x, double y)
{
    plan->events[plan->count++] = (struct dj_touch_event){
        .at_ns = at_ns, .kind = kind, .x = (int)floor(x), .y = (int)floor(y)};
}

static void note_ends(struct dj_touch_plan *plan)
{
    const struct dj_touch_event *first = &plan->events[0];
    const struct dj_touch_event *last = &plan->events[plan->count - 1];
    plan->from_x = first->x;
    plan->from_y = first->y;
    plan->to_x = last->x;
    plan->to_y = last->y;
    plan->still = first->x == last->x && first->y == last->y;
    plan->duration_ns = last->at_ns;
}

static double check_coordinate(lua_State *L, const char *what, lua_Number value)
{
    if (!(value >= 0 && value <= COORDINATE_MAX)) {
        luaL_error(L, "%s: coordinate %f is not on a screen", what, value);
    }
    return value;
}

int dj_monkey_device_touch(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 4);
    double x = check_coordinate(L, "touch", lua_tonumber(L, 1));
    double y = check_coordinate(L, "touch", lua_tonumber(L, 2));
    int press = get_press(L, 3, "touch");
    struct dj_touch_plan *plan = push_plan(L, 2);
    if ((press & PRESS_DOWN) != 0) {
        add_event(plan, 0, DJ_TOUCH_DOWN, x, y);
    }
    if ((press & PRESS_MOVE) != 0) {
        add_event(plan, 0, DJ_TOUCH_MOVE, x, y);
    }
    if ((press & PRESS_UP) != 0) {
        add_event(plan, (press & PRESS_DOWN) != 0 ? DJ_TOUCH_STEP_NS : 0, DJ_TOUCH_UP, x,
                  y);
    }
    note_ends(plan);
    return use_injector(L, self, "touch", (struct input){.plan = plan});
}

static void read_point(lua_State *L, int at, double point[2])
{
    for (int i = 0; i < 2; i++) {
        if (lua_rawlen(L, at) != 2) {
            luaL_error(L, "drag: start and end must be points {x, y}");
        }
        lua_rawgeti(L, at, i + 1);
        point[i] = check_coordinate(L, "drag", lua_tonumber(L, -1));
        lua_pop(L, 1);
    }
}

int dj_monkey_device_drag(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 5);
    double from[2], to[2];
    read_point(L, 1, from);
    read_point(L, 2, to);
    lua_Number seconds = luaL_optnumber(L, 3, 1.0);
    lua_Integer steps = luaL_optinteger(L, 4, 10);
    if (seconds < 0 || seconds > 600 || steps < 1 || steps > STEPS_MAX) {
        return luaL_error(L, "drag: duration must be 0 to 600 seconds, and steps 1 to %d",
                          STEPS_MAX);
    }
    struct dj_touch_plan *plan = push_plan(L, (size_t)steps + 2);
    int64_t duration_ns = llround(seconds * 1e9);
    add_event(plan, 0, DJ_TOUCH_DOWN, from[0], from[1]);
    for (lua_Integer i = 1; i <= steps; i++) {
        double part = (double)i / (double)steps;
        add_event(plan, llround((double)duration_ns * part), DJ_TOUCH_MOVE,
                  from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part);
    }
    add_event(plan, duration_ns, DJ_TOUCH_UP, to[0], to[1]);
    note_ends(plan);
    return use_injector(L, self, "drag", (struct input){.plan = plan});
}

int dj_monkey_device_press(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 3);
    int press = get_press(L, 2, "press");
    if (press == PRESS_MOVE) {
        return luaL_error(L, "press: a key cannot move: use DOWN, UP or DOWN_AND_UP");
    }
    return use_injector(L, self, "press",
                        (struct input){.key = lua_tostring(L, 1), .press = press});
}

int dj_monkey_device_type(lua_State *L)
{
    return use_injector(L, dj_monkey_device_check(L, 2), "type",
                        (struct input){.text = lua_tostring(L, 1)});
}

int dj_monkey_device_wake(lua_State *L)
{
    return use_injector(
        L, dj_monkey_device_check(L, 1), "wake",
        (struct input){.key = "KEYCODE_WAKEUP", .press = PRESS_DOWN | PRESS_UP});
}
