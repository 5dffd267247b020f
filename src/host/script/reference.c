#include "script/reference.h"

#include <lauxlib.h>

#include "base/count_of.h"
#include "script/libraries.h"

static const struct {
    const char *class_name;
    const struct dj_method *methods;
} classes[] = {
    {"MonkeyRunner", dj_monkey_runner_methods},
    {"MonkeyDevice", dj_monkey_device_methods},
    {"MonkeyImage", dj_monkey_image_methods},
    {"MonkeyView", dj_monkey_view_methods},
    {"HierarchyViewer", dj_hierarchy_viewer_methods},
    {"EasyMonkeyDevice", dj_easy_device_methods},
    {"dejank", dj_dejank_methods},
};

static void add_method(luaL_Buffer *text, const char *class_name,
                       const struct dj_method *method, bool html)
{
    luaL_addstring(text, html ? "<dt><code>" : "");
    luaL_addstring(text, class_name);
    luaL_addstring(text, ".");
    luaL_addstring(text, method->name);
    luaL_addstring(text, "(");
    for (size_t i = 0; i < DJ_PARAMETERS_MAX && method->parameters[i].name != NULL; i++) {
        bool required = method->parameters[i].required;
        luaL_addstring(text, i > 0 ? ", " : "");
        luaL_addstring(text, required ? "" : "[");
        luaL_addstring(text, method->parameters[i].name);
        luaL_addstring(text, required ? "" : "]");
    }
    luaL_addstring(text, html ? ")</code></dt>\n" : ")\n");
}

void dj_reference_push(lua_State *L, bool html)
{
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    luaL_addstring(
        &text, html ? "<!DOCTYPE html>\n<title>MonkeyRunner in Lua</title>\n<dl>\n" : "");
    for (size_t i = 0; i < COUNT_OF(classes); i++) {
        for (const struct dj_method *method = classes[i].methods; method->name != NULL;
             method++) {
            add_method(&text, classes[i].class_name, method, html);
        }
    }
    luaL_addstring(&text, html ? "</dl>\n" : "");
    luaL_pushresult(&text);
}
