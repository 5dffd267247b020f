/* Creates and destroys GLX contexts: contexts threads|destroyed|window FRAMES
 *
 *   threads    four threads present at the same time, each with its own connection,
 *              window and context
 *   destroyed  every tenth frame, the context is destroyed between drawing and swap,
 *              and a new one is created
 *   window     like destroyed; after that swap, the window is also destroyed, and a
 *              new one is created */
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shown {
    Display *connection;
    XVisualInfo *visual;
    Window window;
    GLXContext context;
};

static int frames;

static void make_window(struct shown *shown)
{
    Window root = DefaultRootWindow(shown->connection);
    XSetWindowAttributes set = {
        .colormap =
            XCreateColormap(shown->connection, root, shown->visual->visual, AllocNone)};
    shown->window =
        XCreateWindow(shown->connection, root, 0, 0, 64, 64, 0, shown->visual->depth,
                      InputOutput, shown->visual->visual, CWColormap, &set);
    XMapWindow(shown->connection, shown->window);
}

static void make_context(struct shown *shown)
{
    shown->context = glXCreateContext(shown->connection, shown->visual, NULL, True);
    glXMakeCurrent(shown->connection, shown->window, shown->context);
}

static void make(struct shown *shown)
{
    int attributes[] = {GLX_RGBA, GLX_DOUBLEBUFFER, GLX_RED_SIZE, 8, None};
    shown->connection = XOpenDisplay(NULL);
    shown->visual = shown->connection != NULL
                        ? glXChooseVisual(shown->connection, 0, attributes)
                        : NULL;
    if (shown->visual == NULL) {
        fprintf(stderr, "contexts: no GLX display\n");
        exit(1);
    }
    make_window(shown);
    make_context(shown);
}

static void draw(int frame)
{
    glClearColor((float)(frame % 10) / 10, 0.4F, 0.2F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void *present_all(void *argument)
{
    struct shown shown;
    (void)argument;
    make(&shown);
    for (int i = 0; i < frames; i++) {
        draw(i);
        glXSwapBuffers(shown.connection, shown.window);
    }
    glXMakeCurrent(shown.connection, None, NULL);
    glXDestroyContext(shown.connection, shown.context);
    XCloseDisplay(shown.connection);
    return NULL;
}

static void present_and_destroy(bool windows)
{
    struct shown shown;
    make(&shown);
    for (int i = 1; i <= frames; i++) {
        draw(i);
        if (i % 10 == 0) {
            glXDestroyContext(shown.connection, shown.context);
        }
        glXSwapBuffers(shown.connection, shown.window);
        if (i % 10 == 0) {
            glXMakeCurrent(shown.connection, None, NULL);
            if (windows) {
                XDestroyWindow(shown.connection, shown.window);
                make_window(&shown);
            }
            make_context(&shown);
        }
    }
}

int main(int argc, char **argv)
{
    pthread_t threads[4];
    if (argc != 3) {
        return 2;
    }
    frames = atoi(argv[2]);
    XInitThreads();
    if (strcmp(argv[1], "threads") == 0) {
        for (int i = 0; i < 4; i++) {
            pthread_create(&threads[i], NULL, present_all, NULL);
        }
        for (int i = 0; i < 4; i++) {
            pthread_join(threads[i], NULL);
        }
    } else {
        present_and_destroy(strcmp(argv[1], "window") == 0);
    }
    puts("done");
    return 0;
}
