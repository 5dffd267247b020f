#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <time.h>

#include "scene.h"

static Display *connection;
static Window window;
static GLXContext context;

static bool open_window(void)
{
    int attributes[] = {GLX_RGBA, GLX_DOUBLEBUFFER, GLX_RED_SIZE, 8, None};
    XInitThreads();
    connection = XOpenDisplay(NULL);
    if (connection == NULL) {
        return false;
    }
    int screen = DefaultScreen(connection);
    XVisualInfo *visual = glXChooseVisual(connection, screen, attributes);
    if (visual == NULL) {
        return false;
    }
    XSetWindowAttributes set = {
        .colormap = XCreateColormap(connection, RootWindow(connection, screen),
                                    visual->visual, AllocNone)};
    window = XCreateWindow(connection, RootWindow(connection, screen), 0, 0, 320, 240, 0,
                           visual->depth, InputOutput, visual->visual, CWColormap, &set);
    context = glXCreateContext(connection, visual, NULL, True);
    XFree(visual);
    XMapWindow(connection, window);
    XSync(connection, False);
    return glXMakeCurrent(connection, window, context);
}

static void make_current(bool current)
{
    glXMakeCurrent(connection, current ? window : None, current ? context : NULL);
}

static void draw_and_swap(void)
{
    static float shade;
    shade = shade > 0.99F ? 0 : shade + 0.01F;
    glClearColor(shade, 0.3F, 0.5F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glXSwapBuffers(connection, window);
}

static double elapsed_ms(const struct timespec *since)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - since->tv_sec) * 1e3 +
           (double)(now.tv_nsec - since->tv_nsec) / 1e6;
}

static void round_trip(double least_ms)
{
    struct timespec begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        /* The reply is large, so the server needs at least a millisecond for it. */
        XImage *image = XGetImage(connection, DefaultRootWindow(connection), 0, 0, 640,
                                  480, AllPlanes, ZPixmap);
        if (image != NULL) {
            XDestroyImage(image);
        }
    } while (elapsed_ms(&begin) < least_ms);
}

const struct scene_display scene_x11 = {
    .name = "x11",
    .open = open_window,
    .make_current = make_current,
    .draw_and_swap = draw_and_swap,
    .round_trip = round_trip,
};
