/* A library that programs open with RTLD_LOCAL. It swaps with the libGL to which it is
 * linked. That libGL is in no other scope. Its own eglSwapBuffers() calls the system's
 * function, like that of ANGLE. */
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
