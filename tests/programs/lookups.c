/* Checks that preloaded objects do not change the results of dlsym() and dlerror().
 * Prints each wrong result. The exit status is 1 if there was one. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int bad;

/* A look-up as the manual page recommends: clear the error, look up, read the error. */
static void *look_up(void *handle, const char *name, bool expected)
{
    dlerror();
    void *symbol = dlsym(handle, name);
    const char *error = dlerror();
    if ((symbol != NULL) != expected || (error == NULL) != expected) {
        printf("%s: %p, error %s\n", name, symbol, error != NULL ? error : "none");
        bad = 1;
    } else if (!expected && strstr(error, name) == NULL) {
        printf("%s: the error is about something else: %s\n", name, error);
        bad = 1;
    }
    return symbol;
}

static void look_up_gl(void *handle, bool expected)
{
    static const char *const names[] = {"glXSwapBuffers", "glXGetProcAddress",
                                        "glXGetProcAddressARB"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        look_up(handle, names[i], expected);
    }
}

int main(void)
{
    void *self = dlopen(NULL, RTLD_NOW);
    look_up(RTLD_DEFAULT, "no_such_function", false);
    look_up(RTLD_NEXT, "no_such_function", false);
    look_up(RTLD_DEFAULT, "poll", true);
    look_up(RTLD_DEFAULT, "eglSwapBuffers", false);
    look_up(RTLD_DEFAULT, "xcb_wait_for_reply", false);
    look_up(RTLD_DEFAULT, "wl_display_dispatch", false);
    look_up(RTLD_DEFAULT, "g_type_register_static_simple", false);
    look_up_gl(RTLD_DEFAULT, false);
    look_up_gl(self, false);
    void *library = dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL);
    look_up_gl(library, true);
    look_up(library, "no_such_function", false);
    look_up_gl(RTLD_DEFAULT, false);
    dlopen("libGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    look_up_gl(RTLD_DEFAULT, true);
    look_up_gl(self, true);
    puts("done");
    return bad;
}
