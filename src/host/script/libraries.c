#include "script/libraries.h"

#include "base/count_of.h"

/* The libraries in the order in which the reference lists them. */
static const struct dj_script_library *const libraries[] = {
    &dj_monkey_runner_library,    &dj_monkey_device_library,
    &dj_monkey_image_library,     &dj_monkey_view_library,
    &dj_hierarchy_viewer_library, &dj_easy_device_library,
    &dj_dejank_library,           &dj_by_library,
};

void dj_libraries_open(lua_State *L)
{
    for (size_t i = 0; i < COUNT_OF(libraries); i++) {
        const struct dj_script_library *library = libraries[i];
        if (library->methods != NULL) {
            dj_class_push(L, library->name, library->methods);
            if (library->metamethods != NULL) {
                luaL_setfuncs(L, library->metamethods, 0);
            }
            lua_pop(L, 1);
        }
        lua_newtable(L);
        if (library->functions != NULL) {
            dj_methods_set(L, library->name, library->functions);
        }
        if (library->extend != NULL) {
            library->extend(L);
        }
        lua_setglobal(L, library->name);
    }
}

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

void dj_libraries_push_reference(lua_State *L, bool html)
{
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    luaL_addstring(
        &text, html ? "<!DOCTYPE html>\n<title>MonkeyRunner in Lua</title>\n<dl>\n" : "");
    for (size_t i = 0; i < COUNT_OF(libraries); i++) {
        const struct dj_method *method = libraries[i]->functions != NULL
                                             ? libraries[i]->functions
                                             : libraries[i]->methods;
        for (; method != NULL && method->name != NULL; method++) {
            add_method(&text, libraries[i]->name, method, html);
        }
    }
    luaL_addstring(&text, html ? "</dl>\n" : "");
    luaL_pushresult(&text);
}
