/* Prints "WIDTH HEIGHT COLOURS" of the largest visible window of an X display, or
 * nothing if there is none. The number of colours is at most 16. */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdio.h>

enum { ENOUGH = 16 };

/* Ignores errors, because a window may be destroyed while this program reads it. */
static int pass_over(Display *connection, XErrorEvent *error)
{
    (void)connection;
    (void)error;
    return 0;
}

static Window find_largest(Display *connection, XWindowAttributes *largest)
{
    Window root, parent, *windows = NULL, found = None;
    unsigned count = 0;
    XQueryTree(connection, DefaultRootWindow(connection), &root, &parent, &windows,
               &count);
    for (unsigned i = 0; i < count; i++) {
        XWindowAttributes one;
        if (XGetWindowAttributes(connection, windows[i], &one) &&
            one.map_state == IsViewable && one.class == InputOutput &&
            (found == None ||
             one.width * one.height > largest->width * largest->height)) {
            *largest = one;
            found = windows[i];
        }
    }
    return found;
}

static int count_colours(XImage *image)
{
    unsigned long seen[ENOUGH];
    int count = 0;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width && count < ENOUGH; x++) {
            unsigned long colour = XGetPixel(image, x, y);
            int i = 0;
            while (i < count && seen[i] != colour) {
                i++;
            }
            if (i == count) {
                seen[count++] = colour;
            }
        }
    }
    return count;
}

int main(void)
{
    Display *connection = XOpenDisplay(NULL);
    XWindowAttributes size;
    if (connection == NULL) {
        return 1;
    }
    XSetErrorHandler(pass_over);
    Window window = find_largest(connection, &size);
    if (window == None) {
        return 0;
    }
    XImage *image = XGetImage(connection, window, 0, 0, (unsigned)size.width,
                              (unsigned)size.height, AllPlanes, ZPixmap);
    printf("%d %d %d\n", size.width, size.height,
           image != NULL ? count_colours(image) : 0);
    return 0;
}
