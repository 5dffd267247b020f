/* Prints the events of a window, one per line: "mapped", "press BUTTON X Y MS", "release
 * BUTTON X Y MS", "move X Y MS", "key KEYSYM". X and Y are on the screen, and MS is the
 * time since the first press. */
#include <X11/XKBlib.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long first_ms;

static unsigned long since_first(unsigned long ms)
{
    first_ms = first_ms == 0 ? ms : first_ms;
    return ms - first_ms;
}

static void print_event(Display *connection, XEvent *event)
{
    switch (event->type) {
    case ButtonPress:
    case ButtonRelease:
        printf("%s %u %d %d %lu\n", event->type == ButtonPress ? "press" : "release",
               event->xbutton.button, event->xbutton.x_root, event->xbutton.y_root,
               since_first(event->xbutton.time));
        break;
    case MotionNotify:
        printf("move %d %d %lu\n", event->xmotion.x_root, event->xmotion.y_root,
               since_first(event->xmotion.time));
        break;
    case KeyPress: {
        int shifted = (event->xkey.state & ShiftMask) != 0;
        KeyCode code = (KeyCode)event->xkey.keycode;
        KeySym keysym = XkbKeycodeToKeysym(connection, code, 0, shifted);
        printf("key 0x%04lx\n", keysym);
        break;
    }
    case MapNotify:
        printf("mapped\n");
        break;
    default:
        break;
    }
    fflush(stdout);
}

int main(void)
{
    Display *connection = XOpenDisplay(NULL);
    if (connection == NULL) {
        return 1;
    }
    Window root = DefaultRootWindow(connection);
    Window window = XCreateSimpleWindow(connection, root, 100, 50, 400, 300, 0, 0, 0);
    XSelectInput(connection, window,
                 ButtonPressMask | ButtonReleaseMask | ButtonMotionMask | KeyPressMask |
                     StructureNotifyMask);
    XMapRaised(connection, window);
    XSync(connection, False);
    XSetInputFocus(connection, root, RevertToPointerRoot, CurrentTime);
    for (;;) {
        XEvent event;
        XNextEvent(connection, &event);
        /* When "mapped" is printed, the window already receives key events. */
        if (event.type == MapNotify) {
            XSetInputFocus(connection, window, RevertToParent, CurrentTime);
            XSync(connection, False);
        }
        print_event(connection, &event);
    }
}
