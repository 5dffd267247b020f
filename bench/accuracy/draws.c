/* draws QUADS: a GL program with a fixed amount of work per frame. It draws QUADS blended
 * quads on top of each other, each as large as the window, as fast as possible. It runs
 * until it is killed.
 *
 * The real comparisons (real.py) plant a change of a tenth more quads. That program
 * really is slower, but how much depends on the machine. */
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 128, MOST_QUADS = 100000 };

static Window open_window(Display *display, GLXContext *context)
{
    int wanted[] = {GLX_RGBA, GLX_DOUBLEBUFFER, None};
    XVisualInfo *visual = glXChooseVisual(display, DefaultScreen(display), wanted);
    if (visual == NULL) {
        return None;
    }
    Window root = DefaultRootWindow(display);
    XSetWindowAttributes attributes = {
        .colormap = XCreateColormap(display, root, visual->visual, AllocNone)};
    Window window = XCreateWindow(display, root, 0, 0, SIDE, SIDE, 0, visual->depth,
                                  InputOutput, visual->visual, CWColormap, &attributes);
    *context = glXCreateContext(display, visual, NULL, True);
    XFree(visual);
    XMapWindow(display, window);
    return *context != NULL && glXMakeCurrent(display, window, *context) ? window : None;
}

/* Each quad has another colour, so that the driver cannot skip it as unchanged. */
static void draw(int quads)
{
    static unsigned frame;
    frame++;
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_QUADS);
    for (int i = 0; i < quads; i++) {
        unsigned shade = (frame + (unsigned)i) * 37;
        glColor4ub((GLubyte)shade, (GLubyte)(shade >> 3), (GLubyte)(shade >> 5), 20);
        glVertex2f(-1, -1);
        glVertex2f(1, -1);
        glVertex2f(1, 1);
        glVertex2f(-1, 1);
    }
    glEnd();
}

int main(int argc, char **argv)
{
    long quads = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    if (quads < 1 || quads > MOST_QUADS) {
        fputs("usage: draws QUADS\n", stderr);
        return 2;
    }
    Display *display = XOpenDisplay(NULL);
    GLXContext context = NULL;
    Window window = display == NULL ? None : open_window(display, &context);
    if (window == None) {
        fputs("draws: no window with GL\n", stderr);
        return 1;
    }
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    for (;;) {
        draw((int)quads);
        glXSwapBuffers(display, window);
    }
}
