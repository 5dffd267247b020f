/* The global table `dejank`, with functions that MonkeyRunner did not have. */
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_list.h"
#include "memory/memory.h"
#include "script/libraries.h"
#include "script/state.h"

enum { DEVICES_MAX = 256 };

/* Returns the serials of the adb devices that are ready. */
static int devices(lua_State *L)
{
    struct dj_device_entry *entries = dj_xcalloc(DEVICES_MAX, sizeof(*entries));
    struct dj_error err = {0};
    size_t count = 0;
    lua_Integer ready = 0;
    dj_script_wait_begin(L);
    int code = dj_device_list(entries, DEVICES_MAX, &count, &err);
    dj_script_wait_end(L);
    lua_newtable(L);
    for (size_t i = 0; code == 0 && i < count; i++) {
        if (strcmp(entries[i].state, "device") == 0) {
            lua_pushstring(L, entries[i].serial);
            lua_rawseti(L, -2, ++ready);
        }
    }
    free(entries);
    return code == 0 ? 1 : dj_script_throw(L, "dejank.devices", &err);
}

static const struct dj_method functions[] = {
    {"devices", devices, {DJ_NOTHING}},
    {"each",
     dj_script_run_parallel,
     {DJ_REQUIRED("devices", LIST), DJ_REQUIRED("f", FUNCTION),
      DJ_OPTIONAL("on_error", FUNCTION)}},
    {"window", dj_script_measure_window, {DJ_REQUIRED("options", MAP)}},
    {NULL, NULL, {DJ_NOTHING}},
};

const struct dj_script_library dj_dejank_library = {.name = "dejank",
                                                    .functions = functions};
