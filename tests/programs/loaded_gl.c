/* Presents frames in an X window, with GL functions to which the program is not
 * linked:
 *   loaded_gl WAY FRAMES
 * Prints the number of frames that it presented.
 *
 *   glx-handle       dlsym() on a library that was opened with RTLD_LOCAL
 *   glx-default      dlsym(RTLD_DEFAULT) after opening the library with RTLD_GLOBAL
 *   glx-address      glXGetProcAddress() for all functions; dlsym() finds it
 *   glx-address-arb  like glx-address, with glXGetProcAddressARB()
 *   glx-plugin       libgl_plugin.so, opened with RTLD_LOCAL, is linked to libGL and
 *                    swaps
 *   egl-handle       dlsym() on a library that was opened with RTLD_LOCAL
 *   egl-address      eglGetProcAddress() for all functions; dlsym() finds it
 *   egl-damage       like egl-address, with eglSwapBuffersWithDamage()
 *   egl-wrapped      eglSwapBuffers() of libgl_plugin.so, which calls the system's
 *                    function
 *   egl-failing      like egl-handle, with a failing swap before each successful one */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glx.h>
#include <X11/Xutil.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *address_function(const char *name);

static struct {
    const char *way;
    void *library, *plugin;
    address_function *address; /* NULL if functions are found with dlsym(). */
} gl;

static Display *connection;
static Window window;

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "loaded_gl: no %s\n", what);
    exit(3);
}

static bool way_is(const char *way)
{
    return strcmp(gl.way, way) == 0;
}

/* Finds a function in the chosen way. Returns an object pointer, as dlsym() does. */
static void *find(const char *name)
{
    void *function = gl.address != NULL
                         ? gl.address(name)
                         : dlsym(way_is("glx-default") ? RTLD_DEFAULT : gl.library, name);
    if (function == NULL) {
        fail(name);
    }
    return function;
}

static void open_library(const char *file, const char *address)
{
    gl.library =
        dlopen(file, RTLD_NOW | (way_is("glx-default") ? RTLD_GLOBAL : RTLD_LOCAL));
    if (gl.library == NULL) {
        fail(dlerror());
    }
    if (address != NULL) {
        *(void **)&gl.address = dlsym(gl.library, address);
    }
    gl.plugin = dlopen("libgl_plugin.so", RTLD_NOW | RTLD_LOCAL);
    if (gl.plugin == NULL) {
        fail(dlerror());
    }
}

static void open_window(Visual *visual, int depth)
{
    Window root = DefaultRootWindow(connection);
    XSetWindowAttributes set = {.colormap =
                                    XCreateColormap(connection, root, visual, AllocNone)};
    window = XCreateWindow(connection, root, 0, 0, 64, 48, 0, depth, InputOutput, visual,
                           CWColormap, &set);
    XMapWindow(connection, window);
    XSync(connection, False);
}

static int run_glx(int frames)
{
    int attributes[] = {GLX_RGBA, GLX_DOUBLEBUFFER, None};
    const char *address = way_is("glx-address")       ? "glXGetProcAddress"
                          : way_is("glx-address-arb") ? "glXGetProcAddressARB"
                                                      : NULL;
    open_library("libGL.so.1", address);
    __typeof__(glXChooseVisual) *choose = find("glXChooseVisual");
    __typeof__(glXCreateContext) *create = find("glXCreateContext");
    __typeof__(glXMakeCurrent) *make_current = find("glXMakeCurrent");
    __typeof__(glXSwapBuffers) *swap = way_is("glx-plugin")
                                           ? dlsym(gl.plugin, "gl_plugin_swap")
                                           : find("glXSwapBuffers");
    XVisualInfo *visual = choose(connection, DefaultScreen(connection), attributes);
    if (visual == NULL || swap == NULL) {
        fail("visual or swap");
    }
    open_window(visual->visual, visual->depth);
    GLXContext context = create(connection, visual, NULL, True);
    if (!make_current(connection, window, context)) {
        fail("current context");
    }
    for (int i = 0; i < frames; i++) {
        swap(connection, window);
    }
    return frames;
}

static EGLConfig choose_config(EGLDisplay egl, VisualID visual)
{
    __typeof__(eglGetConfigs) *get_configs = find("eglGetConfigs");
    __typeof__(eglGetConfigAttrib) *get_attribute = find("eglGetConfigAttrib");
    EGLConfig configs[256];
    EGLint count = 0, id = 0, surfaces = 0;
    get_configs(egl, configs, 256, &count);
    for (EGLint i = 0; i < count; i++) {
        get_attribute(egl, configs[i], EGL_NATIVE_VISUAL_ID, &id);
        get_attribute(egl, configs[i], EGL_SURFACE_TYPE, &surfaces);
        if ((VisualID)id == visual && (surfaces & EGL_WINDOW_BIT) != 0) {
            return configs[i];
        }
    }
    fail("config");
}

static EGLDisplay open_egl(EGLSurface *surface)
{
    __typeof__(eglGetDisplay) *get_display = find("eglGetDisplay");
    __typeof__(eglInitialize) *initialize = find("eglInitialize");
    __typeof__(eglBindAPI) *bind = find("eglBindAPI");
    __typeof__(eglCreateContext) *create = find("eglCreateContext");
    __typeof__(eglCreateWindowSurface) *create_surface = find("eglCreateWindowSurface");
    __typeof__(eglMakeCurrent) *make_current = find("eglMakeCurrent");
    int screen = DefaultScreen(connection);
    Visual *visual = DefaultVisual(connection, screen);
    EGLDisplay egl = get_display((EGLNativeDisplayType)connection);
    open_window(visual, DefaultDepth(connection, screen));
    if (!initialize(egl, NULL, NULL) || !bind(EGL_OPENGL_API)) {
        fail("EGL");
    }
    EGLConfig config = choose_config(egl, visual->visualid);
    EGLContext context = create(egl, config, EGL_NO_CONTEXT, NULL);
    *surface = create_surface(egl, config, (EGLNativeWindowType)window, NULL);
    if (!make_current(egl, *surface, *surface, context)) {
        fail("current context");
    }
    return egl;
}

static int run_egl(int frames)
{
    bool by_address = way_is("egl-address") || way_is("egl-damage");
    open_library("libEGL.so.1", by_address ? "eglGetProcAddress" : NULL);
    EGLSurface surface;
    EGLDisplay egl = open_egl(&surface);
    __typeof__(eglSwapBuffers) *swap = way_is("egl-wrapped")
                                           ? dlsym(gl.plugin, "eglSwapBuffers")
                                           : find("eglSwapBuffers");
    __typeof__(eglGetError) *get_error = find("eglGetError");
    PFNEGLSWAPBUFFERSWITHDAMAGEKHRPROC swap_damage =
        way_is("egl-damage") ? find("eglSwapBuffersWithDamageKHR") : NULL;
    for (int i = 0; i < frames; i++) {
        EGLint whole[] = {0, 0, 64, 48};
        if (way_is("egl-failing") &&
            (swap(egl, EGL_NO_SURFACE) || get_error() != EGL_BAD_SURFACE)) {
            fail("EGL_BAD_SURFACE");
        }
        if (!(swap_damage != NULL ? swap_damage(egl, surface, whole, 1)
                                  : swap(egl, surface))) {
            fail("swap");
        }
    }
    return frames;
}

int main(int argc, char **argv)
{
    connection = XOpenDisplay(NULL);
    if (argc != 3 || connection == NULL) {
        fail("way, count or display");
    }
    gl.way = argv[1];
    int frames = (int)strtol(argv[2], NULL, 10);
    printf("%d frames\n",
           strncmp(gl.way, "glx", 3) == 0 ? run_glx(frames) : run_egl(frames));
    return 0;
}
