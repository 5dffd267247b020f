/* Behaves like an X compositor that reports when it showed a frame, with the messages
 * _NET_WM_FRAME_DRAWN and _NET_WM_FRAME_TIMINGS. It shows each frame SHOWN_MS after it
 * has seen the frame, on a display of 50 Hz. With the argument "early" the reported
 * time is before the frame was drawn. Prints "ready" after its start. Ends when data
 * arrives on its standard input, or at the end of the input. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/extensions/sync.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SHOWN_MS = 5, INTERVAL_US = 20000, WINDOWS = 8 };

static Display *display;
static Window root;
static struct {
    Window window;
    int64_t reported;
} seen[WINDOWS];

static Atom atom(const char *name)
{
    return XInternAtom(display, name, False);
}

static int ignore(Display *of, XErrorEvent *error)
{
    (void)of, (void)error;
    return 0;
}

/* Announces this program as a compositor that reports frame timings. */
static void announce(void)
{
    Window own = XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, 0, 0);
    Atom supported[] = {atom("_NET_WM_SYNC_REQUEST"), atom("_NET_WM_FRAME_DRAWN"),
                        atom("_NET_WM_FRAME_TIMINGS")};
    for (int i = 0; i < 2; i++) {
        XChangeProperty(display, i == 0 ? root : own, atom("_NET_SUPPORTING_WM_CHECK"),
                        XA_WINDOW, 32, PropModeReplace, (unsigned char *)&own, 1);
    }
    XChangeProperty(display, own, atom("_NET_WM_NAME"), atom("UTF8_STRING"), 8,
                    PropModeReplace, (const unsigned char *)"timings", 7);
    XChangeProperty(display, root, atom("_NET_SUPPORTED"), XA_ATOM, 32, PropModeReplace,
                    (unsigned char *)supported, 3);
    XSetSelectionOwner(display, atom("_NET_WM_CM_S0"), own, CurrentTime);
    XSync(display, False);
}

static void send_message(Window window, const char *message, int64_t frame, long c,
                         long d, long e)
{
    XEvent event = {.xclient = {.type = ClientMessage,
                                .window = window,
                                .message_type = atom(message),
                                .format = 32}};
    event.xclient.data.l[0] = (long)(frame & 0xffffffff);
    event.xclient.data.l[1] = (long)(frame >> 32);
    event.xclient.data.l[2] = c;
    event.xclient.data.l[3] = d;
    event.xclient.data.l[4] = e;
    XSendEvent(display, window, False, 0, &event);
}

/* Returns the window's second counter, which numbers its frames, or −1 if the window
 * has none. */
static int64_t frame_of(Window window)
{
    Atom type;
    int format;
    unsigned long count, left;
    unsigned char *data = NULL;
    XSyncValue value;
    int64_t frame = -1;
    if (XGetWindowProperty(display, window, atom("_NET_WM_SYNC_REQUEST_COUNTER"), 0, 2,
                           False, XA_CARDINAL, &type, &format, &count, &left,
                           &data) == Success &&
        data != NULL && count == 2 &&
        XSyncQueryCounter(display, ((XSyncCounter *)(void *)data)[1], &value)) {
        frame = ((int64_t)XSyncValueHigh32(value) << 32) | XSyncValueLow32(value);
    }
    if (data != NULL) {
        XFree(data);
    }
    return frame;
}

static void look_at(Window window, long shown_us)
{
    int64_t frame = frame_of(window);
    int slot = 0;
    while (slot < WINDOWS - 1 && seen[slot].window != window && seen[slot].window != 0) {
        slot++;
    }
    if (frame <= 0 || frame % 2 != 0 ||
        (seen[slot].window == window && seen[slot].reported == frame)) {
        return; /* An odd number means that the frame is being drawn. */
    }
    seen[slot].window = window;
    seen[slot].reported = frame;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t drawn_us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
    send_message(window, "_NET_WM_FRAME_DRAWN", frame, (long)(drawn_us & 0xffffffff),
                 (long)(drawn_us >> 32), 0);
    XFlush(display);
    struct timespec until = {.tv_nsec = (SHOWN_MS + 3) * 1000000L};
    nanosleep(&until, NULL); /* The message is sent after the frame was shown. */
    send_message(window, "_NET_WM_FRAME_TIMINGS", frame, shown_us, INTERVAL_US, 0);
    XFlush(display);
}

int main(int count, char **words)
{
    long shown_us =
        count > 1 && strcmp(words[1], "early") == 0 ? -300000L : SHOWN_MS * 1000L;
    display = XOpenDisplay(NULL);
    int event, error, major = 3, minor = 1;
    if (display == NULL || !XSyncQueryExtension(display, &event, &error) ||
        !XSyncInitialize(display, &major, &minor)) {
        return 1;
    }
    XSetErrorHandler(ignore);
    root = DefaultRootWindow(display);
    announce();
    puts("ready");
    fflush(stdout);
    struct pollfd input = {.fd = 0, .events = POLLIN};
    while (poll(&input, 1, 1) == 0) {
        Window ignored, *windows = NULL;
        unsigned number = 0;
        XQueryTree(display, root, &ignored, &ignored, &windows, &number);
        for (unsigned i = 0; i < number; i++) {
            look_at(windows[i], shown_us);
        }
        if (windows != NULL) {
            XFree(windows);
        }
    }
    return 0;
}
