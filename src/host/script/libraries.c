#include "script/libraries.h"

#include "base/count_of.h"

static const struct {
    const char *global;
    int (*open)(lua_State *L);
} libraries[] = {
    {"MonkeyImage", dj_open_monkey_image},
    {"MonkeyDevice", dj_open_monkey_device},
    {"MonkeyRunner", dj_open_monkey_runner},
    {"MonkeyView", dj_open_monkey_view},
    {"HierarchyViewer", dj_open_hierarchy_viewer},
    {"EasyMonkeyDevice", dj_open_easy_device},
    {"By", dj_open_by},
    {"dejank", dj_open_dejank},
};

void dj_script_open_libraries(lua_State *L)
{
    for (size_t i = 0; i < COUNT_OF(libraries); i++) {
        libraries[i].open(L);
        lua_setglobal(L, libraries[i].global);
    }
}
