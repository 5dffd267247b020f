/* The methods of MonkeyDevice, grouped by file. arguments.h describes the stack on
 * entry. */
#ifndef DEJANK_SCRIPT_MONKEY_DEVICE_METHODS_H
#define DEJANK_SCRIPT_MONKEY_DEVICE_METHODS_H

#include <lua.h>

struct dj_monkey_device;

/* Defined in device_commands.c. */
int dj_monkey_device_run_shell(lua_State *L);
int dj_monkey_device_install_package(lua_State *L);
int dj_monkey_device_remove_package(lua_State *L);
int dj_monkey_device_instrument(lua_State *L);
int dj_monkey_device_reboot(lua_State *L);
int dj_monkey_device_take_snapshot(lua_State *L);

/* Defined in device_intents.c. */
int dj_monkey_device_start_activity(lua_State *L);
int dj_monkey_device_broadcast_intent(lua_State *L);

/* Defined in device_properties.c. */
int dj_monkey_device_get_property(lua_State *L);
int dj_monkey_device_get_property_list(lua_State *L);
int dj_monkey_device_get_system_property(lua_State *L);

/* Defined in device_input.c. */
int dj_monkey_device_press(lua_State *L);
int dj_monkey_device_touch(lua_State *L);
int dj_monkey_device_drag(lua_State *L);
int dj_monkey_device_type(lua_State *L);
int dj_monkey_device_wake(lua_State *L);
/* Sets MonkeyDevice.DOWN and similar constants in the table on top of the stack. */
void dj_monkey_device_add_press_types(lua_State *L);

/* Defined in view.c. */
int dj_monkey_device_get_view_by_id(lua_State *L);
int dj_monkey_device_get_view_by_accessibility_ids(lua_State *L);
int dj_monkey_device_get_view_id_list(lua_State *L);
int dj_monkey_device_get_views_by_text(lua_State *L);
int dj_monkey_device_get_root_view(lua_State *L);

/* Defined in easy_device.c. */
int dj_monkey_device_get_hierarchy_viewer(lua_State *L);

/* Pushes the activity in the foreground, for example "com.example/.Main", or nil. */
void dj_monkey_device_push_front(lua_State *L, struct dj_monkey_device *self);

#endif
