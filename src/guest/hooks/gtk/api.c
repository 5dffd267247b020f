#include "hooks/gtk/api.h"

#include <dlfcn.h>

#include "hooks/hooks.h"

struct dj_gtk dj_gtk;

enum { SIGNAL_NO_HOOKS = 1 << 6 }; /* Value of G_SIGNAL_NO_HOOKS. */

static void *find_symbol(void *handle, const char *name)
{
    void *symbol = dj_real_dlsym(handle, name);
    if (symbol == NULL) {
        dlerror();
    }
    return symbol;
}

#define FIND(result, name, arguments)                                                    \
    dj_gtk.name = (result(*) arguments)find_symbol(handle, #name);
#define AND_FOUND(result, name, arguments) &&dj_gtk.name != NULL

bool dj_gtk_load_clock_functions(const void *caller)
{
    Dl_info info;
    if (dladdr(caller, &info) == 0 || info.dli_fname == NULL) {
        return false;
    }
    void *handle = dj_real_open(info.dli_fname);
    if (handle == NULL) {
        return false;
    }
    DJ_GTK_CLOCK_MAP(FIND)
    dlclose(handle);
    return true DJ_GTK_CLOCK_MAP(AND_FOUND);
}

bool dj_gtk_load_window_functions(void)
{
    void *handle = dj_real_open("libgtk-4.so.1");
    if (handle == NULL) {
        handle = dj_real_open("libgtk-3.so.0");
    }
    if (handle == NULL) {
        return false;
    }
    DJ_GTK_WINDOW_MAP(FIND)
    DJ_GTK_CHILDREN_MAP(FIND)
    dlclose(handle);
    return true DJ_GTK_WINDOW_MAP(AND_FOUND);
}

bool dj_gtk_hook_signal(size_t type, const char *signal, dj_gtk_hook *hook, void *data)
{
    if (type == 0 || dj_gtk.g_type_class_peek(type) == NULL) {
        return false;
    }
    struct dj_gtk_signal query = {0};
    unsigned id = dj_gtk.g_signal_lookup(signal, type);
    if (id != 0) {
        dj_gtk.g_signal_query(id, &query);
    }
    return query.id != 0 && (query.flags & SIGNAL_NO_HOOKS) == 0 &&
           dj_gtk.g_signal_add_emission_hook(id, 0, hook, data, NULL) != 0;
}
