/* Draws frames with the CPU at 60 Hz and sends them to an X server in one of the ways
 * that programs use. Some frames are late on purpose. Each frame may be sent in several
 * parts.
 *
 *   software WAY FRAMES LATE_EVERY PARTS
 *
 * WAY is xlib, xlib-shm, xcb or xcb-shm for images, or xlib-copy or xcb-copy for copies
 * of a pixmap to the window. Every LATE_EVERY-th frame takes 40 ms (0: none). Before each
 * frame, the program draws to the pixmap and copies an area within the window. These
 * calls are not frames. Prints "drawn N late M". */
#include <X11/Xlib-xcb.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <time.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>

/* An image does not fit into the buffer of a socket, so a slow server makes the program
 * wait while it sends one. */
enum { WIDTH = 320, HEIGHT = 240, LATE_MS = 40 };
static const int64_t interval_ns = 16666667;

static Display *display;
static Window window;
static Pixmap pixmap;
static GC context;
static XImage *image;
static XShmSegmentInfo shared;
static xcb_connection_t *connection;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void wait_until(int64_t at_ns)
{
    int64_t left_ns = at_ns - now_ns();
    if (left_ns > 0) {
        poll(NULL, 0, (int)(left_ns / 1000000));
    }
}

static void work(int ms)
{
    int64_t end_ns = now_ns() + (int64_t)ms * 1000000;
    while (now_ns() < end_ns) {
    }
}

static bool open_window(bool is_shared)
{
    display = XOpenDisplay(NULL);
    if (display == NULL) {
        return false;
    }
    int screen = DefaultScreen(display);
    unsigned depth = (unsigned)DefaultDepth(display, screen);
    window = XCreateSimpleWindow(display, RootWindow(display, screen), 0, 0, WIDTH,
                                 HEIGHT, 0, 0, 0);
    XStoreName(display, window, "software");
    XMapWindow(display, window);
    pixmap = XCreatePixmap(display, window, WIDTH, HEIGHT, depth);
    context = XCreateGC(display, window, 0, NULL);
    connection = XGetXCBConnection(display);
    if (is_shared) {
        image = XShmCreateImage(display, DefaultVisual(display, screen), depth, ZPixmap,
                                NULL, &shared, WIDTH, HEIGHT);
        shared.shmid = shmget(IPC_PRIVATE, WIDTH * HEIGHT * 4, IPC_CREAT | 0600);
        shared.shmaddr = shmat(shared.shmid, NULL, 0);
        image->data = shared.shmaddr;
        XShmAttach(display, &shared);
        XSync(display, False);
        shmctl(shared.shmid, IPC_RMID, NULL);
    } else {
        image = XCreateImage(display, DefaultVisual(display, screen), depth, ZPixmap, 0,
                             calloc(WIDTH * HEIGHT, 4), WIDTH, HEIGHT, 32, 0);
    }
    XSync(display, False);
    return true;
}

static void put(const char *way, Drawable target, int y, unsigned height)
{
    if (strcmp(way, "xlib") == 0) {
        XPutImage(display, target, context, image, 0, y, 0, y, WIDTH, height);
    } else if (strcmp(way, "xlib-shm") == 0) {
        XShmPutImage(display, target, context, image, 0, y, 0, y, WIDTH, height, False);
    } else if (strcmp(way, "xlib-copy") == 0) {
        XCopyArea(display, pixmap, target, context, 0, y, WIDTH, height, 0, y);
    } else if (strcmp(way, "xcb-copy") == 0) {
        xcb_copy_area(connection, (uint32_t)pixmap, (uint32_t)target,
                      (uint32_t)XGContextFromGC(context), 0, (int16_t)y, 0, (int16_t)y,
                      WIDTH, (uint16_t)height);
    } else if (strcmp(way, "xcb") == 0) {
        xcb_put_image(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, (uint32_t)target,
                      (uint32_t)XGContextFromGC(context), WIDTH, (uint16_t)height, 0,
                      (int16_t)y, 0, (uint8_t)image->depth, WIDTH * height * 4,
                      (const uint8_t *)image->data);
    } else {
        xcb_shm_put_image(connection, (uint32_t)target,
                          (uint32_t)XGContextFromGC(context), WIDTH, HEIGHT, 0,
                          (uint16_t)y, WIDTH, (uint16_t)height, 0, (int16_t)y,
                          (uint8_t)image->depth, XCB_IMAGE_FORMAT_Z_PIXMAP, 0,
                          (uint32_t)shared.shmseg, 0);
    }
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "xlib";
    int frames = argc > 2 ? atoi(argv[2]) : 60, every = argc > 3 ? atoi(argv[3]) : 0;
    int parts = argc > 4 ? atoi(argv[4]) : 1, late = 0;
    if (!open_window(strstr(way, "shm") != NULL)) {
        fprintf(stderr, "software: no X server\n");
        return 2;
    }
    XFlush(display);
    int64_t next_ns = now_ns();
    for (int i = 1; i <= frames; i++) {
        bool is_late = every > 0 && i % every == 0;
        next_ns += interval_ns;
        wait_until(next_ns);
        late += is_late;
        work(is_late ? LATE_MS : 2);
        put(way, pixmap, 0, HEIGHT);
        XCopyArea(display, window, window, context, 0, 8, WIDTH, 8, 0, 0);
        for (int part = 0; part < parts; part++) {
            put(way, window, part * HEIGHT / parts, (unsigned)(HEIGHT / parts));
        }
        XFlush(display);
        xcb_flush(connection);
        if (is_late) {
            next_ns = now_ns();
        }
    }
    poll(NULL, 0, 50);
    printf("drawn %d late %d\n", frames, late);
    return 0;
}
