/*
 * A library that programs open RTLD_LOCAL: it swaps by a libGL it is linked against,
 * which is in nobody else's scope; and it has an eglSwapBuffers of its own in front of
 * the system's, as ANGLE has.
 */
#include <GL/glx.h>
#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void gl_plugin_swap(Display *display, GLXDrawable drawable);
EXPORT unsigned eglSwapBuffers(void *display, void *surface);

void gl_plugin_swap(Display *display, GLXDrawable drawable)
{
    glXSwapBuffers(display, drawable);
}

unsigned eglSwapBuffers(void *display, void *surface)
{
    void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    unsigned (*swap)(void *, void *) =
        library != NULL ? dlsym(library, "eglSwapBuffers") : NULL;
    return swap != NULL ? swap(display, surface) : 0;
}
